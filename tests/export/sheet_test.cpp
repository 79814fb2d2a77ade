// SPDX-License-Identifier: MIT
// Layout of sprite sheets.
#include "export/sheet_layout.hpp"

#include "support/catch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sheet_test {
using namespace pchr;
using namespace pchr::exporting;

namespace {

/// Adds a clip of distinct frames of one size.
void add_clip(Sheet& sheet, SheetCells& cells, const std::string& name, std::uint32_t frames, std::uint32_t side) {
  static std::uint8_t different = 0;
  sheet.clips.push_back({name, 0, false, sheet.frames.size(), frames});
  for (std::uint32_t i = 0; i < frames; ++i) {
    Bitmap bitmap{side, side, std::vector<std::uint8_t>(std::size_t{4} * side * side, 255)};
    bitmap.rgba[0] = ++different;
    SheetFrame& frame = sheet.frames.emplace_back();
    frame.clip = sheet.clips.size() - 1;
    frame.number = i;
    frame.source = whole(bitmap);
    frame.cell = cells.add(make_cell(bitmap, whole(bitmap), true), {});
  }
}

/// Places all frames, and returns the pages.
std::vector<PageCells> lay_out(Sheet& sheet, SheetCells& cells, const SheetOptions& options) {
  std::vector<PageCells> pages;
  for (std::size_t placed = 0; placed < sheet.frames.size(); placed += sheet.pages.back().frames) {
    auto page = lay_out_page(sheet, placed, sheet.frames.size(), true, cells, options);
    REQUIRE(page);
    REQUIRE(*page);
    pages.push_back(**std::move(page));
  }
  CHECK(cells.area() == 0);
  return pages;
}

SheetOptions pages_of(std::uint32_t side) {
  SheetOptions options;
  options.path = "page.png";
  options.max_side = side;
  options.padding = 0;
  return options;
}

/// Returns the runs of frames of the same clip and page.
std::vector<std::string> parts_of(const Sheet& sheet) {
  std::vector<std::string> parts;
  for (std::size_t i = 0, next = 0; i < sheet.frames.size(); i = next) {
    const SheetFrame& first = sheet.frames[i];
    while (next < sheet.frames.size() && sheet.frames[next].page == first.page &&
           sheet.frames[next].clip == first.clip) {
      ++next;
    }
    parts.push_back(fmt::format("{}: {}{}+{}", first.page, sheet.clips[first.clip].name, first.number, next - i));
  }
  return parts;
}

FramePlan frames_to(std::uint32_t count) {
  FramePlan plan{ClipId{0}, {}, {}, 0};
  for (std::uint32_t frame = 0; frame < count; ++frame) plan.times.push_back({frame, frame, 0});
  return plan;
}

}  // namespace

TEST_CASE("a clip too large for one page continues on the next, and others stay whole", "[export][sheet]") {
  const SheetOptions options = pages_of(20);
  Sheet sheet{.characters = {{"hero", {10, 10}}}};
  SheetCells cells;
  add_clip(sheet, cells, "a", 3, 10);
  add_clip(sheet, cells, "b", 2, 10);
  add_clip(sheet, cells, "c", 9, 10);
  add_clip(sheet, cells, "d", 3, 10);
  lay_out(sheet, cells, options);
  for (const SheetPage& page : sheet.pages) {
    CHECK(page.size.width <= 20);
    CHECK(page.size.height <= 20);
  }
  CHECK(parts_of(sheet) == std::vector<std::string>{"0: a0+3", "1: b0+2", "2: c0+4", "3: c4+4", "4: c8+1", "4: d0+3"});
  CHECK(sheet.pages[3].path == "page-3.png");
}

TEST_CASE("frames wait for their places without their transparent pixels", "[export][sheet]") {
  constexpr std::uint32_t kSide = 512;
  Bitmap ring{kSide, kSide, std::vector<std::uint8_t>(std::size_t{4} * kSide * kSide)};
  std::size_t visible = 0;
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      const double distance = std::hypot(x - kSide / 2.0, y - kSide / 2.0) / (kSide / 2.0);
      if (distance < 0.9 || distance >= 1) continue;
      std::fill_n(&ring.rgba[(std::size_t{y} * kSide + x) * 4], 4, static_cast<std::uint8_t>(x));
      if (x % 256 > 0) ++visible;
    }
  }
  const TrimmedFrame frame = trim(ring, pages_of(kSide));
  CHECK(frame.cell.size == FrameSize{frame.area.width, frame.area.height});
  CHECK(frame.cell.runs.size() >= visible);
  CHECK(frame.cell.runs.size() < visible + std::size_t{6} * kSide);
}

TEST_CASE("a page is laid out once it is full, as if all frames were known, and its frames are forgotten",
          "[export][sheet]") {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  for (unsigned round = 0; round < 24; ++round) {
    INFO("round " << round);
    SheetOptions options = pages_of(64 + below(64));
    options.padding = below(3);
    options.power_of_two = below(2) == 0;
    options.format = below(2) == 0 ? SheetOptions::Format::aseprite : SheetOptions::Format::godot;
    Sheet sheet{.characters = {{"hero", {40, 40}}}};
    SheetCells cells;
    for (std::uint32_t clip = 0; clip < 12; ++clip) add_clip(sheet, cells, "clip", 1 + below(20), 8 + below(24));
    Sheet whole = sheet;
    const SheetCells copy = cells;
    const std::size_t pages = lay_out(whole, cells, options).size();

    Sheet growing = sheet;
    SheetCells known;
    std::size_t placed = 0;
    std::uint64_t most = 0;
    const auto lay_out_known = [&](std::size_t end) {
      while (true) {
        const auto page = lay_out_page(growing, placed, end, end == growing.frames.size(), known, options);
        REQUIRE(page);
        if (!*page) return;
        placed += growing.pages.back().frames;
      }
    };
    for (std::size_t i = 0; i < growing.frames.size(); ++i) {
      growing.frames[i].cell = known.add(Cell(*copy[sheet.frames[i].cell]), options);
      most = std::max(most, known.area());
      lay_out_known(i + 1);
    }
    CHECK(growing.pages.size() == pages);
    CHECK(parts_of(growing) == parts_of(whole));
    for (std::size_t i = 0; i < growing.frames.size(); ++i) CHECK(growing.frames[i].place == whole.frames[i].place);
    const std::uint64_t side = options.max_side + 2, frame = 34;
    CHECK(most <= side * side + frame * frame);
  }
}

