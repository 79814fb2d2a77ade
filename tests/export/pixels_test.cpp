// SPDX-License-Identifier: MIT
// Areas, palettes, and colors of transparent pixels.
#include "export/pixels.hpp"

#include "export/sheet.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

namespace pixels_test {
using namespace pchr;
using namespace pchr::exporting;

namespace {

using Color = std::array<std::uint8_t, 4>;

Bitmap bitmap_of(std::uint32_t width, std::uint32_t height, const Color& color) {
  Bitmap bitmap{width, height, {}};
  for (std::uint32_t i = 0; i < width * height; ++i) bitmap.rgba.insert(bitmap.rgba.end(), color.begin(), color.end());
  return bitmap;
}

Bitmap empty_bitmap(std::uint32_t width, std::uint32_t height) { return bitmap_of(width, height, {}); }

Color pixel_at(const Bitmap& bitmap, std::int64_t x, std::int64_t y) {
  Color color{};
  const std::uint8_t* const pixel = &bitmap.rgba[static_cast<std::size_t>(y * bitmap.width + x) * 4];
  std::copy_n(pixel, 4, color.begin());
  return color;
}

void set(Bitmap& bitmap, std::int64_t x, std::int64_t y, const Color& color) {
  std::ranges::copy(color, &bitmap.rgba[static_cast<std::size_t>(y * bitmap.width + x) * 4]);
}

/// Samples between the centers of pixels, as engines do with straight alpha.
std::array<double, 4> sample(const Bitmap& bitmap, double x, double y) {
  const auto left = static_cast<std::int64_t>(std::floor(x)), top = static_cast<std::int64_t>(std::floor(y));
  std::array<double, 4> sum{};
  for (const std::int64_t row : {top, top + 1}) {
    for (const std::int64_t column : {left, left + 1}) {
      const double weight =
          (1 - std::abs(x - static_cast<double>(column))) * (1 - std::abs(y - static_cast<double>(row)));
      const Color color = pixel_at(bitmap, column, row);
      for (std::size_t i = 0; i < 4; ++i) sum[i] += weight * color[i];
    }
  }
  return sum;
}

/// Returns the largest difference from white of a sample that is not transparent, with its alpha.
double darkest_halo(const Bitmap& bitmap) {
  double halo = 0;
  for (double y = 0; y < bitmap.height - 1; y += 0.125) {
    for (double x = 0; x < bitmap.width - 1; x += 0.125) {
      const std::array<double, 4> color = sample(bitmap, x, y);
      halo = std::max(halo, (255 - color[0]) * color[3] / 255);
    }
  }
  return halo;
}

/// Looks for the ring of each pixel in turn.
Bitmap bleed_slowly(Bitmap bitmap, std::uint32_t distance) {
  const std::int64_t width = bitmap.width, height = bitmap.height;
  std::vector<bool> colored;
  for (std::size_t at = 3; at < bitmap.rgba.size(); at += 4) colored.push_back(bitmap.rgba[at] > 0);
  for (std::uint32_t ring = 0; ring < distance; ++ring) {
    const std::vector<bool> inside = colored;
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        if (inside[static_cast<std::size_t>(y * width + x)]) continue;
        std::array<unsigned, 4> sums{};
        for (std::int64_t row = std::max<std::int64_t>(y - 1, 0); row <= std::min(y + 1, height - 1); ++row) {
          for (std::int64_t column = std::max<std::int64_t>(x - 1, 0); column <= std::min(x + 1, width - 1); ++column) {
            if (!inside[static_cast<std::size_t>(row * width + column)]) continue;
            const Color color = pixel_at(bitmap, column, row);
            const unsigned weight = color[3] > 0 ? color[3] : 1;
            for (std::size_t i = 0; i < 3; ++i) sums[i] += weight * color[i];
            sums[3] += weight;
          }
        }
        if (sums[3] == 0) continue;
        Color color{};
        for (std::size_t i = 0; i < 3; ++i) color[i] = static_cast<std::uint8_t>((sums[i] + sums[3] / 2) / sums[3]);
        set(bitmap, x, y, color);
        colored[static_cast<std::size_t>(y * width + x)] = true;
      }
    }
  }
  return bitmap;
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

TEST_CASE("filtering a white square with straight alpha draws no dark edge", "[export][bleed]") {
  Bitmap square = empty_bitmap(12, 12);
  for (std::int64_t y = 4; y < 8; ++y) {
    for (std::int64_t x = 4; x < 8; ++x) set(square, x, y, {255, 255, 255, 255});
  }
  CHECK(darkest_halo(square) > 26);
  Bitmap bled = square;
  bleed(bled, 1);
  CHECK(darkest_halo(bled) == 0);
  for (std::size_t at = 3; at < bled.rgba.size(); at += 4) CHECK(bled.rgba[at] == square.rgba[at]);
  CHECK(pixel_at(bled, 3, 3) == Color{255, 255, 255, 0});
  CHECK(pixel_at(bled, 2, 5) == Color{});
}

TEST_CASE("frames on a page have no dark edges, and premultiplied ones no colors to bleed", "[export][bleed]") {
  for (const bool premultiply : {false, true}) {
    SheetOptions options;
    options.path = "page.png";
    options.premultiply = premultiply;
    Sheet sheet{.characters = {{"hero", {20, 20}}}, .clips = {{"still", 0, false, 0, 4}}};
    SheetCells cells;
    for (std::uint32_t i = 0; i < 4; ++i) {
      Bitmap frame = empty_bitmap(20, 20);
      for (std::int64_t x = 5; x < 12 + i; ++x) set(frame, x, 3 + x % 2, {100, 100, 100, 100});
      TrimmedFrame trimmed = trim(frame, options);
      CHECK(trimmed.area == Area{5, 3, 7 + i, 2});
      sheet.frames.push_back(
          {.name = "", .number = i, .cell = cells.add(std::move(trimmed.cell), options), .source = trimmed.area});
    }
    const auto placed = lay_out_page(sheet, 0, 4, true, cells, options);
    REQUIRE(placed);
    Bitmap page;
    draw_page(placed->value(), options, page);
    if (!premultiply) CHECK(darkest_halo(page) == 0);
    for (std::size_t at = 0; premultiply && at < page.rgba.size(); ++at) CHECK(page.rgba[at] == page.rgba[at | 3]);
  }
}

TEST_CASE("colors bleed ring by ring on bitmaps of any shape", "[export][bleed]") {
  std::mt19937 random(5);
  for (const auto& [width, height] : std::initializer_list<std::pair<std::uint32_t, std::uint32_t>>{
           {1, 1}, {1, 9}, {9, 1}, {2, 2}, {16, 5}, {33, 21}, {64, 64}}) {
    for (const unsigned sparse : {1U, 3U, 40U}) {
      Bitmap bitmap = empty_bitmap(width, height);
      for (std::size_t at = 0; at < bitmap.rgba.size(); at += 4) {
        if (random() % sparse != 0) continue;
        for (std::size_t i = 0; i < 4; ++i) bitmap.rgba[at + i] = static_cast<std::uint8_t>(random());
      }
      for (const std::uint32_t distance : {0U, 1U, 2U, 7U, 64U}) {
        Bitmap bled = bitmap;
        bleed(bled, distance);
        CHECK(bled.rgba == bleed_slowly(bitmap, distance).rgba);
      }
    }
  }
}

}  // namespace pixels_test
