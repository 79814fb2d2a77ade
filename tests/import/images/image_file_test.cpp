// SPDX-License-Identifier: MIT
// Decoding of JPEG, GIF and WebP, and detection of formats.
#include "support/catch.hpp"
#include "support/image_files.hpp"

#include "import/images/image_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

namespace image_file_test {
using namespace pchr;
using test::Bytes;

namespace {

constexpr std::uint64_t kMany = 1'000'000;

using Pixel = std::array<int, 4>;

Bitmap decoded(const Bytes& bytes) {
  auto bitmap = decode_image_file(bytes, kMany);
  if (!bitmap) FAIL(bitmap.error());
  return *std::move(bitmap);
}

Pixel pixel(const Bitmap& bitmap, std::size_t x, std::size_t y) {
  const std::size_t at = (y * bitmap.width + x) * 4;
  return {bitmap.rgba[at], bitmap.rgba[at + 1], bitmap.rgba[at + 2], bitmap.rgba[at + 3]};
}

bool is_near(const Pixel& a, const Pixel& b, int tolerance) {
  for (std::size_t i = 0; i < 4; ++i) {
    if (std::abs(a[i] - b[i]) > tolerance) return false;
  }
  return true;
}

std::vector<std::uint8_t> plain(int pixels, std::initializer_list<int> values) {
  std::vector<std::uint8_t> samples;
  for (int i = 0; i < pixels; ++i) {
    for (const int value : values) samples.push_back(static_cast<std::uint8_t>(value));
  }
  return samples;
}

Bytes prefix(const Bytes& bytes, std::size_t size) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

/// Checks that decoding fails for every prefix that is too short, each in memory of exactly its size.
void check_prefixes(const Bytes& whole, std::size_t needed) {
  for (std::size_t size = 0; size < needed; ++size) {
    INFO(size << " of " << whole.size() << " bytes");
    const auto bitmap = decode_image_file(prefix(whole, size), kMany);
    REQUIRE_FALSE(bitmap);
    CHECK_FALSE(bitmap.error().empty());
  }
}

void check_limit(const Bytes& whole, std::uint64_t pixels) {
  CHECK(decode_image_file(whole, pixels));
  const auto rejected = decode_image_file(whole, pixels - 1);
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().find("pixels, but the total must be 1 to") != std::string::npos);
}

/// Replaces each byte by several values, and checks for an error or a complete image.
void check_damage(const Bytes& whole) {
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      Bytes damaged = whole;
      damaged[at] = static_cast<std::byte>(value);
      const auto bitmap = decode_image_file(damaged, 10'000);
      if (bitmap) REQUIRE(bitmap->rgba.size() == std::size_t{4} * bitmap->width * bitmap->height);
    }
  }
}

std::vector<std::uint8_t> noise(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::uint32_t state = 7;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

}  // namespace

TEST_CASE("JPEG files can be color, grayscale and progressive", "[images]") {
  for (const bool progressive : {false, true}) {
    CAPTURE(progressive);
    const Bitmap color = decoded(test::jpeg_of(20, 9, plain(180, {200, 100, 50}), {3, progressive}));
    CHECK(color.width == 20);
    CHECK(color.height == 9);
    CHECK(is_near(pixel(color, 19, 8), {200, 100, 50, 255}, 2));
    const Bitmap gray = decoded(test::jpeg_of(3, 17, plain(51, {77}), {1, progressive}));
    CHECK(is_near(pixel(gray, 2, 16), {77, 77, 77, 255}, 1));
  }
}

TEST_CASE("a CMYK JPEG becomes RGB, inverted if it is from Adobe", "[images]") {
  // 50% cyan, 100% magenta, 0% yellow, 20% black.
  const Bitmap ink = decoded(test::jpeg_of(8, 8, plain(64, {128, 255, 0, 51}), {4}));
  CHECK(is_near(pixel(ink, 0, 0), {102, 0, 204, 255}, 2));
  const Bitmap light = decoded(test::jpeg_of(8, 8, plain(64, {127, 0, 255, 204}), {4, false, true}));
  CHECK(is_near(pixel(light, 0, 0), {102, 0, 204, 255}, 2));
}

TEST_CASE("a truncated, damaged or too large JPEG is rejected with a reason", "[images]") {
  for (const bool progressive : {false, true}) {
    const Bytes whole = test::jpeg_of(17, 9, noise(17 * 9 * 3), {3, progressive});
    check_prefixes(whole, whole.size());
    check_limit(whole, 17 * 9);
    check_damage(whole);
  }
}

TEST_CASE("a JPEG with more scans than any encoder writes is rejected", "[images]") {
  const Bytes whole = test::jpeg_of(8, 8, noise(64), {1, true, false, true});
  CHECK(decode_image_file(whole, kMany).error() == "the JPEG is damaged: more than 100 scans");
}

