// SPDX-License-Identifier: MIT
// The Atlas tab, which shows the character's images with the meshes on them.
#include "drag_and_drop.hpp"
#include "running_player.hpp"

#include <array>

namespace pchr::test::atlas_test {
namespace {

using Color = std::array<std::uint8_t, 3>;
constexpr Color kRed{255, 0, 0};
constexpr Color kGreen{0, 255, 0};
/// The image in the tab: below the titles and the image's name, above the numbers.
const Rect kImage{kLayout.info.min + Vec2{14, 74}, kLayout.info.max - Vec2{14, 80}};
const Vec2 kImageLeft = kImage.center() + Vec2{-62, 10};
const Vec2 kImageRight = kImage.center() + Vec2{20, 10};
const Vec2 kCanvasLeft = kCanvas.center() - Vec2{150, 0};
const Vec2 kCanvasRight = kCanvas.center() + Vec2{150, 0};

Color color_at(const Screenshot& screenshot, Vec2 at) {
  const auto pixel = static_cast<std::size_t>(static_cast<int>(at.y) * screenshot.width + static_cast<int>(at.x)) * 3;
  return {screenshot.rgb[pixel], screenshot.rgb[pixel + 1], screenshot.rgb[pixel + 2]};
}

/// Counts the pixels of `area` in about the accent color of the selection.
std::size_t accent_pixels(const Screenshot& screenshot, const Rect& area) {
  std::size_t count = 0;
  for (float y = area.min.y; y < area.max.y; ++y) {
    for (float x = area.min.x; x < area.max.x; ++x) {
      const auto [red, green, blue] = color_at(screenshot, {x, y});
      count += red > 230 && green > blue + 30 && green < 180 && blue > 60 ? 1 : 0;
    }
  }
  return count;
}

/// An image with a red and a green half, each on its own quad, side by side. "shadow" is hidden below the red one and
/// uses the same part of the image.
fs::path two_halves() {
  CharacterData data = sliding_quad();
  data.clips = {resting_clip("still", 2, data.bones.size())};
  Image& image = data.images[0];
  image = plain_image(64, 64, {255, 0, 0, 255}, "halves");
  for (std::size_t i = 0; i < 64 * 64; ++i) {
    if (i % 64 < 32) continue;
    image.bytes[i * 4] = std::byte{0};
    image.bytes[i * 4 + 1] = std::byte{255};
  }
  data.meshes.clear();
  data.vertices = {};
  data.indices = {};
  add_quad(data, "shadow", 0, {{-7, -2}, {-3, 2}}, 0);
  add_quad(data, "red", 0, {{-8, -4}, {0, 4}}, 0);
  add_quad(data, "green", 0, {{0, -4}, {8, 4}}, 0);
  for (Vertex& vertex : data.vertices) vertex.u *= 0.5F;
  for (std::size_t i = data.vertices.size() - 4; i < data.vertices.size(); ++i) data.vertices[i].u += 0.5F;
  const fs::path path = output("window/halves.pchr");
  write_file(path, write_v1(data));
  return path;
}

bool shows(const RunningPlayer& player, Vec2 at, const Color& color) {
  return eventually([&] { return color_at(player.capture(), at) == color; });
}

void wheel_up(RunningPlayer& player, Vec2 at) {
  player.desktop.move(at);
  player.desktop.wheel(true);
}

}  // namespace

TEST_CASE("the atlas selects meshes, replaces the canvas and comes back", "[window][atlas][long]") {
  RunningPlayer player({path_text(two_halves())});
  const Screenshot plain = player.pause_at_start();
  {
    INFO("A opens the atlas, a click in it selects a mesh, and the selection is outlined");
    player.desktop.key("a");
    REQUIRE(shows(player, kImageLeft, kRed));
    REQUIRE(player.comes_to_rest());
    CHECK(color_at(player.capture(), kImageRight) == kGreen);
    CHECK(accent_pixels(player.capture(), kImage) == 0);

    // The rest of the image is dimmed. S shows which mesh is selected.
    player.desktop.click(kImageRight);
    REQUIRE(eventually([&] { return accent_pixels(player.capture(), kImage) > 100; }));
    REQUIRE(player.comes_to_rest());
    const Rect right_half{{kImage.center().x + 6, kImage.min.y}, kImage.max};
    const Rect left_half{kImage.min, {kImage.center().x - 6, kImage.max.y}};
    CHECK(accent_pixels(player.capture(), right_half) > 100);
    CHECK(accent_pixels(player.capture(), left_half) == 0);
    player.desktop.key("s");
    CHECK(shows(player, kCanvasRight, kGreen));
    CHECK(color_at(player.capture(), kCanvasLeft) != kRed);
    player.desktop.key("s");
    REQUIRE(shows(player, kCanvasLeft, kRed));

    // A mesh selected on the canvas is outlined in the atlas.
    player.desktop.click(kCanvasLeft);
    CHECK(eventually([&] { return accent_pixels(player.capture(), left_half) > 100; }));
    REQUIRE(player.comes_to_rest());
    CHECK(accent_pixels(player.capture(), right_half) == 0);
    player.desktop.keep_screenshot("atlas.png");

    player.desktop.key("Escape");
    CHECK(player.becomes(plain));
    player.desktop.key("a");
    CHECK(player.becomes(plain, kLayout.info));
  }
  {
    INFO("the atlas replaces the canvas until Esc restores it");
    const auto leaves = [&](auto&& open, auto&& close) {
      open();
      CHECK(shows(player, kCanvas.center() + Vec2{-60, 200}, kRed));
      CHECK(shows(player, kCanvas.center() + Vec2{60, 200}, kGreen));
      REQUIRE(player.comes_to_rest());
      close();
      CHECK(player.becomes(plain));
    };
    const auto press_a = [&] { player.desktop.key("a", "Shift_L"); };
    leaves(press_a, [&] { player.desktop.key("Escape"); });
    leaves(press_a, press_a);
    leaves(press_a, [&] { player.desktop.key("v"); });
    player.desktop.key("a");
    REQUIRE(shows(player, kImageLeft, kRed));
    const Vec2 button{kLayout.info.max.x - 24, kImage.min.y - 18};
    leaves([&] { player.desktop.click(button); },
           [&] { player.desktop.click({kCanvas.max.x - 20, kCanvas.min.y + 20}); });
  }
}

TEST_CASE("a second click in the same place of the atlas selects the mesh below", "[window][atlas][long]") {
  RunningPlayer player({path_text(two_halves())});
  const Screenshot plain = player.pause_at_start();
  player.desktop.key("a");
  REQUIRE(shows(player, kImageLeft, kRed));
  player.desktop.click(kImageLeft);
  REQUIRE(player.changes_from(plain));
  REQUIRE(player.comes_to_rest());
  const Screenshot red = player.capture();
  player.desktop.key("h");
  const Vec2 edge = kCanvasLeft - Vec2{0, 90};
  const bool hidden = eventually([&] { return color_at(player.capture(), edge) != color_at(red, edge); });
  CHECK(hidden);
  player.desktop.key("h");
  REQUIRE(player.becomes(red));
  std::this_thread::sleep_for(std::chrono::seconds(2));  // Longer than any double click.
  player.desktop.click(kImageLeft);
  REQUIRE(player.changes_from(red));  // Another outline.
  REQUIRE(player.comes_to_rest());
  player.desktop.key("s");
  CHECK(eventually([&] { return color_at(player.capture(), edge) != color_at(red, edge); }));
  CHECK(color_at(player.capture(), kCanvasRight) != kGreen);
}

TEST_CASE("the wheel zooms the atlas, dragging moves it, Fit shows the whole image", "[window][atlas][long]") {
  RunningPlayer player({path_text(two_halves())});
  const Screenshot plain = player.pause_at_start();
  player.desktop.key("a");
  REQUIRE(shows(player, kImageLeft, kRed));
  REQUIRE(player.comes_to_rest());
  player.desktop.move(kImage.center());
  REQUIRE(player.comes_to_rest());
  const Screenshot fitted = player.capture();
  // The center of the image moves right.
  wheel_up(player, kImageLeft);
  CHECK(player.changes_from(fitted, kImage));
  CHECK(shows(player, kImage.center() + Vec2{2, 9}, kRed));
  REQUIRE(player.comes_to_rest());
  player.desktop.drag(kImage.center(), kImage.center() - Vec2{50, 0});
  CHECK(shows(player, kImage.center() + Vec2{-20, 9}, kGreen));
  player.desktop.release(1);
  REQUIRE(player.comes_to_rest());
  CHECK(difference(player.capture(), plain, kCanvas) == 0);  // The canvas neither moved nor changed its selection.
  const Screenshot moved = player.capture();
  player.desktop.click({kLayout.info.max.x - 60, kImage.min.y - 18});
  // The pointer stays on the button until the effect is visible, because the button's highlight also changes the image.
  const Vec2 beside = kImage.center() + Vec2{-20, 9};
  REQUIRE(color_at(moved, beside) != color_at(fitted, beside));
  REQUIRE(eventually([&] { return color_at(player.capture(), beside) == color_at(fitted, beside); }));
  player.desktop.move(kImage.center());
  CHECK(player.becomes(fitted, kImage));
}

TEST_CASE("a double click enlarges and shrinks the atlas", "[window][atlas][long]") {
  RunningPlayer player({path_text(two_halves())});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("a");
  REQUIRE(shows(player, kImageLeft, kRed));
  const Screenshot small = player.capture();
  const Vec2 deep = kCanvas.center() + Vec2{-60, 200};
  const auto is_large = [&] { return difference(player.capture(), small, kCanvas) > 10'000; };
  const auto is_large_after_double_click = [&](Vec2 at, bool large) {
    player.desktop.double_click(at);
    return eventually([&] { return is_large() == large; });
  };
  CHECK(is_large_after_double_click(kImageLeft, true));
  CHECK(is_large_after_double_click(deep, false));
}

TEST_CASE("a file with fewer images opens while the atlas does not fit", "[window][atlas][long]") {
  CharacterData data = sliding_quad();
  data.images[0] = plain_image(8, 8, {255, 0, 0, 255}, "red");
  const fs::path one = output("window/one_image.pchr");
  write_file(one, write_v1(data));
  data.images.push_back(plain_image(8, 8, {0, 255, 0, 255}, "green"));
  add_quad(data, "second", 0, {{0, -4}, {8, 4}}, 0);
  data.meshes.back().image = ImageId{1};
  const fs::path two = output("window/two_images.pchr");
  write_file(two, write_v1(data));
  RunningPlayer player({path_text(two)});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("a");
  player.desktop.key("Up", "Control_L");  // The last mesh.
  REQUIRE(shows(player, kImage.center(), kGreen));

  player.desktop.resize(player.window, 20, 12);
  REQUIRE(eventually([&] { return player.desktop.size(player.window).x == 20; }));
  REQUIRE(drop_file(player.desktop, player.window, {5, 5}, one));
  REQUIRE(player.shows_title("one_image"));
  player.desktop.resize(player.window, kWidth, kHeight);
  CHECK(shows(player, kImage.center(), kRed));
}

TEST_CASE("a complete character's atlas is shown in both sizes", "[window][atlas][long]") {
  const auto [width, height, dots] = GENERATE(table<int, int, int>({{kWidth, kHeight, 96}, {2560, 1600, 192}}));
  const std::string name = dots == 96 ? "" : "-double";
  const player::Layout layout = player::arrange({width, height}, static_cast<float>(dots) / 96.0F);
  RunningPlayer player({path_text(asset("kiri.pchr"))}, width, height, dots);
  REQUIRE(eventually([&] { return player.title().find("kiri") != std::string::npos; }));
  player.desktop.key("space");
  player.desktop.key("Home");
  player.desktop.key("a");
  REQUIRE(player.comes_to_rest());
  const Rect image{layout.info.min + Vec2{14, 74} * layout.scale, layout.info.max - Vec2{14, 80} * layout.scale};
  const Screenshot unselected = player.capture();
  CHECK(color_count(unselected, image) > 100);
  player.desktop.keep_screenshot("atlas-kiri-unselected" + name + ".png");
  for (int i = 0; i < 7; ++i) player.desktop.key("Down", "Control_L");
  CHECK(player.changes_from(unselected, image));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("atlas-kiri" + name + ".png");
  player.desktop.key("a", "Shift_L");
  CHECK(player.changes_from(unselected, layout.canvas));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("atlas-large" + name + ".png");
}

}  // namespace pchr::test::atlas_test
