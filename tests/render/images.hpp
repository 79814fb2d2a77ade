// SPDX-License-Identifier: MIT
// Draws and compares images for tests.
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
/// Returns whether every channel of `a` is within `tolerance` of that of `b`.
[[nodiscard]] bool close(const Pixel& a, const Pixel& b, int tolerance = 1);

/// Returns a camera that maps world pixels to image pixels, with the origin in the middle.
[[nodiscard]] Camera plain_camera(std::uint32_t width, std::uint32_t height);

/// Reads a PNG file, premultiplied.
[[nodiscard]] Bitmap read_png(const std::filesystem::path& path);
void write_png(const std::filesystem::path& path, Bitmap premultiplied);

/// The difference between two images of the same size. A pixel's difference is that of its largest channel, 0 to 255.
struct Difference {
  double mean = 0;
  int largest = 0;
  double share_above = 0;  ///< Share of pixels that differ by more than the given limit.
};
[[nodiscard]] Difference difference(const Bitmap& a, const Bitmap& b, int limit);

/// Writes NAME.actual.png and NAME.difference.png (amplified eight times) to the build folder, for inspection.
void write_comparison(const std::string& name, const Bitmap& actual, const Bitmap& expected);

}  // namespace pchr::test