TEST_CASE("the first frame of a GIF is placed on its canvas", "[images]") {
  for (const bool interlaced : {false, true}) {
    for (const bool own_colors : {false, true}) {
      test::GifOptions options;
      options.canvas_width = 9;
      options.canvas_height = 30;
      options.left = 2;
      options.top = 5;
      options.interlaced = interlaced;
      options.own_colors = own_colors;
      options.transparent = 2;
      std::vector<std::uint8_t> indices;
      for (int y = 0; y < 19; ++y) {
        for (int x = 0; x < 6; ++x) indices.push_back(static_cast<std::uint8_t>((x + y * 3) % 4));
      }
      const Bitmap bitmap = decoded(test::gif_of(6, 19, indices, options));
      REQUIRE(bitmap.width == 9);
      REQUIRE(bitmap.height == 30);
      for (std::size_t y = 0; y < 30; ++y) {
        for (std::size_t x = 0; x < 9; ++x) {
          CAPTURE(interlaced, own_colors, x, y);
          const bool inside = x >= 2 && x < 8 && y >= 5 && y < 24;
          if (!inside) {
            CHECK(pixel(bitmap, x, y) == Pixel{0, 0, 0, 0});
            continue;
          }
          const std::uint8_t index = indices[(y - 5) * 6 + (x - 2)];
          const auto [red, green, blue] = test::gif_color(index);
          CHECK(pixel(bitmap, x, y) == Pixel{red, green, blue, index == 2 ? 0 : 255});
        }
      }
    }
  }
}

TEST_CASE("a GIF frame is clipped to its canvas", "[images]") {
  const std::vector<std::uint8_t> indices = plain(100, {1});
  test::GifOptions options;
  options.canvas_width = 4;
  options.canvas_height = 3;
  options.left = 2;
  options.top = 1;
  const Bitmap bitmap = decoded(test::gif_of(10, 10, indices, options));
  CHECK(bitmap.rgba.size() == 4 * 3 * 4);
  CHECK(pixel(bitmap, 1, 1)[3] == 0);
  CHECK(pixel(bitmap, 3, 2)[3] == 255);
  options.left = 60'000;
  CHECK(pixel(decoded(test::gif_of(10, 10, indices, options)), 3, 2)[3] == 0);
}

TEST_CASE("a GIF with a truncated, damaged or too large first frame is rejected with a reason", "[images]") {
  const Bytes whole = test::gif_of(20, 10, plain(50, {0, 1, 2, 3}));
  // The byte after the frame ends the file.
  check_prefixes(whole, whole.size() - 1);
  CHECK(decode_image_file(prefix(whole, whole.size() - 1), kMany));
  check_limit(whole, 200);
  check_damage(whole);
  test::GifOptions small;
  small.canvas_width = small.canvas_height = 1;
  // The limit also applies to the frame, because it determines the decoding time.
  check_limit(test::gif_of(20, 10, plain(50, {0, 1, 2, 3}), small), 200);
  Bytes no_frame = prefix(test::gif_of(1, 1, plain(1, {0})), 25);
  no_frame.push_back(std::byte{0x3B});
  CHECK(decode_image_file(no_frame, kMany).error() == "the GIF has no frames");
}

TEST_CASE("WebP files can be lossy and lossless", "[images]") {
  std::vector<std::uint8_t> rgba;
  for (int i = 0; i < 7 * 11; ++i) {
    for (const int value : {i * 3, 255 - i, i, 1 + i * 3}) rgba.push_back(static_cast<std::uint8_t>(value));
  }
  CHECK(decoded(test::webp_of(7, 11, rgba, true)).rgba == rgba);
  const Bitmap lossy = decoded(test::webp_of(20, 9, plain(180, {200, 100, 50, 128}), false));
  CHECK(is_near(pixel(lossy, 19, 8), {200, 100, 50, 128}, 4));
}

TEST_CASE("a truncated, damaged or too large WebP is rejected with a reason", "[images]") {
  for (const bool lossless : {false, true}) {
    const Bytes whole = test::webp_of(17, 9, noise(17 * 9 * 4), lossless);
    check_prefixes(whole, whole.size());
    check_limit(whole, 17 * 9);
    check_damage(whole);
  }
}

TEST_CASE("an animated WebP is rejected as unsupported", "[images]") {
  Bytes bytes;
  for (const char letter : std::string("RIFF\x16\0\0\0WEBPVP8X\x0A\0\0\0\x02\0\0\0\x01\0\0\x01\0\0", 30)) {
    bytes.push_back(static_cast<std::byte>(letter));
  }
  CHECK(decode_image_file(bytes, kMany).error() == "animated WebP files are not supported");
}

TEST_CASE("a TGA is detected by its header", "[images]") {
  Bytes tga(18 + 3);
  tga[2] = std::byte{2};
  tga[12] = tga[14] = std::byte{1};
  tga[16] = std::byte{24};
  tga[20] = std::byte{9};
  CHECK(pixel(decoded(tga), 0, 0) == Pixel{9, 0, 0, 255});
  for (const std::string text :
       {"", "8BPS", "DDS |...............", "#CharName text\n", "<svg width=\"20\" height=\"9\">"}) {
    const auto bytes = std::as_bytes(std::span(text));
    CHECK(decode_image_file({bytes.data(), bytes.size()}, kMany).error().starts_with("the format is unknown"));
  }
}

}  // namespace image_file_test
