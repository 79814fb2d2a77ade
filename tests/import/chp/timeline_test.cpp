// SPDX-License-Identifier: MIT
// Timelines of Pomyu characters: frames, tweens and drawing.
#include "support/catch.hpp"
#include "support/chp.hpp"

namespace timeline_test {
using namespace pchr;
using chp::PixelRect;
using test::interpreted;
using Values = std::vector<std::int16_t>;

namespace {

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

}  // namespace timeline_test
