// SPDX-License-Identifier: MIT
// Layout of sprite sheets.
#include "export/sheet_layout.hpp"

#include "support/catch.hpp"

#include <string>
#include <vector>

namespace sheet_test {
using namespace pchr;
using namespace pchr::exporting;

namespace {

/// Makes a clip of distinct frames of one size.
SheetClip add_clip(SheetCells& cells, const std::string& name, std::uint32_t frames, std::uint32_t side) {
  static std::uint8_t different = 0;
  SheetClip clip{name, false, {}};
  for (std::uint32_t i = 0; i < frames; ++i) {
    Bitmap bitmap{side, side, std::vector<std::uint8_t>(std::size_t{4} * side * side, 255)};
    bitmap.rgba[0] = ++different;
    clip.frames.push_back(cells.add(bitmap));
  }
  return clip;
}

SheetOptions pages_of(std::uint32_t side) {
  SheetOptions options;
  options.max_side = side;
  options.padding = 0;
  return options;
}

FramePlan frames_to(std::uint32_t count) {
  FramePlan plan{ClipId{0}, {}, {}, 0};
  for (std::uint32_t frame = 0; frame < count; ++frame) plan.times.push_back({frame, frame, 0});
  return plan;
}

}  // namespace

TEST_CASE("a clip too large for one page continues on the next, and others stay whole", "[export][sheet]") {
  SheetOptions options = pages_of(20);
  options.canvas = {10, 10};
  SheetCells cells(options);
  const auto sheets = lay_out({add_clip(cells, "a", 3, 10), add_clip(cells, "b", 2, 10), add_clip(cells, "c", 9, 10),
                               add_clip(cells, "d", 3, 10)},
                              cells, options);
  REQUIRE(sheets);
  std::vector<std::string> parts;
  for (const Sheet& sheet : *sheets) {
    parts.emplace_back("page");
    CHECK(sheet.page.size.width <= 20);
    CHECK(sheet.page.size.height <= 20);
    for (const SheetClip& clip : sheet.clips) {
      parts.push_back(clip.name + std::to_string(clip.first_frame) + "+" + std::to_string(clip.frames.size()));
    }
  }
  CHECK(parts == std::vector<std::string>{"page", "a0+3", "page", "b0+2", "page", "c0+4", "page", "c4+4", "page",
                                          "c8+1", "d0+3"});
  const std::string json = sheet_json((*sheets)[3], options, "page-3.png");
  CHECK_THAT(json, test::contains("\"c 4\""));
  CHECK_THAT(json, test::contains("\"c 7\""));
  CHECK_THAT(json, !test::contains("\"c 0\""));
  CHECK_THAT(json, test::contains(R"("name": "c", "from": 0, "to": 3)"));
}

TEST_CASE("a frame too large for a page is detected before drawing", "[export][sheet]") {
  SheetOptions options = pages_of(100);
  options.canvas = {300, 50};
  Camera camera;
  camera.viewport = {300, 50};
  const auto shown = [](ClipTime position) {
    const auto width = static_cast<float>(60 + 10 * position.frame);
    return Rect{{0, 0}, {width, 20}};
  };
  CHECK(check_frames(frames_to(5), "walk", camera, options, shown));
  const auto failed = check_frames(frames_to(9), "walk", camera, options, shown);
  REQUIRE_FALSE(failed);
  CHECK_THAT(failed.error().message, test::contains("frame 5 of the clip \"walk\" has 110 x 20 pixels"));
  options.trim = false;
  CHECK_FALSE(check_frames(frames_to(1), "walk", camera, options, shown));
  options.max_side = 300;
  CHECK(check_frames(frames_to(9), "walk", camera, options, shown));
}

TEST_CASE("frames of clips with equal names have unique names", "[export][sheet]") {
  SheetOptions options = pages_of(100);
  options.canvas = {1, 1};
  SheetCells cells(options);
  const auto sheets =
      lay_out({add_clip(cells, "walk", 1, 1), add_clip(cells, "walk (2)", 1, 1), add_clip(cells, "walk", 2, 1)}, cells,
              options);
  REQUIRE(sheets);
  const std::string json = sheet_json(sheets->front(), options, "page.png");
  for (const char* name : {"\"walk 0\"", "\"walk (2) 0\"", "\"walk (3) 0\"", "\"walk (3) 1\""}) {
    CHECK_THAT(json, test::contains(name));
  }
}

TEST_CASE("a hundred thousand equal names are numbered in linear time", "[export][sheet]") {
  std::vector<std::string> names(100'001, "a");
  names.front() = "a_3";
  // Counting from 1 for each name would take five billion lookups.
  names = unique_names(std::move(names), "_", "");
  CHECK(names.front() == "a_3");
  CHECK(names.back() == "a_100001");
}

}  // namespace sheet_test
