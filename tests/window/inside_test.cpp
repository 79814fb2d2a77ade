// SPDX-License-Identifier: MIT
// The Parts tab: selecting, hiding, overlays.
#include "running_player.hpp"
#include "support/catch.hpp"

#include <array>

namespace pchr::test::inside_test {
namespace {

using Color = std::array<std::uint8_t, 3>;
constexpr Color kRed{255, 0, 0};
constexpr Color kGreen{0, 255, 0};
const Vec2 kOverlap = kCanvas.center() + Vec2{40, 40};
const Vec2 kLowAlone = kCanvas.center() + Vec2{220, 220};

Color color_at(const Screenshot& screenshot, Vec2 at) {
  const auto pixel = static_cast<std::size_t>(static_cast<int>(at.y) * screenshot.width + static_cast<int>(at.x)) * 3;
  return {screenshot.rgb[pixel], screenshot.rgb[pixel + 1], screenshot.rgb[pixel + 2]};
}

/// A red quad, "low", with a smaller green one, "high", over its center.
fs::path two_quads() {
  CharacterData data = sliding_quad();
  data.clips = {resting_clip("still", 2, data.bones.size())};
  data.images[0] = plain_image(4, 4, {255, 0, 0, 255}, "red");
  data.images.push_back(plain_image(4, 4, {0, 255, 0, 255}, "green"));
  data.meshes[0].name = "low";
  add_quad(data, "high", 1, {{-4, -4}, {4, 4}}, 0);
  const fs::path path = output("window/quads.pchr");
  write_file(path, write_v1(data));
  return path;
}

}  // namespace

TEST_CASE("a click selects the mesh at the pixel, a second one the mesh below, and H hides it", "[window][inside]") {
  RunningPlayer player({path_text(two_quads())});
  const Screenshot plain = player.pause_at_start();
  REQUIRE(color_at(plain, kOverlap) == kGreen);
  REQUIRE(color_at(plain, kLowAlone) == kRed);
  const auto shows = [&](Vec2 at, bool same, const Color& color) {
    return eventually([&] { return (color_at(player.capture(), at) == color) == same; });
  };
  // When soloed, a mesh is identified by its color.
  player.desktop.click(kOverlap);
  REQUIRE(player.changes_from(plain));
  player.desktop.key("s");
  CHECK(shows(kLowAlone, false, kRed));
  CHECK(color_at(player.capture(), kOverlap) == kGreen);
  player.desktop.key("s");
  REQUIRE(shows(kLowAlone, true, kRed));

  const Screenshot high = player.capture();
  player.desktop.click(kOverlap);
  REQUIRE(player.changes_from(high));  // Its outline.
  player.desktop.key("s");
  CHECK(shows(kOverlap, true, kRed));
  CHECK(color_at(player.capture(), kLowAlone) == kRed);
  player.desktop.key("s");
  REQUIRE(shows(kOverlap, true, kGreen));

  player.desktop.key("h");
  CHECK(shows(kLowAlone, false, kRed));
  CHECK(color_at(player.capture(), kOverlap) == kGreen);
}

TEST_CASE("keys step through bones, and hide or solo a subtree", "[window][inside]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("v");
  for (int i = 0; i < 6; ++i) player.desktop.key("Down", "Control_L");
  REQUIRE(player.comes_to_rest());
  const Screenshot selected = player.capture();
  player.desktop.keep_screenshot("bone.png");
  player.desktop.key("h");
  CHECK(player.changes_from(selected));
  REQUIRE(player.comes_to_rest());
  const Screenshot without = player.capture();
  player.desktop.keep_screenshot("subtree-hidden.png");
  player.desktop.key("h");
  CHECK(player.becomes(selected));
  player.desktop.key("s", "Shift_L");
  CHECK(player.changes_from(selected));
  CHECK(player.changes_from(without));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("subtree-solo.png");
  player.desktop.key("s", "Shift_L");
  CHECK(player.becomes(selected));
}

TEST_CASE("wireframe and bounds stay on the canvas, bones collapse, and parts are found by name", "[window][inside]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  {
    INFO("wireframe and bounds are drawn only on the canvas");
    const Screenshot plain = player.capture();
    for (const char* key : {"w", "e"}) {
      CAPTURE(key);
      const Screenshot drawn = player.screenshot_after_key(key);
      CHECK(difference(drawn, plain, kLayout.transport) == 0);
      CHECK(difference(drawn, plain, kLayout.clips) == 0);
      player.desktop.key(key);
      CHECK(player.becomes(plain));
    }
  }
  {
    INFO("a bone is collapsed, and a part is found by name");
    player.desktop.key("v");
    player.click("fold view");  // So that the lists need not scroll.
    player.desktop.move(kCanvas.center());
    const Rect lists = player.where("panel info");
    player.desktop.key("Down", "Control_L");
    REQUIRE(player.comes_to_rest());
    const Screenshot unfolded = player.capture();
    player.desktop.key("Left", "Control_L");
    CHECK(player.changes_from(unfolded, lists));
    player.desktop.key("Right", "Control_L");
    CHECK(player.becomes(unfolded, lists));
    player.desktop.hold_key("Shift_L");
    player.desktop.key("f", "Control_L");
    player.desktop.release_key("Shift_L");
    REQUIRE(player.changes_from(unfolded, lists));
    for (const std::string key : {"b", "a", "d"}) player.desktop.key(key);
    REQUIRE(player.changes_from(unfolded, lists));
    player.desktop.keep_screenshot("part-filter.png");
    player.desktop.key("Escape");
    CHECK(player.becomes(unfolded, lists));
  }
}

TEST_CASE("H hides the selected part, and Shift+H shows it again", "[window][inside]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  const Screenshot plain = player.pause_at_start();
  const Vec2 chest = kCanvas.center() + Vec2{0, 60};
  player.desktop.click(chest);
  CHECK(player.changes_from(plain));
  CHECK(player.changes_from(plain, kLayout.info));
  REQUIRE(player.comes_to_rest());
  const Screenshot selected = player.capture();
  player.desktop.keep_screenshot("inside.png");
  player.desktop.key("h");
  CHECK(player.changes_from(selected));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("hidden.png");
  player.desktop.key("h", "Shift_L");
  CHECK(player.becomes(selected));
  player.desktop.key("s");
  CHECK(player.changes_from(selected));
  player.desktop.key("s");
  CHECK(player.becomes(selected));
  player.desktop.key("Escape");
  CHECK(player.becomes(plain));
  const Screenshot inside = player.capture();
  player.desktop.key("v");
  CHECK(player.changes_from(inside, kLayout.info));
}

}  // namespace pchr::test::inside_test
