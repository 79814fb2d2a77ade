// SPDX-License-Identifier: MIT
// Compares the drawing of Pomyu characters with an independent program.
#include "support/catch.hpp"
#include "support/files.hpp"

#include "import/chp/chp.hpp"
#include "import/text_decoding.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace chp_conformance_test {
using namespace pchr;
using simdjson::dom::element;

namespace {

std::int64_t integer(const element& value) { return std::int64_t(value); }
std::string_view text(const element& value) { return value; }

chp::PixelRect rect(const element& value) {
  return {integer(value.at(0)), integer(value.at(1)), integer(value.at(2)), integer(value.at(3))};
}

chp::Layer layer(const element& value) {
  const std::string_view name = text(value);
  if (name == "pattern") return chp::Layer::pattern;
  return name == "texture" ? chp::Layer::texture : chp::Layer::layer;
}

/// Returns the time within the animation after `played_ms` of playback: it loops from its loop start.
std::int64_t animation_ms(const chp::Animation& animation, std::int64_t played_ms) {
  const std::int64_t whole = animation.frame_count * animation.frame_ms;
  if (played_ms < whole) return played_ms;
  const std::int64_t start = animation.loop_start * animation.frame_ms;
  return start + (played_ms - whole) % (whole - start);
}

void check_operation(const chp::Operation& operation, const element& expected) {
  CHECK(operation.layer == layer(expected["kind"]));
  CHECK(text(expected["texture"]) == (operation.layer == chp::Layer::texture ? "chartex" : "charbmp"));
  CHECK(operation.source == rect(expected["src"]));
  CHECK(operation.destination == rect(expected["dst"]));
  CHECK(operation.flip_x == bool(expected["flipX"]));
  CHECK(operation.flip_y == bool(expected["flipY"]));
  CHECK(operation.alpha == integer(expected["alpha"]));
  // The reference has four decimals.
  CHECK(operation.rotation * 360.0 / 256 == Approx(double(expected["rotation"])).margin(1e-4));
}

void check_timeline(const chp::Timeline& timeline, const element& expected) {
  CHECK(timeline.layer == layer(expected["kind"]));
  CHECK(timeline.line == integer(expected["line"]));
  std::size_t number = 0;
  for (const element tweens : expected["tweens[start,end,from,to]"].get_array()) {
    const auto& found = timeline.columns[number++].tweens;
    REQUIRE(found.size() == tweens.get_array().size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const element tween = tweens.at(i);
      CHECK(static_cast<double>(found[i].start_half_ms) == 2 * double(tween.at(0)));
      CHECK(static_cast<double>(found[i].end_half_ms) == 2 * double(tween.at(1)));
      CHECK(found[i].from == integer(tween.at(2)));
      CHECK(found[i].to == integer(tween.at(3)));
    }
  }
}

void check_sample(const chp::File& file, int number, const element& expected) {
  INFO("animation " << number << " at " << integer(expected["t"]) << " ms");
  const chp::Animation& animation = file.animation(number);
  const std::int64_t ms = animation_ms(animation, integer(expected["t"]));
  CHECK(ms == integer(expected["animTime"]));
  CHECK(ms / animation.frame_ms == integer(expected["frame"]));
  std::vector<chp::Operation> operations;
  chp::evaluate(file, number, ms, operations);
  REQUIRE(operations.size() == expected["ops"].get_array().size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    INFO("operation " << i);
    const element operation = expected["ops"].at(i);
    check_operation(operations[i], operation);
    const bool is_clipped = operations[i].layer != chp::Layer::texture;
    CHECK(operation["clip"].is_null() != is_clipped);
    if (is_clipped) CHECK(chp::clip_of(file, number) == rect(operation["clip"]));
  }
}

void check_animations(const chp::File& file, const element& expected) {
  for (int number = 1; number <= chp::kAnimations; ++number) {
    const chp::Animation& animation = file.animation(number);
    element expected_animation;
    const bool is_expected = expected[std::to_string(number)].get(expected_animation) == simdjson::SUCCESS;
    INFO("animation " << number);
    CHECK((animation.frame_count > 0) == is_expected);
    if (!is_expected) continue;
    CHECK(animation.frame_count == integer(expected_animation["frames"]));
    CHECK(animation.frame_ms == integer(expected_animation["msPerFrame"]));
    CHECK(animation.loop_start == integer(expected_animation["loopStart"]));
    REQUIRE(animation.timelines.size() == expected_animation["lines"].get_array().size());
    for (std::size_t i = 0; i < animation.timelines.size(); ++i) {
      check_timeline(animation.timelines[i], expected_animation["lines"].at(i));
    }
    for (const element sample : expected_animation["samples"].get_array()) check_sample(file, number, sample);
  }
}

void check_character(const std::filesystem::path& path, const element& expected) {
  INFO(test::utf8_of(path));
  const auto decoded = decode_text(test::read_file(path));
  REQUIRE(decoded);
  CHECK(decoded->replacements == 0);
  Warnings warnings;
  const chp::File file = chp::interpret(chp::read_commands(decoded->utf8, warnings), warnings);
  CHECK(file.name == text(expected["name"]));
  CHECK(file.artist == text(expected["artist"]));
  CHECK(file.legacy == bool(expected["legacy"]));
  CHECK(file.id_base == integer(expected["idBase"]));
  CHECK(file.frame_base == integer(expected["frameBase"]));
  CHECK(file.auto_color_key == bool(expected["autoColorSet"]));
  CHECK(file.frame_ms == integer(expected["anime"]));
  CHECK(file.width == integer(expected["size"].at(0)));
  CHECK(file.height == integer(expected["size"].at(1)));
  CHECK(file.wait == integer(expected["wait"]));
  CHECK(file.face_upper == rect(expected["charFaceUpper"]));
  CHECK(file.face_all == rect(expected["charFaceAll"]));
  for (std::size_t use = 0; use < chp::kImageCommands.size(); ++use) {
    element name;
    const auto found = expected["files"][chp::kImageCommands[use]].get(name);
    CHECK(file.images[use].path == (found == simdjson::SUCCESS ? text(name) : ""));
  }
  CHECK(file.rects.size() == expected["rects"].get_object().size());
  for (const auto& [id, area] : file.rects) CHECK(area == rect(expected["rects"][std::to_string(id)]));
  check_animations(file, expected["animations"]);
}

}  // namespace

TEST_CASE("the drawing of Pomyu characters matches an independent program", "[chp][conformance]") {
  const auto folder = test::conformance_folder();
  if (!folder) return;
  int checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder / "chp")) {
    if (entry.path().extension() != ".chp") continue;
    simdjson::dom::parser parser;
    const std::filesystem::path expected = std::filesystem::path(entry.path()).replace_extension(".expected.json");
    check_character(entry.path(), parser.parse(test::read_text(expected)));
    ++checked;
  }
  CHECK(checked == 5);
}

}  // namespace chp_conformance_test
