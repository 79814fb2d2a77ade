// SPDX-License-Identifier: MIT
// JPEG, GIF and WebP files for tests, written by their reference libraries.
#pragma once

#include "support/files.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace pchr::test {

struct JpegOptions {
  int channels = 3;  ///< 1 for grayscale, 4 for CMYK.
  bool progressive = false;
  bool adobe = false;          ///< Adds the Adobe marker, whose CMYK is inverted.
  bool scan_per_term = false;  ///< Progressive, with the largest possible number of scans: more than a hundred.
};

/// Returns a JPEG file of the highest quality. `samples` has `channels` values per pixel.
[[nodiscard]] Bytes jpeg_of(int width, int height, std::span<const std::uint8_t> samples, const JpegOptions& options);

struct GifOptions {
  int canvas_width = 0, canvas_height = 0;  ///< 0 means the size of the frame.
  int left = 0, top = 0;                    ///< Position of the frame on the canvas.
  bool interlaced = false;
  bool own_colors = false;  ///< Gives the colors to the frame instead of the file.
  int transparent = -1;     ///< Index of the transparent color, or -1.
};

/// Returns a GIF file with one frame, in the four colors of `gif_color`.
[[nodiscard]] Bytes gif_of(int width, int height, std::span<const std::uint8_t> indices,
                           const GifOptions& options = {});
[[nodiscard]] std::array<std::uint8_t, 3> gif_color(std::uint8_t index) noexcept;

/// Returns a WebP file. Lossless keeps every pixel.
[[nodiscard]] Bytes webp_of(int width, int height, std::span<const std::uint8_t> rgba, bool lossless);

}  // namespace pchr::test
