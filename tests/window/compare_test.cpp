// SPDX-License-Identifier: MIT
// Two clips or two files on one canvas.
#include "drag_and_drop.hpp"
#include "running_player.hpp"

#include <algorithm>

namespace pchr::test::compare_test {
namespace {

/// Number of edge pixels whose samples can fall on either side.
constexpr std::size_t kEdges = 150;
/// Excludes the controls above, the labels below and the divider's surroundings.
const Rect kOpen{kCanvas.min + Vec2{2, 60}, kCanvas.max - Vec2{2, 60}};

Rect part(float from, float to) {
  const float width = kCanvas.size().x;
  return {{kCanvas.min.x + width * from + 16, kOpen.min.y}, {kCanvas.min.x + width * to - 16, kOpen.max.y}};
}

/// The arm in blue, with the same clips.
fs::path blue_arm() {
  CharacterData data = two_bone_arm();
  for (Image& image : data.images) image = plain_image(image.width, image.height, {60, 90, 220, 255}, image.name);
  const fs::path path = output("window/blue.pchr");
  write_file(path, write_v1(data));
  return path;
}

/// Sets a plain background and a camera that does not follow the clip.
void settle(RunningPlayer& player) {
  static_cast<void>(player.pause_at_start());
  static_cast<void>(player.screenshot_after_key("g"));
  const Screenshot before = player.capture();
  player.desktop.move(kCanvas.center());
  for (int notch = 0; notch < 2; ++notch) player.desktop.wheel(false);
  REQUIRE(player.changes_from(before));
  REQUIRE(player.comes_to_rest());
}

/// Returns `screenshot` moved to the right by `pixels`.
Screenshot moved(const Screenshot& screenshot, int pixels) {
  Screenshot result = screenshot;
  for (int y = 0; y < screenshot.height; ++y) {
    for (int x = 0; x < screenshot.width; ++x) {
      const int from = std::clamp(x - pixels, 0, screenshot.width - 1);
      for (int i = 0; i < 3; ++i) {
        const auto at = [&](int column) { return static_cast<std::size_t>((y * screenshot.width + column) * 3 + i); };
        result.rgb[at(x)] = screenshot.rgb[at(from)];
      }
    }
  }
  return result;
}

bool matches(const RunningPlayer& player, const Screenshot& expected, const Rect& area) {
  return eventually([&] { return difference(player.capture(), expected, area) < kEdges; });
}

}  // namespace

TEST_CASE("a wipe shows the first clip left of its divider and the second right of it", "[window][compare][long]") {
  RunningPlayer player({path_text(arm_file())});
  settle(player);
  const Screenshot bend = player.screenshot_after_key("End");
  player.desktop.key("1");
  REQUIRE(player.shows_title("bind"));
  REQUIRE(player.comes_to_rest());
  const Screenshot bind = player.capture();
  REQUIRE(difference(bend, bind, part(0, 0.5F)) > kEdges * 2);
  REQUIRE(difference(bend, bind, part(0.5F, 1)) > kEdges * 2);
  player.desktop.key("2");
  REQUIRE(player.shows_title("bend"));
  player.desktop.key("End");
  REQUIRE(player.becomes(bend));

  player.desktop.key("c");
  player.desktop.key("c");
  REQUIRE(matches(player, bend, part(0, 0.5F)));
  CHECK(matches(player, bind, part(0.5F, 1)));
  player.desktop.move(kLayout.clips.center());
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("wipe.png");

  const Vec2 divider{kCanvas.center().x, kCanvas.min.y + 300};
  player.desktop.drag(divider, divider - Vec2{kCanvas.size().x * 0.25F, 0});
  player.desktop.release(1);
  player.desktop.move(kLayout.clips.center());
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("wipe-dragged.png");
  CHECK(matches(player, bend, part(0, 0.25F)));
  CHECK(matches(player, bind, part(0.25F, 1)));

  player.desktop.key("c", "Shift_L");
  CHECK(player.shows_title("bind"));
  CHECK(matches(player, bind, part(0, 0.25F)));
  for (int i = 0; i < 5; ++i) player.desktop.key("Right", "Control_L");
  CHECK(matches(player, bind, part(0, 0.5F)));
  for (int i = 0; i < 2; ++i) player.desktop.key("c");  // The difference view, and nothing to compare with.
  CHECK(matches(player, bind, kOpen));
}

TEST_CASE("side by side, both clips are centered in their halves and share a clock", "[window][compare][long]") {
  RunningPlayer player({path_text(arm_file())});
  settle(player);
  player.desktop.key("c");
  REQUIRE(player.comes_to_rest());
  for (int i = 0; i < 3; ++i) player.desktop.key("c");
  REQUIRE(player.comes_to_rest());
  const int quarter = static_cast<int>(kCanvas.size().x) / 4;
  std::vector<Screenshot> frames;
  for (const char* key : {"Home", "End"}) {
    player.desktop.key(key);
    REQUIRE(player.comes_to_rest());
    frames.push_back(player.capture());
  }
  REQUIRE(difference(frames[0], frames[1], kOpen) > 1000);

  player.desktop.key("c");
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), blue_arm()));
  const auto blue = [&] {
    const Screenshot screenshot = player.capture();
    std::size_t pixels = 0;
    for (std::size_t i = 0; i < screenshot.rgb.size(); i += 3)
      pixels += screenshot.rgb[i + 2] > 200 && screenshot.rgb[i] < 80;
    return pixels;
  };
  REQUIRE(eventually([&] { return blue() > 1000; }));
  CHECK(player.title().find("arm.pchr") != std::string::npos);
  CHECK(matches(player, moved(frames[1], -quarter), part(0, 0.5F)));
  player.desktop.move(kLayout.clips.center());
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("side-by-side.png");

  // Scrubbing moves both halves.
  const Screenshot last = player.capture();
  player.desktop.click(timeline_frame(0));
  REQUIRE(player.changes_from(last, part(0, 0.5F)));
  CHECK(player.changes_from(last, part(0.5F, 1)));
  CHECK(matches(player, moved(frames[0], -quarter), part(0, 0.5F)));

  // The wheel zooms both sides, regardless of the one under the mouse.
  player.desktop.key("f");
  REQUIRE(player.comes_to_rest());
  const Screenshot fitted = player.capture();
  player.desktop.move({kCanvas.max.x - static_cast<float>(quarter), kCanvas.center().y});
  player.desktop.wheel(true);
  REQUIRE(player.changes_from(fitted));
  player.desktop.key("f");
  CHECK(player.becomes(fitted));
}

TEST_CASE("the comparison bar scales on a high-DPI screen", "[window][compare][long]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))}, kWidth * 2, kHeight * 2, 192);
  static_cast<void>(player.pause_at_start());
  const Screenshot alone = player.capture();
  player.desktop.key("c");
  REQUIRE(player.changes_from(alone));
  player.desktop.key("b");
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("compare-double.png");
  CHECK(player.process.running());
}

}  // namespace pchr::test::compare_test
