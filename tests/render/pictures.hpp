// SPDX-License-Identifier: MIT
// Pictures that tests draw and compare.
#pragma once

#include <pchr/image.hpp>
#include <pchr/offscreen.hpp>
#include <pchr/renderer.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

namespace pchr::test {

using Pixel = std::array<int, 4>;

[[nodiscard]] Pixel pixel(const Bitmap& bitmap, std::uint32_t x, std::uint32_t y);
/// Whether every channel of `a` is within `tolerance` of that of `b`.
[[nodiscard]] bool close(const Pixel& a, const Pixel& b, int tolerance = 1);

/// A camera that sees world pixel for picture pixel, the origin in the middle.
[[nodiscard]] Camera plain_camera(std::uint32_t width, std::uint32_t height);

/// A PNG file, premultiplied.
[[nodiscard]] Bitmap read_png(const std::filesystem::path& path);
void write_png(const std::filesystem::path& path, Bitmap premultiplied);

/// How much two pictures of the same size differ. A pixel's difference is its largest channel's, 0 to 255.
struct Difference {
  double mean = 0;
  int largest = 0;
  double share_above = 0;  ///< Of pixels that differ by more than the limit given.
};
[[nodiscard]] Difference difference(const Bitmap& a, const Bitmap& b, int limit);

/// Writes NAME.actual.png and NAME.difference.png (eight times amplified) to the build folder, for people.
void write_comparison(const std::string& name, const Bitmap& actual, const Bitmap& expected);

}  // namespace pchr::test
