// SPDX-License-Identifier: MIT
// JPEG, GIF and WebP files of tests, written by the libraries that define them.
#pragma once

#include "support/files.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace pchr::test {

struct JpegOptions {
  int channels = 3;  ///< 1: grayscale. 4: CMYK.
  bool progressive = false;
  bool adobe = false;          ///< Marked as Adobe's, whose CMYK is inverted.
  bool scan_per_term = false;  ///< Progressive with as many scans as there can be, more than a hundred.
};

/// A JPEG file of the best quality. `samples` has `channels` values per pixel.
[[nodiscard]] Bytes jpeg_of(int width, int height, std::span<const std::uint8_t> samples, const JpegOptions& options);

struct GifOptions {
  int canvas_width = 0, canvas_height = 0;  ///< 0: the frame's.
  int left = 0, top = 0;                    ///< The frame's place in the canvas.
  bool interlaced = false;
  bool own_colors = false;  ///< The frame has the colors, not the file.
  int transparent = -1;     ///< The color that is transparent.
};

/// A GIF file of one frame, in the four colors of `gif_color`.
[[nodiscard]] Bytes gif_of(int width, int height, std::span<const std::uint8_t> indices,
                           const GifOptions& options = {});
[[nodiscard]] std::array<std::uint8_t, 3> gif_color(std::uint8_t index) noexcept;

/// A WebP file; a lossless one keeps every pixel.
[[nodiscard]] Bytes webp_of(int width, int height, std::span<const std::uint8_t> rgba, bool lossless);

}  // namespace pchr::test
