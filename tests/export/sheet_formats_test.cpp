// SPDX-License-Identifier: MIT
// Files that describe sprite sheets to engines.
#include "export/sheet_formats.hpp"

#include "support/catch.hpp"

namespace pchr::test::sheet_formats_test {
using namespace pchr::exporting;
using Format = SheetOptions::Format;

namespace {

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

}  // namespace pchr::test::sheet_formats_test
