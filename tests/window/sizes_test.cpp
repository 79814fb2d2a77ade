// SPDX-License-Identifier: MIT
// A working day in windows of three sizes, with a screenshot of each step.
#include "running_player.hpp"

namespace pchr::test::sizes_test {
namespace {

struct Size {
  const char* name;
  int width;
  int height;
  int dots_per_inch;
};

constexpr Size kSizes[] = {{"1280x800", 1280, 800, 96}, {"1920x1080", 1920, 1080, 192}, {"800x600", 800, 600, 96}};

void walk_through(const Size& size) {
  INFO(size.name);
  RunningPlayer player({PCHR_ASSETS_DIR "/kiri.pchr", PCHR_ASSETS_DIR "/corners.pchr", PCHR_ASSETS_DIR "/hotaru.px"},
                       size.width, size.height, size.dots_per_inch);
  player.desktop.resize(player.window, size.width, size.height);
  REQUIRE(player.state_becomes("file", "kiri.pchr"));
  player.desktop.key("space");
  const auto keep = [&](const std::string& step) {
    REQUIRE(player.comes_to_rest());
    player.desktop.keep_screenshot(std::string(size.name) + "-" + step + ".png");
  };
  const auto is_drawn = [&](const std::string& widget) {
    const Rect area = player.where(widget);
    CHECK(area.min.x >= 0.0F);
    CHECK(area.min.y >= 0.0F);
    CHECK(area.max.x <= static_cast<float>(size.width));
    CHECK(area.max.y <= static_cast<float>(size.height));
    return eventually([&] { return color_count(player.capture(), area) > 8; });
  };
  for (const std::string panel : {"cast", "clips", "view", "info", "transport"}) CHECK(is_drawn("panel " + panel));
  keep("start");

  for (const std::string tab : {"Parts", "Atlas", "Problems", "Info"}) {
    player.click(tab);
    CHECK(is_drawn("panel info"));
    keep("tab-" + tab);
  }

  player.click("menu Overlays");
  player.click("item skeleton");
  player.click("menu Overlays");
  CHECK(is_drawn("item skeleton"));
  keep("menu");
  player.desktop.key("Escape");

  player.click("clip 2");
  CHECK(player.state_becomes("playing", "yes"));
  player.desktop.key("space");
  player.desktop.key("Home");
  const Rect track = player.where("track");
  player.desktop.hold_key("Shift_L");
  player.desktop.drag(track.min + track.size() * Vec2{0.25F, 0.3F}, track.min + track.size() * Vec2{0.6F, 0.3F});
  player.desktop.release(1);
  player.desktop.release_key("Shift_L");
  CHECK(is_drawn("range"));
  keep("timeline");

  player.desktop.key("e", "Control_L");
  CHECK(is_drawn("export start"));
  keep("export");
  player.desktop.key("Escape");

  player.desktop.key("F1");
  keep("help");
  player.desktop.key("Escape");

  player.desktop.hold_key("Control_L");
  player.click("cast 1");
  player.desktop.release_key("Control_L");
  CHECK(eventually([&] { return !player.state("lineup").empty(); }));
  player.desktop.key("f");
  keep("lineup");

  player.desktop.key("Tab");
  for (const std::string handle : {"left handle", "right handle", "bottom handle", "menu File"}) {
    CHECK(player.find(handle));
  }
  keep("hidden");
}

}  // namespace

TEST_CASE("a day's work fits a window of 1280 x 800", "[window][sizes][long]") { walk_through(kSizes[0]); }

TEST_CASE("a day's work fits a window of 1920 x 1080 at twice the scale", "[window][sizes][long]") {
  walk_through(kSizes[1]);
}

TEST_CASE("a day's work fits a window of 800 x 600", "[window][sizes][long]") { walk_through(kSizes[2]); }

}  // namespace pchr::test::sizes_test
