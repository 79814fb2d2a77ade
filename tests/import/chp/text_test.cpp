// SPDX-License-Identifier: MIT
// Parsing Pomyu characters: commands, settings, rectangles.
#include "support/catch.hpp"
#include "support/chp.hpp"

namespace text_test {
using namespace pchr;
using test::interpreted;

TEST_CASE("lines can have any line ending and leading blanks", "[chp]") {
  const auto read = interpreted("#CharName a\r\n \t#Artist b\r\xE3\x80\x80#Anime 50\n\n#Wait 2\x1A");
  CHECK(read.file.name == "a");
  CHECK(read.file.artist == "b");
  CHECK(read.file.frame_ms == 50);
  CHECK(read.file.wait == 2);
  CHECK(read.codes.empty());
}

TEST_CASE("commands are case-insensitive and have two names each", "[chp]") {
  const auto read = interpreted("#ANIME 60\n#Pattern 1 02\n#PATERN 2 02\n#Frame 1 40\n#flame 2 30\n");
  CHECK(read.file.frame_ms == 60);
  CHECK(read.animation(1).frame_ms == 40);
  CHECK(read.animation(2).frame_ms == 30);
  CHECK(read.animation(3).frame_ms == 60);
  CHECK(read.codes.empty());
}

TEST_CASE("any mix of tabs and spaces separates words", "[chp]") {
  const auto read = interpreted("#Size\t 30\xE3\x80\x80 \t40\n");
  CHECK(read.file.width == 30);
  CHECK(read.file.height == 40);
}

TEST_CASE("a comment ends a line, and a single slash ends its numbers", "[chp]") {
  const auto read = interpreted("/#Anime 1\n// #Anime 2\n#Anime 50 / 60\n#CharName a/b / c // d\n#02 1 2 3 4 /5\n");
  CHECK(read.file.frame_ms == 50);
  CHECK(read.file.name == "a/b / c");
  CHECK(read.file.rects.at(2) == chp::PixelRect{1, 2, 3, 4});
  CHECK(read.codes.empty());
}

TEST_CASE("a name keeps its inner blanks, and a path its backslashes", "[chp]") {
  const auto read = interpreted("#CharName  a  b \t\n#CharBMP sub\\a b.bmp // c\n");
  CHECK(read.file.name == "a  b");
  CHECK(read.file.image(chp::ImageUse::char_bmp).path == "sub\\a b.bmp");
  CHECK(read.file.image(chp::ImageUse::char_bmp).line == 2);
  CHECK(read.file.image(chp::ImageUse::char_bmp).column == 10);
}

TEST_CASE("the last of repeated commands wins", "[chp]") {
  const auto read = interpreted("#Anime 50\n#Anime 60\n#02 1\n#02 2\n#Flame 1 70\n#Flame 1 80\n");
  CHECK(read.file.frame_ms == 60);
  CHECK(read.file.rects.at(2).x == 2);
  CHECK(read.animation(1).frame_ms == 80);
}

TEST_CASE("numbers are parsed leniently, and missing ones are 0", "[chp]") {
  const auto read = interpreted("#Anime 120ms\n#02 -5 x7 99999999999\n");
  CHECK(read.file.frame_ms == 120);
  CHECK(read.file.rects.at(2) == chp::PixelRect{-5, 7, 2147483647, 0});
  CHECK(read.codes.empty());
}

TEST_CASE("a legacy character numbers rectangles in decimal and frames in hexadecimal", "[chp]") {
  const auto read = interpreted("#10 1 0 8 8\n#Patern 1 0A10\n");
  CHECK(read.file.legacy);
  CHECK(read.file.rects.contains(10));
  CHECK(read.animation(1).timelines[0].columns[0].values == std::vector<std::int16_t>{10, 16});
  CHECK(read.file.width == 121);
  CHECK(read.file.height == 271);
}

TEST_CASE("letters in a legacy rectangle number determine the base", "[chp]") {
  const auto hexadecimal = interpreted("#10 1\n#0a 1\n");
  CHECK(hexadecimal.file.rects.contains(16));
  CHECK(hexadecimal.file.frame_base == 16);
  const auto wide = interpreted("#10 1\n#0a 1\n#0Z 1\n");
  CHECK(wide.file.rects.contains(36));
  CHECK(wide.file.frame_base == 36);
}

TEST_CASE("#Data sets the base of both, anywhere in the file", "[chp]") {
  const auto read = interpreted("#1Z 1\n#Patern 1 1Z\n#Data 36\n");
  CHECK_FALSE(read.file.legacy);
  CHECK(read.file.rects.contains(71));
  CHECK(read.animation(1).timelines[0].columns[0].values == std::vector<std::int16_t>{71});
  CHECK(read.file.width == 167);
  CHECK(interpreted("#Data 99").file.id_base == 36);
  CHECK(interpreted("#Data 1").file.id_base == 16);
  CHECK(interpreted("#Data").file.id_base == 16);
}

TEST_CASE("a line that cannot be parsed is skipped with a warning", "[chp]") {
  using Codes = std::vector<std::string>;
  CHECK(interpreted("#Foo 1\n").codes == Codes{"W221"});
  CHECK(interpreted("some words\n").codes == Codes{"W221"});
  CHECK(interpreted("#\n").codes == Codes{"W221"});
  CHECK(interpreted("#Data 16\n#0G 1\n").codes == Codes{"W222"});
  CHECK(interpreted("#Patern\n").codes == Codes{"W222"});
  CHECK(interpreted("#Patern x 02\n").codes == Codes{"W222"});
  CHECK(interpreted("#Patern 0 02\n#Patern 19 02\n").codes == Codes{"W222", "W222"});
  CHECK(interpreted("#Patern 4\n").codes == Codes{"W222"});
  CHECK(interpreted("#Loop 99 1\n").codes == Codes{"W222"});
  const auto read = interpreted("#Anime 50\n  #Foo 1\n");
  CHECK(read.diagnostics[0].line == 2);
  CHECK(read.diagnostics[0].column == 3);
}

TEST_CASE("an out-of-range value is replaced", "[chp]") {
  CHECK(interpreted("#Anime 0\n").file.frame_ms == 83);
  CHECK(interpreted("#Anime -5\n").file.frame_ms == 83);
  CHECK(interpreted("#Anime 99999\n").file.frame_ms == 10000);
  CHECK(interpreted("#Anime\n").file.frame_ms == 83);
  CHECK(interpreted("#Size 0 40\n").file.width == 121);
  CHECK(interpreted("#Size 40 9000\n").file.height == 271);
  CHECK(interpreted("#Size 40\n").file.width == 121);
  CHECK(interpreted("#Anime 60\n#Flame 1 0\n#Patern 1 02\n").animation(1).frame_ms == 60);
  CHECK(interpreted("#Loop 15 9\n#Patern 15 0202\n").animation(15).loop_start == 1);
  CHECK(interpreted("#Loop 15 -1\n#Patern 15 0202\n").animation(15).loop_start == 0);
  CHECK(interpreted("#Size 40 9000\n").codes == std::vector<std::string>{"W225"});
}

TEST_CASE("lines beyond the limit are ignored", "[chp]") {
  std::string text(100'000, '\n');
  CHECK(interpreted(text + "#Anime 50\n").file.frame_ms == 83);
  CHECK(interpreted(text + "#Anime 50\n").codes == std::vector<std::string>{"W226"});
  std::string timelines;
  for (int i = 0; i < 257; ++i) timelines += "#Patern 1 02\n";
  CHECK(interpreted(timelines).animation(1).timelines.size() == 256);
}

}  // namespace text_test
