// SPDX-License-Identifier: MIT
// Sprite sheets: packing, pages, and the files that describe them to engines.
#include "export/sheet.hpp"

#include "support/catch.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace pchr::test::sheet_test {
using namespace pchr::exporting;
using Format = SheetOptions::Format;

namespace {

bool apart(const FrameSize& a, const Place& at_a, const FrameSize& b, const Place& at_b) {
  return at_b.x >= at_a.x + a.width || at_a.x >= at_b.x + b.width || at_b.y >= at_a.y + a.height ||
         at_a.y >= at_b.y + b.height;
}

std::uint64_t area_of(const std::vector<FrameSize>& extents) {
  std::uint64_t area = 0;
  for (const FrameSize& each : extents) area += std::uint64_t{each.width} * each.height;
  return area;
}

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

/// Makes a sheet with two characters on two pages: hero walks on both, and villain waves on the second.
Sheet two_characters() {
  Sheet sheet;
  sheet.characters = {{"hero", {40, 80}, 10, 60}, {"villain", {20, 20}, 10, 25}};
  sheet.clips = {{"hero/walk", 0, true, 0, 3}, {"villain/wave", 1, false, 3, 1}};
  sheet.frames = {
      {.clip = 0, .number = 0, .milliseconds = 33, .source = {4, 8, 20, 40}, .page = 0, .place = {2, 2, 20, 40}},
      {.clip = 0, .number = 1, .milliseconds = 34, .source = {0, 0, 40, 80}, .page = 0, .place = {30, 2, 40, 80}},
      {.clip = 0, .number = 2, .milliseconds = 33, .source = {0, 0, 40, 80}, .page = 1, .place = {0, 0, 40, 80}},
      {.clip = 1, .number = 0, .milliseconds = 500, .source = {0, 0, 20, 20}, .page = 1, .place = {50, 0, 20, 20}}};
  sheet.pages = {{"out/cast.png", {128, 100}, 2, 2}, {"out/cast-1.png", {3000, 100}, 2, 2}};
  return sheet;
}

SheetOptions options_for(Format format) {
  SheetOptions options;
  options.path = "out/cast.png";
  options.format = format;
  return options;
}

std::vector<std::string> names_for(Sheet sheet, Format format) {
  name_frames(sheet, options_for(format));
  std::vector<std::string> names;
  for (const SheetFrame& frame : sheet.frames) names.push_back(frame.name);
  return names;
}

std::vector<SheetFile> files_for(Sheet sheet, const SheetOptions& options) {
  name_frames(sheet, options);
  return sheet_files(sheet, options);
}

}  // namespace

TEST_CASE("packed rectangles are on the page, disjoint and dense", "[export]") {
  std::mt19937 random(3);
  for (const bool power_of_two : {false, true}) {
    for (const std::size_t count : {1U, 2U, 17U, 200U}) {
      std::vector<FrameSize> extents(count);
      for (FrameSize& each : extents) {
        each = {static_cast<std::uint32_t>(1 + random() % 90), static_cast<std::uint32_t>(1 + random() % 60)};
      }
      const auto page = pack(extents, 4096, power_of_two);
      REQUIRE(page);
      REQUIRE(page->places.size() == count);
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(page->places[i].x + extents[i].width <= page->size.width);
        CHECK(page->places[i].y + extents[i].height <= page->size.height);
        for (std::size_t j = 0; j < i; ++j) CHECK(apart(extents[i], page->places[i], extents[j], page->places[j]));
      }
      const std::uint64_t taken = std::uint64_t{page->size.width} * page->size.height;
      if (power_of_two) {
        CHECK(std::has_single_bit(page->size.width));
        CHECK(std::has_single_bit(page->size.height));
      } else if (count == 200) {
        CHECK(taken < area_of(extents) * 5 / 4);
      }
    }
  }
}

TEST_CASE("equal rectangles fill a page completely", "[export]") {
  const std::vector<FrameSize> extents(16, {10, 10});
  const auto page = pack(extents, 64, false);
  REQUIRE(page);
  CHECK(page->size == FrameSize{40, 40});
}

TEST_CASE("rectangles that do not fit on any page are not packed", "[export]") {
  CHECK_FALSE(pack(std::vector<FrameSize>{{65, 1}}, 64, false));
  CHECK_FALSE(pack(std::vector<FrameSize>{{1, 65}}, 64, false));
  CHECK_FALSE(pack(std::vector<FrameSize>(5, {32, 32}), 64, false));
  CHECK(pack(std::vector<FrameSize>(4, {32, 32}), 64, false));
  CHECK_FALSE(pack(std::vector<FrameSize>{{33, 1}}, 63, true));
}

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

