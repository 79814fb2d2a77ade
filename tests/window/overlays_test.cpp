// SPDX-License-Identifier: MIT
// Overlays: each one changes the canvas where it should and nowhere else, and can be undone.
#include "running_player.hpp"
#include "support/catch.hpp"

#include <pchr/image.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pchr::test::overlays_test {
namespace {

/// Kiri's chest, and the canvas's upper corner, where only the grid draws.
const Vec2 kChest = kCanvas.center() + Vec2{0, 60};
const Vec2 kFarHand = kCanvas.center() + Vec2{132, 105};
const Rect kUpperCorner{{kCanvas.max.x - 90, kCanvas.min.y}, {kCanvas.max.x, kCanvas.min.y + 70}};
const Rect kLegend{{kCanvas.min.x, kCanvas.max.y - 50}, {kCanvas.min.x + 300, kCanvas.max.y}};
const Rect kMiddle{kCanvas.center() - Vec2{150, 200}, kCanvas.center() + Vec2{150, 200}};

Rect around(Vec2 center, float reach = 12) { return {center - Vec2{reach}, center + Vec2{reach}}; }

/// Returns whether two screenshots are bitwise identical in `area`.
bool identical(const Screenshot& a, const Screenshot& b, const Rect& area) {
  for (auto y = static_cast<std::size_t>(area.min.y); y < static_cast<std::size_t>(area.max.y); ++y) {
    const auto row = [&](const Screenshot& screenshot) {
      return screenshot.rgb.begin() +
             static_cast<std::ptrdiff_t>(
                 (y * static_cast<std::size_t>(screenshot.width) + static_cast<std::size_t>(area.min.x)) * 3);
    };
    if (!std::equal(row(a), row(a) + static_cast<std::ptrdiff_t>(area.size().x) * 3, row(b))) return false;
  }
  return true;
}

/// Shows Kiri in the middle of a walk, paused. Opens the Parts tab, because the values in the Info tab change with
/// every frame.
Screenshot walking(RunningPlayer& player, std::optional<Vec2> click = {}) {
  player.pause_at_start();
  player.desktop.key("v");
  player.desktop.key("3");
  player.desktop.key("Home");
  for (int i = 0; i < 6; ++i) player.desktop.key("Right");
  if (click) player.desktop.click(*click);
  REQUIRE(player.comes_to_rest());
  return player.capture();
}

/// Toggles an overlay twice and returns its screenshot. Checks that it only affects the canvas and the View panel.
Screenshot toggled(RunningPlayer& player, const Screenshot& plain, const char* key, const char* held,
                   const char* file) {
  CAPTURE(key);
  player.desktop.key(key, held);
  REQUIRE(player.changes_from(plain));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot(file);
  Screenshot shown = player.capture();
  CHECK(difference(shown, plain, kLayout.view) > 0);
  for (const Rect& panel : {kLayout.transport, kLayout.clips, kLayout.info}) CHECK(identical(shown, plain, panel));
  player.desktop.key(key, held);
  CHECK(eventually([&] { return identical(player.capture(), plain, {{0, 0}, {kWidth, kHeight}}); }));
  return shown;
}

}  // namespace

TEST_CASE("the selected bone's weights and trail are drawn over the character", "[window][overlays]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  const Screenshot plain = walking(player, kFarHand);
  const Screenshot weights = toggled(player, plain, "k", "", "weights.png");
  CHECK(difference(weights, plain, around(kFarHand)) > 200);
  CHECK(identical(weights, plain, around(kChest)));
  CHECK(difference(weights, plain, kLegend) > 0);
  CHECK(identical(weights, plain, kUpperCorner));
  const Screenshot trail = toggled(player, plain, "j", "", "trail.png");
  CHECK(difference(trail, plain, around(kFarHand, 30)) > 50);
  CHECK(identical(trail, plain, kUpperCorner));
  const Screenshot names = toggled(player, plain, "b", "Shift_L", "names-chain.png");
  CHECK(difference(names, plain, kMiddle) > 100);
  CHECK(identical(names, plain, kUpperCorner));
}

TEST_CASE("overlays without a selection change the canvas and back, and the grid follows the zoom",
          "[window][overlays][long]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  const Screenshot plain = walking(player);
  {
    INFO("without a bone, weights and trail ask for one");
    for (const char* key : {"k", "j"}) {
      const Screenshot shown = toggled(player, plain, key, "", "no-bone.png");
      CHECK(difference(shown, plain, kLegend) > 0);
      CHECK(identical(shown, plain, kMiddle));
    }
  }
  {
    INFO("draw order, names, overdraw and onion skin need no selection");
    const Screenshot numbers = toggled(player, plain, "d", "", "draw-order.png");
    CHECK(difference(numbers, plain, kMiddle) > 500);
    CHECK(identical(numbers, plain, kUpperCorner));
    const Screenshot names = toggled(player, plain, "b", "Shift_L", "names.png");
    CHECK(difference(names, plain, kMiddle) > 500);
    CHECK(identical(names, plain, kUpperCorner));
    const Screenshot overdraw = toggled(player, plain, "y", "", "overdraw.png");
    CHECK(difference(overdraw, plain, kMiddle) > 5000);
    CHECK(difference(overdraw, plain, kLegend) > 0);
    CHECK(identical(overdraw, plain, kUpperCorner));
    const Screenshot onion = toggled(player, plain, "u", "", "onion.png");
    CHECK(difference(onion, plain, kMiddle) > 500);
    CHECK(identical(onion, plain, kUpperCorner));
  }
  {
    INFO("the grid is below the character and follows the zoom");
    const Screenshot grid = toggled(player, plain, "z", "", "grid.png");
    CHECK(difference(grid, plain, kUpperCorner) > 0);
    CHECK(difference(grid, plain, kLegend) > 0);
    CHECK(identical(grid, plain, around(kChest)));
    player.desktop.key("z");
    for (int notch = 0; notch < 8; ++notch) {
      player.desktop.wheel(true);
    }
    REQUIRE(player.comes_to_rest());
    CHECK(difference(player.capture(), grid, kLegend) > 0);
    player.desktop.keep_screenshot("grid-near.png");
  }
}

TEST_CASE("overlays are remembered", "[window][overlays]") {
  const std::string configuration = fresh_configuration();
  Screenshot shown;
  {
    RunningPlayer player({path_text(arm_file())}, kWidth, kHeight, 96, configuration);
    const Screenshot plain = player.pause_at_start();
    for (const char* key : {"z", "u", "d", "y"}) player.desktop.key(key);
    REQUIRE(player.changes_from(plain));
    REQUIRE(player.comes_to_rest());
    shown = player.capture();
    player.desktop.key("q");
    REQUIRE(eventually([&] { return !player.process.running(); }));
  }
  RunningPlayer again({path_text(arm_file())}, kWidth, kHeight, 96, configuration);
  again.pause_at_start();
  CHECK(again.becomes(shown));
}

TEST_CASE("docs/player.png is up to date", "[window][docs]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  static_cast<void>(walking(player, kFarHand));
  for (const char* key : {"b", "u", "j"}) player.desktop.key(key);
  player.desktop.move({kCanvas.min.x + 20, kCanvas.min.y + 20});
  REQUIRE(player.comes_to_rest());
  CHECK(player.is_documented("player.png"));
}

}  // namespace pchr::test::overlays_test
