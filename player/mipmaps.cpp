// SPDX-License-Identifier: MIT
#include "mipmaps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pchr::player {
namespace {

constexpr std::size_t kChannels = 4;

/// Half as wide and as high; the last column or row of an odd number goes with the one before.
Bitmap halved(const Bitmap& image) {
  Bitmap half{std::max(image.width / 2, 1U), std::max(image.height / 2, 1U), {}};
  half.rgba.resize(std::size_t{half.width} * half.height * kChannels);
  const std::size_t right = image.width > 1 ? kChannels : 0;
  const std::size_t row = std::size_t{image.width} * kChannels;
  const std::size_t below = image.height > 1 ? row : 0;
  std::uint8_t* out = half.rgba.data();
  for (std::size_t y = 0; y < half.height; ++y) {
    const std::uint8_t* in = image.rgba.data() + 2 * y * row;
    for (std::size_t x = 0; x < half.width; ++x, in += 2 * kChannels) {
      for (std::size_t channel = 0; channel < kChannels; ++channel) {
        const std::uint8_t* at = in + channel;
        *out++ = static_cast<std::uint8_t>((at[0] + at[right] + at[below] + at[below + right] + 2) / 4);
      }
    }
  }
  return half;
}

}  // namespace

MipmappedBitmap with_mipmaps(Bitmap image) {
  MipmappedBitmap levels{std::move(image)};
  while (levels.back().width > 1 || levels.back().height > 1) levels.push_back(halved(levels.back()));
  return levels;
}

}  // namespace pchr::player
