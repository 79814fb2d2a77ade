// SPDX-License-Identifier: MIT
// Building blocks of encoders: areas and palettes.
#include "export/pixels.hpp"
#include "export/palette.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

namespace encoding_test {
using namespace pchr;
using namespace pchr::exporting;

namespace {

Bitmap bitmap_of(std::uint32_t width, std::uint32_t height, std::array<std::uint8_t, 4> color) {
  Bitmap bitmap{width, height, {}};
  for (std::uint32_t i = 0; i < width * height; ++i) bitmap.rgba.insert(bitmap.rgba.end(), color.begin(), color.end());
  return bitmap;
}

void set(Bitmap& bitmap, std::uint32_t x, std::uint32_t y, std::array<std::uint8_t, 4> color) {
  std::copy(color.begin(), color.end(), bitmap.rgba.begin() + (y * bitmap.width + x) * 4);
}

}  // namespace

TEST_CASE("areas are the exact bounds of visible or changed pixels", "[export]") {
  Bitmap a = bitmap_of(9, 7, {0, 0, 0, 0});
  CHECK(visible_area(a) == Area{});
  CHECK(changed_area(a, a) == Area{});
  set(a, 3, 2, {1, 1, 1, 1});
  CHECK(visible_area(a) == Area{3, 2, 1, 1});
  set(a, 8, 5, {0, 0, 0, 255});
  CHECK(visible_area(a) == Area{3, 2, 6, 4});
  Bitmap b = a;
  set(b, 0, 6, {0, 0, 0, 9});
  set(b, 5, 3, {7, 0, 0, 9});
  CHECK(changed_area(a, b) == Area{0, 3, 6, 4});
  CHECK(whole(a) == Area{0, 0, 9, 7});
}

TEST_CASE("a copied part of a bitmap has straight alpha", "[export]") {
  Bitmap a = bitmap_of(4, 4, {0, 0, 0, 0});
  set(a, 2, 1, {50, 100, 0, 128});
  const Bitmap part = straight_part(a, {2, 1, 2, 1});
  CHECK(part.width == 2);
  CHECK(part.height == 1);
  CHECK(part.rgba == std::vector<std::uint8_t>{100, 199, 0, 128, 0, 0, 0, 0});
}

TEST_CASE("a GIF pixel is opaque or transparent", "[export]") {
  const std::array<std::uint8_t, 4> less{10, 20, 30, 127}, half{10, 20, 30, 128}, faint{0, 0, 0, 1}, none{0, 0, 0, 0};
  CHECK_FALSE(flatten(less.data(), {}).opaque);
  CHECK(flatten(half.data(), {}).opaque);
  CHECK(flatten(half.data(), {}).color == Rgb{20, 40, 60});
  const Rgb matte{255, 0, 0};
  CHECK_FALSE(flatten(none.data(), matte).opaque);
  CHECK(flatten(faint.data(), matte).opaque);
  CHECK(flatten(faint.data(), matte).color == Rgb{254, 0, 0});
  CHECK(flatten(half.data(), matte).color == Rgb{137, 20, 30});
}

TEST_CASE("a palette keeps few colors exactly and reduces many, in any order of frames", "[export]") {
  Bitmap few = bitmap_of(4, 4, {200, 10, 10, 255});
  set(few, 0, 0, {0, 0, 255, 255});
  set(few, 1, 1, {0, 0, 0, 0});
  ColorCounts counts;
  counts.add(few, {});
  CHECK_FALSE(counts.all_opaque());
  const auto palette = counts.choose_palette(255);
  CHECK(palette == std::vector<Rgb>{{0, 0, 255}, {200, 10, 10}});
  PaletteIndex index(palette);
  CHECK(index.nearest({190, 0, 0}) == 1);
  CHECK(index.nearest({10, 0, 200}) == 0);

  Bitmap many = bitmap_of(64, 64, {0, 0, 0, 255});
  for (std::uint32_t i = 0; i < 64 * 64; ++i) {
    set(many, i % 64, i / 64, {static_cast<std::uint8_t>(i % 64 * 4), static_cast<std::uint8_t>(i / 64 * 4), 77, 255});
  }
  ColorCounts forwards, backwards;
  forwards.add(few, {});
  forwards.add(many, {});
  backwards.add(many, {});
  backwards.add(few, {});
  const auto chosen = forwards.choose_palette(255);
  CHECK(chosen.size() <= 255);
  CHECK(chosen.size() > 200);
  CHECK(chosen == backwards.choose_palette(255));
  PaletteIndex among(chosen);
  for (std::uint32_t i = 0; i < 64 * 64; i += 37) {
    const Rgb color{many.rgba[i * 4], many.rgba[i * 4 + 1], 77};
    const Rgb found = chosen[among.nearest(color)];
    for (std::size_t channel = 0; channel < 3; ++channel) CHECK(std::abs(found[channel] - color[channel]) < 24);
  }
}

TEST_CASE("the nearest color is the first of the nearest in the whole palette", "[export]") {
  std::mt19937 random(7);
  const auto any_color = [&](unsigned shades) {
    Rgb color;
    for (std::uint8_t& channel : color) channel = static_cast<std::uint8_t>(random() % shades);
    return color;
  };
  for (const std::size_t size : {1, 2, 40, 256}) {
    std::vector<Rgb> palette;
    // The second half crowds in a corner, with duplicates.
    for (std::size_t i = 0; i < size; ++i) palette.push_back(any_color(i < size / 2 ? 256 : 9));
    const PaletteIndex index(palette);
    bool all_nearest = true;
    for (int i = 0; i < 5000; ++i) {
      const Rgb color = any_color(i % 2 == 0 ? 256 : 20);
      const auto distance = [&](const Rgb& other) {
        const int red = color[0] - other[0], green = color[1] - other[1], blue = color[2] - other[2];
        return 3 * red * red + 6 * green * green + 2 * blue * blue;
      };
      const auto nearest = std::ranges::min_element(palette, {}, distance) - palette.begin();
      all_nearest = all_nearest && index.nearest(color) == nearest;
    }
    CHECK(all_nearest);
  }
}

TEST_CASE("a palette is never empty", "[export]") {
  ColorCounts counts;
  counts.add(bitmap_of(2, 2, {0, 0, 0, 0}), {});
  const auto palette = counts.choose_palette(255);
  CHECK(palette.size() == 1);
}

}  // namespace encoding_test
