// SPDX-License-Identifier: MIT
// How far two pictures differ.
#include "compare_pictures.hpp"

#include <algorithm>
#include <cstdlib>

namespace pchr::tools {
namespace {

constexpr std::uint32_t kSquare = 8;

struct PixelDifference {
  std::uint32_t sum = 0, most = 0;
};

PixelDifference difference_at(const Bitmap& a, const Bitmap& b, std::size_t at) {
  PixelDifference difference;
  for (std::size_t i = at; i < at + 4; ++i) {
    const auto channel = static_cast<std::uint32_t>(std::abs(a.rgba[i] - b.rgba[i]));
    difference.sum += channel;
    difference.most = std::max(difference.most, channel);
  }
  return difference;
}

}  // namespace

PictureDifference compare_pictures(const Bitmap& a, const Bitmap& b) {
  PictureDifference result;
  for (std::uint32_t top = 0; top < a.height; top += kSquare) {
    for (std::uint32_t left = 0; left < a.width; left += kSquare) {
      std::uint64_t sum = 0;
      const std::uint32_t bottom = std::min(top + kSquare, a.height), right = std::min(left + kSquare, a.width);
      for (std::uint32_t y = top; y < bottom; ++y) {
        for (std::uint32_t x = left; x < right; ++x) {
          const PixelDifference difference = difference_at(a, b, (std::size_t{y} * a.width + x) * 4);
          sum += difference.sum;
          result.most = std::max(result.most, difference.most);
          result.pixels += difference.most > 0 ? 1 : 0;
        }
      }
      const double score = static_cast<double>(sum) / (255.0 * 4 * (bottom - top) * (right - left));
      if (score <= result.score) continue;
      result.score = score;
      result.x = left;
      result.y = top;
    }
  }
  return result;
}

Bitmap draw_difference(const Bitmap& a, const Bitmap& b) {
  Bitmap picture{b.width, b.height, std::vector<std::uint8_t>(b.rgba.size(), 255)};
  for (std::size_t at = 0; at < b.rgba.size(); at += 4) {
    const std::uint32_t most = difference_at(a, b, at).most;
    // A quarter of the picture on white; the least difference still shows.
    const unsigned grey = (b.rgba[at] + 2U * b.rgba[at + 1] + b.rgba[at + 2]) / 4 + (255U - b.rgba[at + 3]);
    const auto pale = static_cast<std::uint8_t>(191 + std::min(grey, 255U) / 4);
    const std::uint32_t red = most == 0 ? 0 : 64 + most * 191 / 255;
    picture.rgba[at] = static_cast<std::uint8_t>(pale + (255U - pale) * std::min(red * 2, 255U) / 255);
    for (const std::size_t i : {at + 1, at + 2}) picture.rgba[i] = static_cast<std::uint8_t>(pale * (255U - red) / 255);
  }
  return picture;
}

Result<Bitmap> read_png(const std::string& path, const Limits& limits) {
  auto bitmap = load_png(path == "-" ? "/dev/stdin" : path, limits);
  if (!bitmap) return std::unexpected(data_failure(bitmap.error(), path));
  return *std::move(bitmap);
}

}  // namespace pchr::tools
