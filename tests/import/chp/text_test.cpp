// SPDX-License-Identifier: MIT
// The text of Pomyu characters: encodings, commands, settings, rectangles, and timelines with their frames and tweens.
#include "support/catch.hpp"
#include "support/chp.hpp"

#include "character/utf8.hpp"
#include "import/text_decoding.hpp"

#include <string>
#include <string_view>

namespace chp_text_test {
using namespace pchr;
using namespace std::string_view_literals;
using Values = std::vector<std::int16_t>;
using chp::PixelRect;
using test::interpreted;

namespace {

DecodedText decoded(std::string_view bytes, const std::string& encoding = {}) {
  const auto text = decode_text(std::as_bytes(std::span(bytes)), encoding);
  REQUIRE(text);
  CHECK_FALSE(find_invalid_utf8(text->utf8));
  return *text;
}

/// Various rectangles; 100 ms per frame, 40 x 80 pixels.
constexpr std::string_view kRects =
    "#Data 16\n#Anime 100\n#Size 40 80\n"
    "#02 0 0 10 20\n#03 10 0 10 20\n#04 30 0 -10 20\n#05 0 40 10 -20\n#06 0 0 1 1\n#07 0 0 0 20\n#08 0 0 1 2\n"
    "#A0 0 0 10 20\n#A1 100 -50 30 0\n#A2 5 6 20 20\n#A3 25 6 -20 20\n#A4 -101 0 10 20\n";

const chp::Column& column(const test::Interpreted& read, chp::Property property) {
  return read.animation(1).timelines.at(0).column(property);
}

std::vector<chp::Operation> drawn(const std::string& timelines, std::int64_t ms, int animation = 1) {
  const auto read = interpreted(std::string(kRects) + timelines);
  std::vector<chp::Operation> operations;
  chp::evaluate(read.file, animation, ms, operations);
  return operations;
}

chp::Operation drawn_alone(const std::string& timeline, std::int64_t ms) {
  const auto operations = drawn(timeline, ms);
  REQUIRE(operations.size() == 1);
  return operations[0];
}

}  // namespace

TEST_CASE("a byte order mark determines the encoding and is not part of the text", "[text]") {
  CHECK(decoded("\xEF\xBB\xBF#湯").utf8 == "#湯");
  CHECK(decoded("\xFF\xFE#\0\x6F\x6E"sv).utf8 == "#湯");
  CHECK(decoded("\xFE\xFF\0#\x6E\x6F"sv).utf8 == "#湯");
}

TEST_CASE("without a mark, zeros mean UTF-16, valid UTF-8 is UTF-8, and all else is CP932", "[text]") {
  CHECK(decoded("#\0S\0i\0z\0e\0"sv).encoding == "UTF-16LE");
  CHECK(decoded("#\0S\0i\0z\0e\0"sv).utf8 == "#Size");
  CHECK(decoded("\0#\0S\0i\0z\0e"sv).utf8 == "#Size");
  CHECK(decoded("#湯のみ").encoding == "UTF-8");
  const DecodedText japanese = decoded("\x93\x92\x82\xCC\x82\xDD \x95\x5C");
  CHECK(japanese.encoding == "CP932");
  CHECK(japanese.utf8 == "湯のみ 表");
  CHECK(decoded("").utf8.empty());
}

TEST_CASE("a backslash byte within a CP932 character is not a backslash", "[text]") {
  CHECK(decoded("\x83\x5C\x5C\x95\x5C").utf8 == "ソ\\表");
}

TEST_CASE("a specified encoding disables detection", "[text]") {
  CHECK(decoded("\xB0\xA1", "EUC-KR").utf8 == "가");
  CHECK(decoded("\xE6\xB9\xAF", "CP932").utf8 != "湯");
  CHECK_FALSE(decode_text({}, "no such encoding"));
}

TEST_CASE("invalid bytes are replaced, and line endings stay", "[text]") {
  const DecodedText text = decoded("\x81\n#Size\x93");
  CHECK(text.utf8 == "\xEF\xBF\xBD\n#Size\xEF\xBF\xBD");
  CHECK(text.replacements == 2);
  CHECK(decoded("a\xFF", "UTF-8").utf8 == "a\xEF\xBF\xBD");
  CHECK(decoded("a\0\0\xD8z\0x"sv, "UTF-16LE").utf8 == "a\xEF\xBF\xBDz\xEF\xBF\xBD");
}

TEST_CASE("any bytes become valid text in every encoding", "[text]") {
  std::string bytes;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      bytes += static_cast<char>(first);
      bytes += static_cast<char>(second);
    }
  }
  for (const char* const encoding : {"", "UTF-8", "CP932", "UTF-16LE", "UTF-16BE"}) (void)decoded(bytes, encoding);
}

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

