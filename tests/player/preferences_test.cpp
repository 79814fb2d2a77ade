// SPDX-License-Identifier: MIT
// The preferences file.
#include "app/preferences.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <cstdlib>
#include <random>
#include <thread>

namespace pchr::player::preferences_test {
namespace {

namespace fs = std::filesystem;

struct Remembered {
  App app{};
  WindowPlace place{};
  void apply(std::string_view text) { apply_preferences(text, app, place); }
  [[nodiscard]] std::string describe(std::string_view before = {}) const {
    return describe_preferences(app, place, before);
  }
};

Remembered unusual() {
  Remembered all;
  all.place = {.size = {900.0F, 700.0F}, .corner = Vec2{-30.0F, 40.0F}, .maximized = true};
  all.app.arrangement.sizes = {300.0F, 400.0F, 200.0F};
  all.app.arrangement.folded = {false, true, true};
  all.app.arrangement.cast_height = 150.0F;
  all.app.arrangement.view_height = 260.0F;
  all.app.arrangement.view_folded = true;
  all.app.interface_percent = 175;
  all.app.view.background = Background::color;
  all.app.view.color = {1.0F, 0.0F, 0.2F};
  all.app.view.image = "/a/forest = 2.png";
  all.app.view.tiled = true;
  all.app.view.tab = Tab::problems;
  all.app.view.pixels = Pixels::hard;
  all.app.view.turntable = {.up = UpAxis::y, .quarter_turns = 3, .cull_back_faces = true};
  all.app.view.skeleton = true;
  all.app.view.bounds = true;
  all.app.view.onion_before = 0;
  all.app.view.onion_after = 5;
  all.app.playback.keeps_settings = true;
  all.app.playback.settings = {
      .mode = LoopMode::loop, .counted = true, .times = 7, .speed = -0.25, .sampling = Sampling::smooth, .hold = 2};
  all.app.requests.reload = false;
  all.app.exports.options = {.clips = ExportClips::all,
                             .format = ExportFormat::webp,
                             .lossy = true,
                             .quality = 0,
                             .sizing = ExportSizing::fit,
                             .percent = 250,
                             .size = {64, 1000},
                             .margin = 0,
                             .resample = true,
                             .rate = 12,
                             .opaque = true,
                             .plays = ExportPlays::counted,
                             .times = 7};
  SheetOptions& sheet = all.app.exports.options.sheet;
  sheet.max_side = 512;
  sheet.power_of_two = true;
  sheet.padding = 0;
  sheet.extrude = 3;
  sheet.trim = sheet.share = false;
  sheet.format = SheetOptions::Format::godot;
  sheet.layout = SheetOptions::Layout::array;
  all.app.exports.presets = {{"my = web", all.app.exports.options}, {"plain", {}}};
  all.app.screenshots_in = ScreenshotFolder::chosen;
  all.app.screenshot_folder = "/a/shots";
  all.app.requests.recent = {"/a/hero = 1.pchr", u8"/\u7d75.json"};
  all.app.requests.texture_folders = {{"/a/meshes", "/a/my textures"}, {"/a/meshes", "/b = c"}};
  return all;
}

}  // namespace

TEST_CASE("preferences survive a round trip", "[player]") {
  const Remembered all = unusual();
  Remembered again;
  again.apply(all.describe());
  CHECK(again.describe() == all.describe());
  CHECK(again.describe() != Remembered().describe());
  CHECK(again.place.size == all.place.size);
  CHECK(again.place.corner == all.place.corner);
  CHECK(again.app.view.color == all.app.view.color);
  CHECK(again.app.arrangement.sizes == all.app.arrangement.sizes);
  CHECK(again.app.arrangement.folded == all.app.arrangement.folded);
  CHECK(again.app.arrangement.view_folded);
  CHECK_FALSE(again.app.arrangement.cast_folded);
  CHECK(again.app.interface_percent == 175);
  CHECK(again.app.view.bounds);
  CHECK_FALSE(again.app.view.wireframe);
  CHECK(again.app.view.image == all.app.view.image);
  CHECK(again.app.view.tiled);
  CHECK(again.app.view.turntable == all.app.view.turntable);
  CHECK(again.app.view.onion_before == 0);
  CHECK(again.app.view.onion_after == 5);
  CHECK(again.app.playback.settings == all.app.playback.settings);
  CHECK(again.app.requests.recent == all.app.requests.recent);
  CHECK(again.app.requests.texture_folders == all.app.requests.texture_folders);
  CHECK(again.app.exports.options == all.app.exports.options);
  CHECK(again.app.exports.presets == all.app.exports.presets);
  CHECK(again.app.screenshots_in == ScreenshotFolder::chosen);
  CHECK(again.app.screenshot_folder == "/a/shots");
}

TEST_CASE("loop mode and speed end with the program unless they are kept", "[player]") {
  Remembered all = unusual();
  all.app.playback.keeps_settings = false;
  Remembered again;
  again.apply(all.describe());
  CHECK(again.app.playback.settings == PlaybackSettings{});
}

TEST_CASE("lines with unknown keys are kept, and known ones are not duplicated", "[player]") {
  const std::string before = "# mine\nnext version = 3\nwindow = 500x400\nrecent = /gone.pchr\n\n";
  const std::string text = Remembered().describe(before);
  CHECK_THAT(text, test::contains("# mine\nnext version = 3\n"));
  CHECK(text.find("500x400") == std::string::npos);
  CHECK(text.find("/gone.pchr") == std::string::npos);
  CHECK(Remembered().describe(text) == text);
}

TEST_CASE("invalid preference values are ignored", "[player]") {
  for (const std::string_view text : {"window = 1x1",
                                      "window = 99999999999x800",
                                      "window = 800",
                                      "window = x",
                                      "window =",
                                      "color = #12345",
                                      "color = #-12345",
                                      "color = red",
                                      "speed = 0",
                                      "speed = 900",
                                      "speed = x",
                                      "hold = 7",
                                      "loop-count = 0",
                                      "pixels = best",
                                      "up-axis = x",
                                      "stands-at = 45",
                                      "back-faces = on",
                                      "recent = here",
                                      "textures = /a",
                                      "textures = a\tb",
                                      "left-width = 10",
                                      "right-width = wide",
                                      "bottom-height = 99999",
                                      "interface-scale = 110",
                                      "interface-scale = -75",
                                      "overlays = ghosts",
                                      "onion = 2",
                                      "onion = 6+1",
                                      "onion = 1+-1",
                                      "onion = 1+1+1",
                                      "export-format = avi",
                                      "export-quality = 101",
                                      "export-percent = 0",
                                      "export-rate = 10x",
                                      "export-size = 0x5",
                                      "export-size = 99999x5",
                                      "export-size = 5",
                                      "export-times = -1",
                                      "export-padding = 65",
                                      "export-preset =",
                                      "screenshot-folder = here",
                                      "= = =",
                                      "=",
                                      "window"}) {
    INFO(text);
    Remembered remembered;
    remembered.apply(text);
    CHECK(remembered.describe() == Remembered().describe());
  }
}

TEST_CASE("a damaged preferences file does no harm", "[player]") {
  const std::string good = unusual().describe();
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (int change = 0; change < 8; ++change) text[random() % text.size()] = static_cast<char>(random());
    text.resize(random() % text.size());
    Remembered remembered;
    remembered.apply(text);
    CHECK(remembered.place.size.x >= 100.0F);
    CHECK(remembered.app.requests.recent.size() <= kMaxRecentFiles);
    CHECK(remembered.app.exports.presets.size() <= kMaxPresets);
    CHECK(remembered.app.playback.settings.speed != 0.0);
  }
}

