// SPDX-License-Identifier: MIT
// Overlays: each changes the picture where it should, nowhere else, and leaves it as it was.
#include "running_player.hpp"
#include "support/catch.hpp"

#include <pchr/image.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pchr::test {
namespace {

/// Kiri's chest and the canvas's upper corner, where no overlay but the grid draws.
const Vec2 kChest = kCanvas.center() + Vec2{0, 60};
const Vec2 kFarHand = kCanvas.center() + Vec2{132, 105};
const Rect kUpperCorner{{kCanvas.max.x - 90, kCanvas.min.y}, {kCanvas.max.x, kCanvas.min.y + 70}};
const Rect kLegend{{kCanvas.min.x, kCanvas.max.y - 50}, {kCanvas.min.x + 300, kCanvas.max.y}};
const Rect kMiddle{kCanvas.center() - Vec2{150, 200}, kCanvas.center() + Vec2{150, 200}};

Rect around(Vec2 center, float reach = 12) { return {center - Vec2{reach}, center + Vec2{reach}}; }

/// Whether two pictures are the same bit for bit within `area`.
bool identical(const Picture& a, const Picture& b, const Rect& area) {
  for (auto y = static_cast<std::size_t>(area.min.y); y < static_cast<std::size_t>(area.max.y); ++y) {
    const auto row = [&](const Picture& picture) {
      return picture.rgb.begin() +
             static_cast<std::ptrdiff_t>(
                 (y * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(area.min.x)) * 3);
    };
    if (!std::equal(row(a), row(a) + static_cast<std::ptrdiff_t>(area.size().x) * 3, row(b))) return false;
  }
  return true;
}

/// Kiri in the middle of a walk, at rest. The lower right panel looks inside: facts change with every picture.
Picture walking(RunningPlayer& player, std::optional<Vec2> click = {}) {
  player.pause_at_start();
  player.desktop.key("v");
  player.desktop.key("3");
  for (int i = 0; i < 6; ++i) player.desktop.key("Right");
  if (click) player.desktop.click(*click);
  REQUIRE(player.comes_to_rest());
  return player.capture();
}

/// Presses a key and again: what it shows, after checking that only the canvas and the View panel show it.
Picture toggled(RunningPlayer& player, const Picture& plain, const char* key, const char* held, const char* file) {
  CAPTURE(key);
  player.desktop.key(key, held);
  REQUIRE(player.changes_from(plain));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_picture(file);
  Picture shown = player.capture();
  CHECK(difference(shown, plain, kLayout.view) > 0);
  for (const Rect& panel : {kLayout.transport, kLayout.clips, kLayout.info}) CHECK(identical(shown, plain, panel));
  player.desktop.key(key, held);
  CHECK(eventually([&] { return identical(player.capture(), plain, {{0, 0}, {kWidth, kHeight}}); }));
  return shown;
}

}  // namespace

TEST_CASE("weights and the trail of the selected bone are drawn over the character", "[window][overlays]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  const Picture plain = walking(player, kFarHand);
  const Picture weights = toggled(player, plain, "k", "", "weights.png");
  CHECK(difference(weights, plain, around(kFarHand)) > 200);
  CHECK(identical(weights, plain, around(kChest)));
  CHECK(difference(weights, plain, kLegend) > 0);
  CHECK(identical(weights, plain, kUpperCorner));
  const Picture trail = toggled(player, plain, "j", "", "trail.png");
  CHECK(difference(trail, plain, around(kFarHand, 30)) > 50);
  CHECK(identical(trail, plain, kUpperCorner));
  const Picture names = toggled(player, plain, "b", "Shift_L", "names-chain.png");
  CHECK(difference(names, plain, kMiddle) > 100);
  CHECK(identical(names, plain, kUpperCorner));
}

TEST_CASE("without a bone, weights and trail say what they need", "[window][overlays]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  const Picture plain = walking(player);
  for (const char* key : {"k", "j"}) {
    const Picture shown = toggled(player, plain, key, "", "no-bone.png");
    CHECK(difference(shown, plain, kLegend) > 0);
    CHECK(identical(shown, plain, kMiddle));
  }
}

TEST_CASE("order numbers, names, overdraw and the onion skin show without a selection", "[window][overlays]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  const Picture plain = walking(player);
  const Picture numbers = toggled(player, plain, "d", "", "draw-order.png");
  CHECK(difference(numbers, plain, kMiddle) > 500);
  CHECK(identical(numbers, plain, kUpperCorner));
  const Picture names = toggled(player, plain, "b", "Shift_L", "names.png");
  CHECK(difference(names, plain, kMiddle) > 500);
  CHECK(identical(names, plain, kUpperCorner));
  const Picture overdraw = toggled(player, plain, "y", "", "overdraw.png");
  CHECK(difference(overdraw, plain, kMiddle) > 5000);
  CHECK(difference(overdraw, plain, kLegend) > 0);
  CHECK(identical(overdraw, plain, kUpperCorner));
  const Picture onion = toggled(player, plain, "u", "", "onion.png");
  CHECK(difference(onion, plain, kMiddle) > 500);
  CHECK(identical(onion, plain, kUpperCorner));
}

TEST_CASE("the grid is below the character and follows the zoom", "[window][overlays]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  const Picture plain = walking(player);
  const Picture grid = toggled(player, plain, "z", "", "grid.png");
  CHECK(difference(grid, plain, kUpperCorner) > 0);
  CHECK(difference(grid, plain, kLegend) > 0);
  CHECK(identical(grid, plain, around(kChest)));
  player.desktop.key("z");
  for (int notch = 0; notch < 8; ++notch) {
    player.desktop.wheel(true);
  }
  REQUIRE(player.comes_to_rest());
  CHECK(difference(player.capture(), grid, kLegend) > 0);
  player.desktop.keep_picture("grid-near.png");
}

TEST_CASE("overlays come back with the next player", "[window][overlays]") {
  const std::string configuration = fresh_configuration();
  Picture shown;
  {
    RunningPlayer player({path_text(arm_file())}, kWidth, kHeight, 96, configuration);
    const Picture plain = player.pause_at_start();
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

TEST_CASE("the README shows the player as it is", "[window][readme]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  static_cast<void>(walking(player, kFarHand));
  for (const char* key : {"b", "u", "j"}) player.desktop.key(key);
  player.desktop.move({kCanvas.min.x + 20, kCanvas.min.y + 20});
  REQUIRE(player.comes_to_rest());
  CHECK(player.is_documented("player.png"));
}

}  // namespace pchr::test