TEST_CASE("frames are named as engines look for them", "[export][sheet]") {
  using Names = std::vector<std::string>;
  const Sheet two = two_characters();
  CHECK(names_for(two, Format::aseprite) == Names{"0", "1", "0", "1"});
  CHECK(names_for(two, Format::phaser) == Names{"hero/walk/0", "hero/walk/1", "hero/walk/2", "villain/wave/0"});
  CHECK(names_for(two, Format::pixi) == Names{"hero/walk/0", "hero/walk/1", "hero/walk/2", "villain/wave/0"});
  CHECK(names_for(two, Format::unity) == Names{"hero_walk_0", "hero_walk_1", "hero_walk_2", "villain_wave_0"});
  Sheet one = two;
  one.characters.pop_back();
  one.clips = {{"walk", 0, true, 0, 4}};
  one.frames.back().clip = 0;
  one.frames.back().number = 3;
  CHECK(names_for(one, Format::phaser) == Names{"walk/0", "walk/1", "walk/2", "walk/3"});
  CHECK(names_for(one, Format::pixi) == Names{"hero/walk/0", "hero/walk/1", "hero/walk/2", "hero/walk/3"});
  CHECK(names_for(one, Format::unity) == Names{"hero_walk_0", "hero_walk_1", "hero_walk_2", "hero_walk_3"});
  one.frames.front().name = "chosen";
  CHECK(names_for(one, Format::aseprite) == Names{"chosen", "1", "0", "1"});
}

TEST_CASE("each format has its files", "[export][sheet]") {
  const auto paths_for = [](Format format) {
    std::vector<std::string> paths;
    for (const SheetFile& file : files_for(two_characters(), options_for(format))) paths.push_back(file.path);
    return paths;
  };
  using Paths = std::vector<std::string>;
  CHECK(paths_for(Format::aseprite) == Paths{"out/cast.json", "out/cast-1.json"});
  CHECK(paths_for(Format::phaser) == Paths{"out/cast.json"});
  CHECK(paths_for(Format::pixi) == Paths{"out/cast.json", "out/cast-1.json"});
  CHECK(paths_for(Format::godot) == Paths{"out/cast.tres"});
  CHECK(paths_for(Format::unity) == Paths{"out/cast.json", "out/cast.png.meta", "out/cast-1.png.meta"});
  for (const Format format : {Format::aseprite, Format::phaser, Format::pixi, Format::godot, Format::unity}) {
    CHECK(sheet_file_path(options_for(format)) == paths_for(format).front());
  }
}

TEST_CASE("tags and pivots are those of a page's frames", "[export][sheet]") {
  const auto files = files_for(two_characters(), options_for(Format::aseprite));
  CHECK_THAT(files[0].text, contains(R"("name": "hero/walk", "from": 0, "to": 1)"));
  CHECK_THAT(files[0].text, !contains("villain"));
  CHECK_THAT(files[1].text, contains(R"("name": "hero/walk", "from": 0, "to": 0)"));
  CHECK_THAT(files[1].text,
             contains(R"("name": "villain/wave", "from": 1, "to": 1, "direction": "forward", "repeat": "1")"));
  CHECK_THAT(files[1].text, contains(R"("keys": [{"frame": 0, "bounds": {"x": 0, "y": 0, "w": 40, "h": 80}, )"
                                     R"("pivot": {"x": 10, "y": 60}}, {"frame": 1, )"));
}

