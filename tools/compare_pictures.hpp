// SPDX-License-Identifier: MIT
// How far two pictures differ.
#pragma once

#include "common.hpp"

#include <pchr/image.hpp>

#include <cstdint>
#include <string>

namespace pchr::tools {

/// The score is that of the square of 8 x 8 pixels that differs most: the mean difference of its premultiplied
/// channels, from 0, the same, to 1, as different as can be. So it does not matter how large the pictures are, a
/// rounded edge gives less than 0.01, and what anyone sees more than 0.02.
struct PictureDifference {
  double score = 0;
  std::uint32_t x = 0, y = 0;  ///< The top left of that square.
  std::uint64_t pixels = 0;    ///< That differ at all.
  std::uint32_t most = 0;      ///< The largest difference of a channel, of 255.
};

/// What every help text says of it.
inline constexpr char kScoreMeaning[] =
    "The score is the mean difference of all channels in the square of 8x8 pixels that differs most: 0 the same,\n"
    "1 as different as can be; below 0.01 are edges rounded otherwise, above 0.02 anyone sees it.";

/// Of two premultiplied pictures of one size.
[[nodiscard]] PictureDifference compare_pictures(const Bitmap& a, const Bitmap& b);

/// Where they differ: the second one pale on white, and each pixel that differs the redder the more it does. Opaque.
[[nodiscard]] Bitmap draw_difference(const Bitmap& a, const Bitmap& b);

/// Reads a PNG file, or one from standard input for "-", as premultiplied pixels.
[[nodiscard]] Result<Bitmap> read_png(const std::string& path, const Limits& limits);

}  // namespace pchr::tools
