// SPDX-License-Identifier: MIT
// The parts of encoders: areas, palettes, LZW.
#include "film/area.hpp"
#include "film/lzw.hpp"
#include "film/palette.hpp"

#include "support/catch.hpp"

#include <cstdlib>
#include <random>
#include <vector>

using namespace pchr;
using namespace pchr::film;

namespace {

Bitmap bitmap_of(std::uint32_t width, std::uint32_t height, std::array<std::uint8_t, 4> colour) {
  Bitmap bitmap{width, height, {}};
  for (std::uint32_t i = 0; i < width * height; ++i)
    bitmap.rgba.insert(bitmap.rgba.end(), colour.begin(), colour.end());
  return bitmap;
}

void set(Bitmap& bitmap, std::uint32_t x, std::uint32_t y, std::array<std::uint8_t, 4> colour) {
  std::copy(colour.begin(), colour.end(), bitmap.rgba.begin() + (y * bitmap.width + x) * 4);
}

// Reads LZW as GIF's specification tells it, without any of what the writer does.
std::vector<std::uint8_t> decompress_lzw(const Bytes& bytes) {
  std::vector<std::uint8_t> packed;
  std::size_t at = 1;
  while (bytes.at(at) != std::byte{0}) {
    const auto count = std::to_integer<std::size_t>(bytes[at]);
    for (std::size_t i = 0; i < count; ++i) packed.push_back(std::to_integer<std::uint8_t>(bytes.at(at + 1 + i)));
    at += 1 + count;
  }
  REQUIRE(at + 1 == bytes.size());
  const auto bits = std::to_integer<unsigned>(bytes[0]);
  const std::size_t clear = std::size_t{1} << bits;
  std::vector<std::vector<std::uint8_t>> table;
  std::vector<std::uint8_t> out, before;
  unsigned code_bits = bits + 1;
  for (std::size_t bit = 0;; bit += 0) {
    std::size_t code = 0;
    for (unsigned i = 0; i < code_bits; ++i, ++bit) code |= std::size_t{packed.at(bit / 8) >> (bit % 8) & 1U} << i;
    if (code == clear + 1) return out;
    if (code == clear) {
      table.clear();
      for (std::size_t i = 0; i < clear + 2; ++i) table.push_back({static_cast<std::uint8_t>(i)});
      code_bits = bits + 1;
      before.clear();
      continue;
    }
    if (!before.empty()) {
      const std::vector<std::uint8_t>& next = code < table.size() ? table[code] : before;
      REQUIRE(code <= table.size());
      before.push_back(next.front());
      if (table.size() < 4096) table.push_back(before);
    }
    before = table.at(code);
    out.insert(out.end(), before.begin(), before.end());
    if (table.size() == std::size_t{1} << code_bits && code_bits < 12) ++code_bits;
  }
}

}  // namespace

TEST_CASE("areas hold what is visible and what changed, and no more", "[film]") {
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

TEST_CASE("a part of a picture has straight alpha", "[film]") {
  Bitmap a = bitmap_of(4, 4, {0, 0, 0, 0});
  set(a, 2, 1, {50, 100, 0, 128});
  const Bitmap part = straight_part(a, {2, 1, 2, 1});
  CHECK(part.width == 2);
  CHECK(part.height == 1);
  CHECK(part.rgba == std::vector<std::uint8_t>{100, 199, 0, 128, 0, 0, 0, 0});
}

TEST_CASE("LZW reads back, over clears and growing codes", "[film]") {
  std::mt19937 random(7);
  for (const unsigned bits : {2U, 5U, 8U}) {
    // From runs, which make few codes, to noise, which makes all of them again and again.
    for (const unsigned variety : {1U, 2U, 1U << bits}) {
      for (const std::size_t count : {0U, 1U, 2U, 3U, 255U, 4093U, 70'000U}) {
        std::vector<std::uint8_t> indices(count);
        for (std::uint8_t& index : indices) index = static_cast<std::uint8_t>(random() % variety);
        CHECK(decompress_lzw(compress_lzw(indices, bits)) == indices);
      }
    }
  }
  // Each length once, so that each place at which codes grow comes last.
  std::vector<std::uint8_t> indices;
  for (int count = 0; count < 3000; ++count) {
    REQUIRE(decompress_lzw(compress_lzw(indices, 2)) == indices);
    indices.push_back(static_cast<std::uint8_t>(random() % 4));
  }
}

TEST_CASE("a pixel of a GIF is there or not", "[film]") {
  const std::array<std::uint8_t, 4> less{10, 20, 30, 127}, half{10, 20, 30, 128}, faint{0, 0, 0, 1}, none{0, 0, 0, 0};
  CHECK_FALSE(flatten(less.data(), {}).opaque);
  CHECK(flatten(half.data(), {}).opaque);
  CHECK(flatten(half.data(), {}).colour == Rgb{20, 40, 60});
  const Rgb matte{255, 0, 0};
  CHECK_FALSE(flatten(none.data(), matte).opaque);
  CHECK(flatten(faint.data(), matte).opaque);
  CHECK(flatten(faint.data(), matte).colour == Rgb{254, 0, 0});
  CHECK(flatten(half.data(), matte).colour == Rgb{137, 20, 30});
}

TEST_CASE("few colours are kept as they are, many are chosen from, in any order of frames", "[film]") {
  Bitmap few = bitmap_of(4, 4, {200, 10, 10, 255});
  set(few, 0, 0, {0, 0, 255, 255});
  set(few, 1, 1, {0, 0, 0, 0});
  ColourCounts counts;
  counts.add(few, {});
  CHECK_FALSE(counts.all_opaque());
  const auto palette = counts.choose_palette(255);
  REQUIRE(palette);
  CHECK(*palette == std::vector<Rgb>{{0, 0, 255}, {200, 10, 10}});
  PaletteIndex index(*palette);
  CHECK(index.nearest({190, 0, 0}) == 1);
  CHECK(index.nearest({10, 0, 200}) == 0);

  Bitmap many = bitmap_of(64, 64, {0, 0, 0, 255});
  for (std::uint32_t i = 0; i < 64 * 64; ++i) {
    set(many, i % 64, i / 64, {static_cast<std::uint8_t>(i % 64 * 4), static_cast<std::uint8_t>(i / 64 * 4), 77, 255});
  }
  ColourCounts forwards, backwards;
  forwards.add(few, {});
  forwards.add(many, {});
  backwards.add(many, {});
  backwards.add(few, {});
  const auto chosen = forwards.choose_palette(255);
  REQUIRE(chosen);
  CHECK(chosen->size() <= 255);
  CHECK(chosen->size() > 200);
  CHECK(chosen == backwards.choose_palette(255));
  PaletteIndex among(*chosen);
  for (std::uint32_t i = 0; i < 64 * 64; i += 37) {
    const Rgb colour{many.rgba[i * 4], many.rgba[i * 4 + 1], 77};
    const Rgb found = (*chosen)[among.nearest(colour)];
    for (std::size_t channel = 0; channel < 3; ++channel) CHECK(std::abs(found[channel] - colour[channel]) < 24);
  }
}

TEST_CASE("no opaque pixel at all still has a palette", "[film]") {
  ColourCounts counts;
  counts.add(bitmap_of(2, 2, {0, 0, 0, 0}), {});
  const auto palette = counts.choose_palette(255);
  REQUIRE(palette);
  CHECK(palette->size() == 1);
}
