// SPDX-License-Identifier: MIT
// Layers, palette and tags of a pixel artwork.
#include "running_player.hpp"
#include "squares.hpp"

namespace pchr::test::layers_test {
namespace {

PxColor color_at(const Screenshot& screenshot, Vec2 at) {
  const auto pixel = static_cast<std::size_t>(static_cast<int>(at.y) * screenshot.width + static_cast<int>(at.x)) * 3;
  return {screenshot.rgb[pixel], screenshot.rgb[pixel + 1], screenshot.rgb[pixel + 2], 255};
}

}  // namespace

TEST_CASE("hiding and showing a layer keeps the time", "[window][layers][long]") {
  RunningPlayer player({path_text(write_squares(output("window/layers/x").parent_path()))});
  REQUIRE(player.shows_title("breathe"));
  const Vec2 middle = kCanvas.center() + Vec2{3, 3};
  const auto shows = [&](PxColor color) {
    return eventually([&] { return color_at(player.capture(), middle) == color; });
  };
  player.pause_at_start();
  player.desktop.key("Right");
  player.desktop.key("v");
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  REQUIRE(player.comes_to_rest());
  CHECK(shows(kGreen));
  const Screenshot both = player.capture();
  player.desktop.keep_screenshot("layers.png");
  const Vec2 front = kLayout.info.min + Vec2{26, 86};  // Checkbox of the upper layer.
  player.desktop.click(front);
  CHECK(shows(kBlue));
  player.desktop.click(front + Vec2{0, 21});
  CHECK(eventually([&] {
    const PxColor color = color_at(player.capture(), middle);
    return color != kBlue && color != kGreen;
  }));
  player.desktop.keep_screenshot("layers-hidden.png");
  player.desktop.click(kLayout.info.min + Vec2{60, 54});  // As saved.
  CHECK(shows(kGreen));
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  CHECK(player.becomes(both, {{0, 0}, {kWidth, kHeight}}));
}

TEST_CASE("the timeline shows tags, each at its frames", "[window][layers][long]") {
  RunningPlayer player({path_text(write_squares(output("window/layers/x").parent_path()))});
  REQUIRE(player.shows_title("breathe"));
  player.pause_at_start();
  const Screenshot one = player.capture();
  player.desktop.key("3");
  REQUIRE(player.shows_title("all"));
  CHECK(player.changes_from(one, kLayout.transport));
  player.desktop.keep_screenshot("tags.png");
}

}  // namespace pchr::test::layers_test