TEST_CASE("slices and layers are those of a page's frames", "[export][sheet]") {
  Sheet sheet = two_characters();
  const SheetSliceKey low{1, {1, 2, 3, 4}, {}, {}}, high{3, {5, 6, 7, 8}, SheetArea{1, 1, 2, 2}, {{-3, 9}}};
  sheet.characters[0].slices = {{"hit", {"a \"box\"", {255, 0, 128, 255}}, {low, high}}};
  sheet.characters[0].layers = {{.name = "group"},
                                {.name = "body",
                                 .group = "group",
                                 .opacity = std::uint8_t{200},
                                 .blend_mode = "color_dodge",
                                 .cels = {{3, {"cel", {}}}, {9, {"not drawn", {}}}}}};
  sheet.characters[1].slices = {{"villain's", {}, {{0, {0, 0, 9, 9}, {}, {}}}}};
  sheet.frames[0].artwork_frame = 0;  // Before the first key.
  sheet.frames[1].artwork_frame = 2;
  sheet.frames[2].artwork_frame = 3;
  const auto files = files_for(sheet, options_for(Format::aseprite));
  CHECK_THAT(files[0].text, contains(R"({"name": "hit", "color": "#ff0080ff", "data": "a \"box\"", )"
                                     R"("keys": [{"frame": 1, "bounds": {"x": 1, "y": 2, "w": 3, "h": 4}}]})"));
  CHECK_THAT(files[1].text, contains(R"("keys": [{"frame": 0, "bounds": {"x": 5, "y": 6, "w": 7, "h": 8}, )"
                                     R"("center": {"x": 1, "y": 1, "w": 2, "h": 2}, "pivot": {"x": -3, "y": 9}}, )"
                                     R"({"frame": 1, "bounds": {"x": 0, "y": 0, "w": 0, "h": 0}}]})"));
  CHECK_THAT(files[1].text, contains(R"({"name": "villain's", "keys": [{"frame": 1, )"));
  CHECK_THAT(files[0].text, !contains("villain"));
  CHECK_THAT(files[0].text, contains("\"layers\": [\n      {\"name\": \"group\"},\n"));
  const std::string body = R"({"name": "body", "group": "group", "opacity": 200, "blendMode": "color_dodge")";
  CHECK_THAT(files[0].text, contains(body + "}"));
  CHECK_THAT(files[1].text, contains(body + R"(, "cels": [{"frame": 0, "data": "cel"}]})"));
}

TEST_CASE("pages refer to each other for Pixi", "[export][sheet]") {
  const auto files = files_for(two_characters(), options_for(Format::pixi));
  CHECK_THAT(files[0].text, contains(R"("related_multi_packs": ["cast-1.json"])"));
  CHECK_THAT(files[1].text, contains(R"("related_multi_packs": ["cast.json"])"));
  CHECK_THAT(files[0].text, contains(R"("hero/walk": ["hero/walk/0", "hero/walk/1"])"));
  CHECK_THAT(files[1].text, contains(R"("hero/walk": ["hero/walk/2"])"));
  CHECK_THAT(files[1].text, contains(R"("looping": ["hero/walk"])"));
  CHECK_THAT(files[1].text, contains(R"("anchor": {"x": 0.5, "y": 1.25})"));
}

TEST_CASE("Godot's durations are exact unless they only differ by rounding", "[export][sheet]") {
  Sheet sheet = two_characters();
  const auto text_of = [&] { return files_for(sheet, options_for(Format::godot)).front().text; };
  CHECK_THAT(text_of(), contains("\"speed\": 30.0"));
  CHECK_THAT(text_of(), !contains("\"duration\": 0.99"));
  CHECK_THAT(text_of(), contains("\"speed\": 2.0"));
  CHECK_THAT(text_of(), contains(R"(metadata/pivots = {&"hero/walk": Vector2(10.0, 60.0), )"
                                 R"(&"villain/wave": Vector2(10.0, 25.0)})"));
  CHECK_THAT(text_of(), contains("region = Rect2(2, 2, 20, 40)\nmargin = Rect2(4, 8, 20, 40)\n"));
  sheet.frames[2].milliseconds = 133;
  CHECK_THAT(text_of(), contains("\"speed\": 15.0"));
  CHECK_THAT(text_of(), contains("\"duration\": 0.495,"));
  CHECK_THAT(text_of(), contains("\"duration\": 1.995,"));
  for (SheetFrame& frame : sheet.frames) frame.milliseconds = 0;
  CHECK_THAT(text_of(), contains("\"speed\": 3000.0"));
}

TEST_CASE("Unity's rectangles and pivots count from the bottom", "[export][sheet]") {
  const auto files = files_for(two_characters(), options_for(Format::unity));
  const std::string &first = files[1].text, &second = files[2].text;
  CHECK_THAT(first, contains("x: 2\n        y: 58\n        width: 20\n        height: 40\n"));
  CHECK_THAT(first, contains("pivot: {x: 0.3, y: -0.30000000000000004}\n"));
  CHECK_THAT(second, contains("name: \"villain_wave_0\"\n"));
  CHECK_THAT(first, contains("maxTextureSize: 128\n"));
  CHECK_THAT(second, contains("maxTextureSize: 4096\n"));
  CHECK_THAT(first, contains("alphaIsTransparency: 1\n"));
  SheetOptions premultiplied = options_for(Format::unity);
  premultiplied.premultiply = true;
  CHECK_THAT(files_for(two_characters(), premultiplied)[1].text, contains("alphaIsTransparency: 0\n"));
  // References stay valid when the sheet changes.
  Sheet moved = two_characters();
  moved.pages.front().size = {256, 256};
  const auto identifiers_of = [](const std::string& text) { return text.substr(0, text.find("externalObjects")); };
  CHECK(identifiers_of(files_for(moved, options_for(Format::unity))[1].text) == identifiers_of(first));
}

TEST_CASE("names cannot break a file", "[export][sheet]") {
  Sheet sheet = two_characters();
  sheet.clips[0].name = "hero/\"\\\n\x1b{}";
  for (const Format format : {Format::aseprite, Format::phaser, Format::pixi, Format::godot, Format::unity}) {
    for (const SheetFile& file : files_for(sheet, options_for(format))) {
      CHECK_THAT(file.text, !contains("\x1b"));
      CHECK_THAT(file.text, !contains("\"\"\\"));
    }
  }
  CHECK_THAT(files_for(sheet, options_for(Format::godot)).front().text,
             contains(R"("name": &"hero/\"\\\u000a\u001b{}")"));
}

}  // namespace pchr::test::sheet_test
