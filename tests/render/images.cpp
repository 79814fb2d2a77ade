// SPDX-License-Identifier: MIT
// Draws and compares images for tests.
#include "images.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace pchr::test {
namespace {

std::uint32_t big_endian(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint32_t>(bytes[at + i]);
  return value;
}

}  // namespace

Pixel pixel(const Bitmap& bitmap, std::uint32_t x, std::uint32_t y) {
  const std::uint8_t* rgba = &bitmap.rgba[(std::size_t{y} * bitmap.width + x) * 4];
  return {rgba[0], rgba[1], rgba[2], rgba[3]};
}

bool close(const Pixel& a, const Pixel& b, int tolerance) {
  return std::ranges::equal(a, b, [&](int left, int right) { return std::abs(left - right) <= tolerance; });
}

Camera plain_camera(std::uint32_t width, std::uint32_t height) {
  return {Vec2{0.0F}, 1.0F, Vec2{static_cast<float>(width), static_cast<float>(height)}};
}

Bitmap read_png(const std::filesystem::path& path) {
  Image image{utf8_of(path), 0, 0, ImageEncoding::png, read_file(path)};
  constexpr std::size_t kHeaderSize = 24;
  REQUIRE(image.bytes.size() > kHeaderSize);
  image.width = big_endian(image.bytes, 16);
  image.height = big_endian(image.bytes, 20);
  auto bitmap = decode(image);
  REQUIRE(bitmap);
  return std::move(*bitmap);
}

void write_png(const std::filesystem::path& path, Bitmap premultiplied) {
  unpremultiply(premultiplied);
  write_file(path, png_of(premultiplied.width, premultiplied.height, premultiplied.rgba));
}

Difference difference(const Bitmap& a, const Bitmap& b, int limit) {
  REQUIRE(a.width == b.width);
  REQUIRE(a.height == b.height);
  Difference result;
  const std::size_t pixels = a.rgba.size() / 4;
  for (std::size_t i = 0; i < pixels; ++i) {
    int largest = 0;
    if (std::memcmp(&a.rgba[4 * i], &b.rgba[4 * i], 4) == 0) continue;
    for (std::size_t channel = 4 * i; channel < 4 * i + 4; ++channel) {
      largest = std::max(largest, std::abs(a.rgba[channel] - b.rgba[channel]));
    }
    result.mean += largest;
    result.largest = std::max(result.largest, largest);
    result.share_above += largest > limit;
  }
  result.mean /= static_cast<double>(pixels);
  result.share_above /= static_cast<double>(pixels);
  return result;
}

void write_comparison(const std::string& name, const Bitmap& actual, const Bitmap& expected) {
  Bitmap amplified = actual;
  for (std::size_t i = 0; i < amplified.rgba.size(); ++i) {
    const int amount = 8 * std::abs(actual.rgba[i] - expected.rgba[i]);
    amplified.rgba[i] = i % 4 == 3 ? 255 : static_cast<std::uint8_t>(std::min(amount, 255));
  }
  write_png(output(name + ".actual.png"), actual);
  write_png(output(name + ".difference.png"), amplified);
}

}  // namespace pchr::test