TEST_CASE("a frame that is not a number repeats the previous one", "[chp]") {
  const auto read = interpreted("#Data 16\n#Patern 1 02ZZ04GG\n");
  CHECK(column(read, chp::Property::sprite).values == Values{2, 2, 4, 4});
  CHECK(read.codes == std::vector<std::string>{"W223", "W223"});
  CHECK(read.diagnostics[0].line == 2);
  CHECK(read.diagnostics[0].column == 13);
  CHECK(column(interpreted("#Data 16\n#Patern 1 ZZ02"), chp::Property::sprite).values == Values{chp::kNone, 2});
  CHECK(column(interpreted("#Data 16\n#Patern 1 表表02"), chp::Property::sprite).values == Values{chp::kNone, 2});
}

TEST_CASE("half a frame at the end is ignored", "[chp]") {
  CHECK(column(interpreted("#Data 16\n#Patern 1 02030"), chp::Property::sprite).values == Values{2, 3});
  CHECK(column(interpreted("#Data 16\n#Patern 1 0203表"), chp::Property::sprite).values == Values{2, 3});
  CHECK(interpreted("#Data 16\n#Patern 1 0\n").animation(1).frame_count == 0);
}

TEST_CASE("an animation is as long as its shortest column", "[chp]") {
  const auto read = interpreted("#Patern 1 020202 0202\n#Layer 1 02020202\n");
  CHECK(read.animation(1).frame_count == 2);
  CHECK(read.codes == std::vector<std::string>{"W224"});
  CHECK(interpreted("#Texture 1 0202 0202 FFFF 00\n").animation(1).frame_count == 1);
}

TEST_CASE("a column has at most 4096 frames", "[chp]") {
  std::string many = "#Patern 1 ";
  for (int i = 0; i < 4097; ++i) many += "02";
  CHECK(interpreted(many).animation(1).frame_count == 4096);
  CHECK(interpreted(many).codes == std::vector<std::string>{"W226"});
}

TEST_CASE("dashes are tweens from the start of one keyframe to the end of the next", "[chp]") {
  const auto read = interpreted("#Anime 100\n#Patern 1 0202020202 02--0304--\n");
  const auto& tweens = column(read, chp::Property::offset).tweens;
  REQUIRE(tweens.size() == 1);
  CHECK(tweens[0].start_half_ms == 0);
  CHECK(tweens[0].end_half_ms == 600);
  // A dash with a keyframe only before it holds its value.
  CHECK(column(read, chp::Property::offset).values[4] == 4);
}

TEST_CASE("a keyframe between dashes is shared by both tweens", "[chp]") {
  const auto read = interpreted("#Anime 99\n#Patern 1 02--03--04\n");
  const auto& tweens = column(read, chp::Property::sprite).tweens;
  REQUIRE(tweens.size() == 2);
  CHECK(tweens[0].end_half_ms == 5 * 99);
  CHECK(tweens[1].start_half_ms == 5 * 99);
  CHECK(tweens[1].end_half_ms == 10 * 99);
}

TEST_CASE("dashes before the first keyframe hold its value, and dashes alone have none", "[chp]") {
  CHECK(column(interpreted("#Patern 1 ----03"), chp::Property::sprite).values == Values{3, 3, 3});
  CHECK(column(interpreted("#Patern 1 ----"), chp::Property::sprite).values == Values{chp::kNone, chp::kNone});
  const auto after_none = column(interpreted("#Patern 1 GG--03"), chp::Property::sprite);
  CHECK(after_none.values == Values{chp::kNone, 3, 3});
  CHECK(after_none.tweens.empty());
}

TEST_CASE("tweened values are truncated toward the start value", "[chp]") {
  // x: 0 to 100, y: 0 to -50, width 10 to 30, over 300 ms.
  CHECK(drawn_alone("#Patern 1 020202 A0--A1", 0).destination == PixelRect{0, 0, 10, 20});
  CHECK(drawn_alone("#Patern 1 020202 A0--A1", 50).destination == PixelRect{16, -8, 13, 17});
  CHECK(drawn_alone("#Patern 1 020202 A0--A1", 299).destination == PixelRect{99, -49, 29, 1});
  CHECK(drawn_alone("#Patern 1 020202 A4--A0", 299).destination.x == -1);
  CHECK(drawn_alone("#Texture 1 020202 A0A0A0 FF--00 00--80", 100).alpha == 170);
  CHECK(drawn_alone("#Texture 1 020202 A0A0A0 FF--00 00--80", 100).rotation == 42);
}

