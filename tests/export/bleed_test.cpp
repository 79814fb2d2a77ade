// SPDX-License-Identifier: MIT
// Colors of transparent pixels.
#include "export/bleed.hpp"

#include "export/sheet_layout.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace pchr::test::bleed_test {
namespace {

using Color = std::array<std::uint8_t, 4>;

Bitmap empty_bitmap(std::uint32_t width, std::uint32_t height) {
  return {width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
}

Color pixel_at(const Bitmap& bitmap, std::int64_t x, std::int64_t y) {
  Color color{};
  const std::uint8_t* const pixel = &bitmap.rgba[static_cast<std::size_t>(y * bitmap.width + x) * 4];
  std::copy_n(pixel, 4, color.begin());
  return color;
}

void set_pixel(Bitmap& bitmap, std::int64_t x, std::int64_t y, const Color& color) {
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
        set_pixel(bitmap, x, y, color);
        colored[static_cast<std::size_t>(y * width + x)] = true;
      }
    }
  }
  return bitmap;
}

}  // namespace

TEST_CASE("filtering a white square with straight alpha draws no dark edge", "[export][bleed]") {
  Bitmap square = empty_bitmap(12, 12);
  for (std::int64_t y = 4; y < 8; ++y) {
    for (std::int64_t x = 4; x < 8; ++x) set_pixel(square, x, y, {255, 255, 255, 255});
  }
  CHECK(darkest_halo(square) > 26);
  Bitmap bled = square;
  exporting::bleed(bled, 1);
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
    exporting::Sheet sheet{.characters = {{"hero", {20, 20}}}, .clips = {{"still", 0, false, 0, 4}}};
    exporting::SheetCells cells;
    for (std::uint32_t i = 0; i < 4; ++i) {
      Bitmap frame = empty_bitmap(20, 20);
      for (std::int64_t x = 5; x < 12 + i; ++x) set_pixel(frame, x, 3 + x % 2, {100, 100, 100, 100});
      exporting::TrimmedFrame trimmed = exporting::trim(frame, options);
      CHECK(trimmed.area == exporting::Area{5, 3, 7 + i, 2});
      sheet.frames.push_back(
          {.name = "", .number = i, .cell = cells.add(std::move(trimmed.cell), options), .source = trimmed.area});
    }
    const auto placed = exporting::lay_out_page(sheet, 0, 4, true, cells, options);
    REQUIRE(placed);
    Bitmap page;
    exporting::draw_page(placed->value(), options, page);
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
        exporting::bleed(bled, distance);
        CHECK(bled.rgba == bleed_slowly(bitmap, distance).rgba);
      }
    }
  }
}

}  // namespace pchr::test::bleed_test
