// SPDX-License-Identifier: MIT
// Picking bones on the canvas.
#include "running_player.hpp"

namespace pchr::test::bones_test {
namespace {

/// Returns where a world point is in the window. The arm's mesh reaches from (-10, 0) to (10, 80).
Vec2 place_of(const RunningPlayer& player, Vec2 world) {
  Camera camera{.viewport = kCanvas.size()};
  REQUIRE(std::sscanf(player.state("center").c_str(), "%f %f", &camera.center.x, &camera.center.y) == 2);
  camera.zoom = std::stof(player.state("zoom"));
  return kCanvas.min + apply(world_to_viewport(camera), world);
}

}  // namespace

TEST_CASE("with the skeleton shown, a click selects the bone of a joint before the mesh", "[window][bones]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  const Vec2 elbow = place_of(player, {0, 40}) + Vec2{4, -5};
  player.desktop.click(elbow);
  CHECK(player.state_becomes("selected", "mesh strip, bone lower"));
  player.desktop.click(place_of(player, {25, 70}));
  CHECK(player.state_becomes("selected", ""));

  player.desktop.key("b");
  player.desktop.move(elbow);
  CHECK(player.comes_to_rest());
  const Screenshot hovered = player.capture();
  player.desktop.keep_screenshot("bones-hovered.png");
  player.desktop.move(place_of(player, {25, 70}));
  CHECK(player.changes_from(hovered));
  player.desktop.click(elbow);
  CHECK(player.state_becomes("selected", "bone lower"));
  player.desktop.keep_screenshot("bones-selected.png");
  player.desktop.click(elbow);
  CHECK(player.state_becomes("selected", "mesh strip, bone lower"));
  player.desktop.click(elbow);
  CHECK(player.state_becomes("selected", "bone lower"));
  // The line from its parent's joint belongs to the bone, too.
  player.desktop.click(place_of(player, {0, 32}));
  CHECK(player.state_becomes("selected", "bone lower"));
  player.desktop.click(place_of(player, {8, 75}));
  CHECK(player.state_becomes("selected", "mesh strip, bone lower"));
}

}  // namespace pchr::test::bones_test
