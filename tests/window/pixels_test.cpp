// SPDX-License-Identifier: MIT
// Pixel art: even texels on whole pixels.
#include "running_player.hpp"
#include "support/bmp.hpp"
#include "support/png.hpp"

#include <pchr/image.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace pchr::test::pixels_test {
namespace {

constexpr int kSide = 15;  ///< Odd, so that texel edges are half a pixel off the origin.

/// A checkerboard of blue and red texels, in an animation that does not move.
fs::path checkered(const std::string& name) {
  const fs::path folder = output("window/" + name + "/x").parent_path();
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const std::uint8_t blue = (x + y) % 2 == 0 ? 255 : 20;
      pixels.insert(pixels.end(), {blue, 20, static_cast<std::uint8_t>(275 - blue)});
    }
    pixels.resize((pixels.size() + 3) / 4 * 4);
  }
  write_file(folder / "checkered.bmp", bmp_of({.width = kSide, .height = kSide, .pixels = pixels}));
  const std::string text =
      "#CharBMP checkered.bmp\n#Size 15 15\n#Data 16\n#02 0 0 15 15\n#Patern 1 0202\n#Patern 2 0202\n";
  write_file(folder / "a.chp", std::as_bytes(std::span(text)));
  return folder / "a.chp";
}

bool is_texel(const std::uint8_t* rgb) {
  return rgb[1] == 20 && ((rgb[0] == 20 && rgb[2] == 255) || (rgb[0] == 255 && rgb[2] == 20));
}

/// Returns the lengths of the color runs along the row or column through `at` in `area`. Empty if no pixel has one of
/// the texels' two colors.
std::vector<int> runs(const Screenshot& screenshot, const Rect& area, Vec2 at, bool down) {
  std::vector<int> lengths;
  const Vec2 from = down ? Vec2{at.x, area.min.y} : Vec2{area.min.x, at.y};
  const int count = static_cast<int>(down ? area.size().y : area.size().x);
  const std::uint8_t* before = nullptr;
  for (int i = 0; i < count; ++i) {
    const int x = static_cast<int>(from.x) + (down ? 0 : i);
    const int y = static_cast<int>(from.y) + (down ? i : 0);
    const std::uint8_t* rgb = &screenshot.rgb[static_cast<std::size_t>(y * screenshot.width + x) * 3];
    if (!is_texel(rgb)) {
      if (before != nullptr) break;
      continue;
    }
    if (before == nullptr || before[0] != rgb[0]) lengths.push_back(0);
    ++lengths.back();
    before = rgb;
  }
  return lengths;
}

/// Returns the size of a texel if all texels are visible and equal, else 0.
int even_side(const Screenshot& screenshot, const Rect& area, Vec2 at) {
  const std::vector<int> across = runs(screenshot, area, at, false);
  const std::vector<int> down = runs(screenshot, area, at, true);
  if (across.size() != kSide || down.size() != kSide) return 0;
  for (const auto& lengths : {across, down}) {
    if (std::ranges::any_of(lengths, [&](int length) { return length != across[0]; })) return 0;
  }
  return across[0];
}

struct Pixels : RunningPlayer {
  Rect canvas;
  explicit Pixels(const fs::path& file, int width = kWidth, int height = kHeight, int scale = 1)
      : RunningPlayer({path_text(file)}, width * scale, height * scale, 96 * scale),
        canvas(player::arrange(Vec2{width, height} * static_cast<float>(scale), static_cast<float>(scale)).canvas) {
    REQUIRE(shows_title("01_neutral"));
    desktop.resize(window, width * scale, height * scale);
    desktop.key("space");
    desktop.move(canvas.center() + Vec2{3, 3});
  }
  [[nodiscard]] bool has_side(int side) const {
    return eventually([&] { return even_side(capture(), canvas, canvas.center() + Vec2{3, 3}) == side; });
  }
};

}  // namespace