TEST_CASE("all patterns are drawn first, then textures, then layers", "[chp]") {
  const auto operations = drawn("#Layer 1 02\n#Texture 1 03\n#Patern 1 08\n#Patern 1 02\n", 0);
  REQUIRE(operations.size() == 4);
  CHECK(operations[0].source.height == 2);
  CHECK(operations[1].layer == chp::Layer::pattern);
  CHECK(operations[2].layer == chp::Layer::texture);
  CHECK(operations[3].layer == chp::Layer::layer);
}

TEST_CASE("without a destination a sprite is drawn at the top left in its original size", "[chp]") {
  CHECK(drawn_alone("#Patern 1 03", 0).destination == PixelRect{0, 0, 10, 20});
  CHECK(drawn_alone("#Patern 1 03 A2", 0).destination == PixelRect{5, 6, 20, 20});
}

TEST_CASE("negative sizes mirror, and two mirrors undo each other", "[chp]") {
  const auto left = drawn_alone("#Patern 1 04", 0);
  CHECK(left.source == PixelRect{20, 0, 10, 20});
  CHECK(left.destination == PixelRect{0, 0, 10, 20});
  CHECK((left.flip_x && !left.flip_y));
  const auto up = drawn_alone("#Patern 1 05", 0);
  CHECK(up.source == PixelRect{0, 20, 10, 20});
  CHECK((up.flip_y && !up.flip_x));
  const auto twice = drawn_alone("#Patern 1 04 A3", 0);
  CHECK(twice.destination == PixelRect{5, 6, 20, 20});
  CHECK_FALSE(twice.flip_x);
}

TEST_CASE("empty or single-pixel sprites are not drawn", "[chp]") {
  CHECK(drawn("#Patern 1 06\n", 0).empty());
  CHECK(drawn("#Patern 1 07\n", 0).empty());
  CHECK(drawn("#Patern 1 99\n", 0).empty());
  CHECK(drawn("#Patern 1 02 07\n", 0).empty());
  CHECK(drawn("#Patern 1 GG02\n", 0).empty());
  CHECK(drawn("#Patern 1 08\n", 0).size() == 1);
}

TEST_CASE("#Loop does not apply to the idle animations, which loop completely", "[chp]") {
  for (const int number : {1, 2}) {
    const std::string id = std::to_string(number);
    const auto read = interpreted("#Patern " + id + " 02020202\n#Loop " + id + " 3\n");
    CHECK(read.animation(number).loop_start == 0);
    CHECK(read.codes == std::vector<std::string>{"W222"});
  }
  for (const int number : {3, 14, 15, 16, 17, 18}) {
    const std::string id = std::to_string(number);
    const auto read = interpreted("#Patern " + id + " 02020202\n#Loop " + id + " 3\n");
    CHECK(read.animation(number).loop_start == 3);
    CHECK(read.codes.empty());
  }
}

TEST_CASE("drawing is clipped to the character, or to the playing field in the dance", "[chp]") {
  const auto read = interpreted(kRects);
  CHECK(chp::clip_of(read.file, 1) == PixelRect{0, 0, 40, 80});
  CHECK(chp::clip_of(read.file, 14) == PixelRect{-137, -200, 314, 480});
}

TEST_CASE("huge rectangles are computed exactly", "[chp]") {
  const std::string huge = "#B0 -2147483647 0 -2147483647 20\n#B1 2147483647 0 2147483647 20\n";
  const auto start = drawn_alone(huge + "#Patern 1 0202 B0B0", 0);
  CHECK(start.destination == PixelRect{-4294967294, 0, 2147483647, 20});
  CHECK(start.flip_x);
  const auto end = drawn_alone(huge + "#Patern 1 0202 B0B1", 150);
  CHECK(end.destination.x == 2147483647);
  CHECK(drawn_alone(huge + "#Flame 1 10000\n#Patern 1 020202 B0--B1", 29999).destination.x == 2147340481);
}

}  // namespace chp_text_test
