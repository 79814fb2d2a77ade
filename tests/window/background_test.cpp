// SPDX-License-Identifier: MIT
// The background of the canvas.
#include "drag_and_drop.hpp"
#include "running_player.hpp"
#include "support/png.hpp"

namespace pchr::test::background_test {
namespace {

/// A red and a green column. The lower half of the green one is transparent.
fs::path flag(const std::string& name = "flag.png") {
  const std::vector<std::uint8_t> rgba{200, 30, 30, 255, 30, 160, 30, 255, 200, 30, 30, 255, 0, 0, 0, 0};
  const fs::path path = output("window/" + name);
  write_file(path, png_of(2, 2, rgba));
  return path;
}

struct Color {
  int red = 0, green = 0, blue = 0;
  bool operator==(const Color&) const = default;
};

Color color_at(const Screenshot& screenshot, Vec2 at) {
  const std::size_t pixel =
      (static_cast<std::size_t>(at.y) * static_cast<std::size_t>(screenshot.width) + static_cast<std::size_t>(at.x)) *
      3;
  return {screenshot.rgb[pixel], screenshot.rgb[pixel + 1], screenshot.rgb[pixel + 2]};
}

constexpr Color kRed{200, 30, 30};
constexpr Color kGreen{30, 160, 30};
const Vec2 kUpperLeft = kCanvas.min + Vec2{20, 20};
const Vec2 kUpperRight{kCanvas.max.x - 20, kCanvas.min.y + 20};

}  // namespace

TEST_CASE("a dropped image becomes the background, G cycles backgrounds, Shift+G tiles it", "[window][background]") {
  RunningPlayer player({path_text(arm_file())});
  const Screenshot checker = player.pause_at_start();
  static_cast<void>(player.screenshot_after_key("g"));
  const Screenshot plain = player.capture();
  player.desktop.key("g");
  REQUIRE(player.becomes(checker));

  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), flag()));
  REQUIRE(eventually([&] { return color_at(player.capture(), kUpperLeft) == kRed; }));
  REQUIRE(player.comes_to_rest());
  const Screenshot image = player.capture();
  player.desktop.keep_screenshot("background-image.png");
  CHECK(player.title().find("arm.pchr") != std::string::npos);
  CHECK(color_at(image, kUpperRight) == kGreen);
  // The plain color shows through the transparent part.
  const Vec2 hole = kCanvas.max - Vec2{20, 20};
  CHECK(color_at(image, hole) == color_at(plain, hole));

  player.desktop.key("g");
  CHECK(player.becomes(checker));
  player.desktop.key("g");
  CHECK(player.becomes(plain));
  player.desktop.key("g");
  CHECK(player.becomes(image));
  player.desktop.key("g", "Shift_L");
  CHECK(player.changes_from(image));
  REQUIRE(player.comes_to_rest());
  // Tiles of two pixels: the upper right has as much red as the upper left.
  CHECK(color_count(player.capture(), {kUpperRight, kUpperRight + Vec2{8, 8}}) > 2);
}

TEST_CASE("the background image is remembered, and a missing one gives way to the checker", "[window][background]") {
  const std::string configuration = fresh_configuration();
  const fs::path image = flag("gone.png");
  {
    RunningPlayer player({path_text(arm_file())}, kWidth, kHeight, 96, configuration);
    static_cast<void>(player.pause_at_start());
    REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), image));
    REQUIRE(eventually([&] { return color_at(player.capture(), kUpperLeft) == kRed; }));
    player.desktop.key("q");
    REQUIRE(player.process.wait().value_or(-1) == 0);
  }
  {
    RunningPlayer player({path_text(arm_file())}, kWidth, kHeight, 96, configuration);
    CHECK(eventually([&] { return color_at(player.capture(), kUpperLeft) == kRed; }));
  }
  fs::remove(image);
  RunningPlayer player({path_text(arm_file())}, kWidth, kHeight, 96, configuration);
  const Screenshot without = player.pause_at_start();
  CHECK(color_at(without, kUpperLeft) != kRed);
  CHECK(color_count(without, {kUpperLeft, kUpperLeft + Vec2{40, 40}}) == 2);
}

TEST_CASE("a broken background image shows an error and changes nothing", "[window][background]") {
  RunningPlayer player({path_text(arm_file())});
  const Screenshot checker = player.pause_at_start();
  const fs::path broken = output("window/broken.png");
  write_file(broken, Bytes(100));
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), broken));
  REQUIRE(player.changes_from(checker));
  player.desktop.key("Escape");
  CHECK(player.becomes(checker));
}

}  // namespace pchr::test::background_test