TEST_CASE("preferences are written atomically, creating the folder if needed", "[player]") {
  const fs::path folder = test::output("player/config/x").parent_path();
  fs::remove_all(folder);
  const fs::path file = folder / "pchr/player.conf";
  CHECK(write_text_file(file, "a = 1\n").empty());
  CHECK(write_text_file(file, "a = 2\n").empty());
  CHECK(read_text_file(file) == "a = 2\n");
  CHECK(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()) == 1);
  fs::remove_all(folder);
  test::write_file(folder.parent_path() / "config", test::Bytes(1));
  CHECK_THAT(write_text_file(file, "a = 3\n"), test::contains("cannot write " + file.string()));
  CHECK(read_text_file(file).empty());
  fs::remove(folder);
}

TEST_CASE("of two players the last one keeps what only the other one changed", "[player]") {
  const std::string base = "color = #000000\nonion = 2+2\nrecent = /a\nrecent = /b\n";
  const std::string ours = "color = #ffffff\nonion = 2+2\nrecent = /a\nrecent = /b\n";
  const std::string theirs = "color = #123456\nonion = 3+1\nrecent = /c\nrecent = /a\nrecent = /b\nnewer = 1\n";
  CHECK(merge_preferences(base, ours, theirs) ==
        "color = #ffffff\nonion = 3+1\nrecent = /c\nrecent = /a\nrecent = /b\nnewer = 1\n");
  CHECK(merge_preferences(base, ours, base) == ours);
  CHECK(merge_preferences(base, ours, "") == ours);
  CHECK(merge_preferences("", ours, "") == ours);
}