TEST_CASE("pixel art is fitted and zoomed in whole steps, on whole pixels", "[window][pixels][long]") {
  Pixels player(checkered("pixels"));
  // The canvas is 632 of the window's 800 pixels high.
  REQUIRE(player.has_side(41));
  player.desktop.keep_screenshot("pixels.png");
  for (int i = 0; i < 14; ++i) player.desktop.wheel(false);
  CHECK(player.has_side(6));
  player.desktop.wheel(false);
  CHECK(player.has_side(5));
  player.desktop.wheel(true);
  CHECK(player.has_side(6));
  player.desktop.drag(player.canvas.center(), player.canvas.center() + Vec2{37, -23});
  player.desktop.release(1);
  player.desktop.move(player.canvas.center() + Vec2{3, 3});
  CHECK(player.has_side(6));
  player.desktop.key("f");
  CHECK(player.has_side(41));
}

TEST_CASE("texels are even at any window size and screen scale", "[window][pixels][long]") {
  const auto [width, height, scale] = GENERATE(std::tuple{1281, 803, 1}, std::tuple{901, 503, 2});
  Pixels player(checkered("pixels-sizes"), width, height, scale);
  const int side = std::min(static_cast<int>(player.canvas.size().y * 0.98F / static_cast<float>(kSide)), 64);
  CHECK(player.has_side(side));
  for (int i = 0; i < 12; ++i) player.desktop.wheel(false);
  CHECK(eventually([&] {
    const int now = even_side(player.capture(), player.canvas, player.canvas.center() + Vec2{3, 3});
    return now > 0 && now < side / 2;
  }));
  player.desktop.keep_screenshot("pixels-" + std::to_string(scale) + "x.png");
}

TEST_CASE("Shift+F cycles smooth, hard and automatic texels, and the choice is remembered", "[window][pixels][long]") {
  const fs::path file = checkered("pixels-filter");
  const std::string configuration = fresh_configuration();
  {
    Pixels player(file);
    REQUIRE(player.has_side(41));
    const Screenshot hard = player.capture();
    player.desktop.key("f", "Shift_L");
    REQUIRE(player.changes_from(hard));
    REQUIRE(player.comes_to_rest());
    CHECK(color_count(player.capture(), player.canvas) > 50);
    player.desktop.keep_screenshot("pixels-smooth.png");
    player.desktop.key("q", "Control_L");
    CHECK(player.process.wait() == 0);
  }
  CHECK_THAT(read_text(fs::path(configuration) / "pchr/player.conf"), contains("pixels = smooth"));
  RunningPlayer kiri({path_text(asset("kiri.pchr"))});
  const Screenshot smooth = kiri.pause_at_start();
  kiri.desktop.key("f", "Shift_L");
  kiri.desktop.key("f", "Shift_L");
  CHECK(kiri.changes_from(smooth));
  kiri.desktop.key("f", "Shift_L");
  CHECK(kiri.becomes(smooth));
}

TEST_CASE("a screenshot has the same even texels as the window", "[window][pixels][long]") {
  const fs::path file = checkered("pixels-screenshot");
  fs::remove(file.parent_path() / "a_01_neutral_0.png");
  Pixels player(file);
  REQUIRE(player.has_side(41));
  const Screenshot window = player.capture();
  player.desktop.key("Home");
  player.desktop.key("F12");
  fs::path saved;
  REQUIRE(eventually([&] {
    for (const auto& entry : fs::directory_iterator(file.parent_path())) {
      if (entry.path().extension() == ".png") saved = entry.path();
    }
    return !saved.empty();
  }));
  const Vec2 size = player.canvas.size();
  const auto image = decode({"screenshot", static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y),
                             ImageEncoding::png, read_file(saved)});
  REQUIRE(image);
  std::size_t texels = 0;
  std::size_t different = 0;
  for (std::uint32_t y = 0; y < image->height; ++y) {
    for (std::uint32_t x = 0; x < image->width; ++x) {
      const std::uint8_t* taken = &image->rgba[(std::size_t{y} * image->width + x) * 4];
      if (taken[3] == 0) continue;
      const Vec2 at = player.canvas.min + Vec2{x, y};
      const std::uint8_t* shown =
          &window.rgb[static_cast<std::size_t>(static_cast<int>(at.y) * window.width + static_cast<int>(at.x)) * 3];
      ++texels;
      different += std::equal(taken, taken + 3, shown) ? 0 : 1;
    }
  }
  CHECK(texels == std::size_t{41} * 15 * 41 * 15);
  CHECK(different == 0);
}

}  // namespace pchr::test::pixels_test