TEST_CASE("pages are filled unless clips stay whole", "[export][sheet]") {
  SheetOptions options = pages_of(20);
  options.format = SheetOptions::Format::phaser;
  Sheet sheet{.characters = {{"hero", {10, 10}}}};
  SheetCells cells;
  add_clip(sheet, cells, "a", 3, 10);
  add_clip(sheet, cells, "b", 2, 10);
  add_clip(sheet, cells, "c", 4, 10);
  lay_out(sheet, cells, options);
  CHECK(parts_of(sheet) == std::vector<std::string>{"0: a0+3", "0: b0+1", "1: b1+1", "1: c0+3", "2: c3+1"});
  CHECK(sheet.pages[0].size == FrameSize{20, 20});
  CHECK(sheet.pages[2].size == FrameSize{10, 10});
}

TEST_CASE("pages of random frames have each of them, apart from the others", "[export][sheet]") {
  std::mt19937 random(11);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  for (unsigned round = 0; round < 24; ++round) {
    SheetOptions options = pages_of(64 + below(100));
    options.padding = below(4);
    options.extrude = below(3);
    options.power_of_two = below(2) == 0;
    options.bleed = 0;
    options.format = below(2) == 0 ? SheetOptions::Format::aseprite : SheetOptions::Format::godot;
    INFO("round " << round);
    Sheet sheet;
    sheet.characters.push_back({"hero", {40, 40}});
    SheetCells cells;
    std::vector<Bitmap> bitmaps;  // Of each frame.
    for (std::uint32_t clip = 0; clip < 5; ++clip) {
      const std::uint32_t frames = 1 + below(12);
      sheet.clips.push_back({std::to_string(clip), 0, false, sheet.frames.size(), frames});
      for (std::uint32_t i = 0; i < frames; ++i) {
        const std::uint32_t width = 1 + below(40);
        Bitmap bitmap{width, 1 + below(40), {}};
        // Few colors, so that some small frames are equal.
        bitmap.rgba.assign(std::size_t{4} * bitmap.width * bitmap.height, static_cast<std::uint8_t>(1 + below(3)));
        SheetFrame& frame = sheet.frames.emplace_back();
        frame.clip = clip;
        frame.number = i;
        frame.source = whole(bitmap);
        frame.cell = cells.add(make_cell(bitmap, whole(bitmap), true), {});
        bitmaps.push_back(std::move(bitmap));
      }
    }
    const std::vector<PageCells> pages = lay_out(sheet, cells, options);
    Bitmap drawn;
    for (std::size_t page = 0; page < sheet.pages.size(); ++page) {
      draw_page(pages[page], options, drawn);
      CHECK(FrameSize{drawn.width, drawn.height} == sheet.pages[page].size);
      CHECK(std::max(drawn.width, drawn.height) <= options.max_side);
      std::vector<std::uint32_t> owners(std::size_t{drawn.width} * drawn.height);
      std::set<std::uint32_t> used;
      std::size_t frames = 0;
      for (const SheetFrame& frame : sheet.frames) {
        if (frame.page != page) continue;
        ++frames;
        used.insert(frame.cell);
        const std::uint32_t around = options.extrude;
        CHECK(part_of(drawn, frame.place).rgba == bitmaps[static_cast<std::size_t>(&frame - sheet.frames.data())].rgba);
        REQUIRE(frame.place.x >= around);
        REQUIRE(frame.place.y >= around);
        bool is_free = true;
        for (std::uint32_t y = frame.place.y - around; y < frame.place.y + frame.place.height + around; ++y) {
          for (std::uint32_t x = frame.place.x - around; x < frame.place.x + frame.place.width + around; ++x) {
            std::uint32_t& owner = owners.at(std::size_t{y} * drawn.width + x);
            is_free = is_free && (owner == 0 || owner == frame.cell + 1);
            owner = frame.cell + 1;
          }
        }
        CHECK(is_free);
      }
      CHECK(sheet.pages[page].frames == frames);
      CHECK(sheet.pages[page].places == used.size());
    }
  }
}

TEST_CASE("a frame too large for a page is detected before drawing", "[export][sheet]") {
  SheetOptions options = pages_of(100);
  const FrameSize canvas{300, 50};
  Camera camera;
  camera.viewport = {300, 50};
  const auto shown = [](ClipTime position) {
    const auto width = static_cast<float>(60 + 10 * position.frame);
    return Rect{{0, 0}, {width, 20}};
  };
  CHECK(check_frames(frames_to(5), "walk", camera, canvas, options, shown));
  const auto failed = check_frames(frames_to(9), "walk", camera, canvas, options, shown);
  REQUIRE_FALSE(failed);
  CHECK_THAT(failed.error().message, test::contains("frame 5 of the clip \"walk\" has 110 x 20 pixels"));
  options.trim = false;
  CHECK_FALSE(check_frames(frames_to(1), "walk", camera, canvas, options, shown));
  options.max_side = 300;
  CHECK(check_frames(frames_to(9), "walk", camera, canvas, options, shown));
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