TEST_CASE("players that share preferences keep each other's changes, and the last one wins", "[player]") {
  const fs::path folder = test::fresh_folder("shared");
  const char* const set = std::getenv("XDG_CONFIG_HOME");
  const std::optional<std::string> before = set != nullptr ? std::optional<std::string>(set) : std::nullopt;
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  App one, other;
  PreferencesSaver ones(one), others(other);
  const auto saved = [] {
    auto app = std::make_unique<App>();
    const PreferencesSaver reader(*app);
    return app;
  };
  one.view.tiled = true;
  one.view.tab = Tab::atlas;
  remember(one.requests, "/one");
  save_preset(one.exports, "shared");
  save_preset(one.exports, "mine");
  ones.update(one, ones.place(), 0);
  other.view.onion_before = 5;
  other.view.tab = Tab::problems;
  remember(other.requests, "/other");
  other.exports.options.percent = 50;
  save_preset(other.exports, "shared");
  others.update(other, others.place(), 0);
  auto both = saved();
  CHECK(both->view.tiled);
  CHECK(both->view.onion_before == 5);
  CHECK(both->view.tab == Tab::problems);
  CHECK(both->requests.recent == std::vector<fs::path>{"/other", "/one"});
  REQUIRE(both->exports.presets.size() == 2);
  CHECK(both->exports.presets[0].name == "shared");
  CHECK(both->exports.presets[0].options.percent == 50);
  CHECK(both->exports.presets[1].name == "mine");

  one.exports.presets.clear();
  one.view.tab = Tab::facts;
  ones.update(one, ones.place(), 0);
  both = saved();
  CHECK(both->view.tab == Tab::facts);
  CHECK(both->view.onion_before == 5);
  CHECK(both->requests.recent.size() == 2);
  REQUIRE(both->exports.presets.size() == 1);
  CHECK(both->exports.presets[0].options.percent == 50);

  // However their writes interleave, the file is always one that one of them wrote.
  const auto write_often = [](App& app, PreferencesSaver& saver) {
    for (int i = 0; i < 100; ++i) {
      app.exports.options.margin = i % 5;
      saver.update(app, saver.place(), 0);
    }
  };
  {
    const std::jthread writer([&] { write_often(one, ones); });
    write_often(other, others);
  }
  const std::string text = read_text_file(folder / "pchr/player.conf");
  Remembered all;
  all.apply(text);
  CHECK(std::ranges::count(all.describe(text), '\n') == std::ranges::count(text, '\n'));
  CHECK(all.app.view.onion_before == 5);
  CHECK(all.app.exports.options.margin == 4);
  CHECK(all.app.exports.presets.size() == 1);
  before ? setenv("XDG_CONFIG_HOME", before->c_str(), 1) : unsetenv("XDG_CONFIG_HOME");
}

}  // namespace pchr::player::preferences_test
