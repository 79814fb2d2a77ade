// SPDX-License-Identifier: MIT
// PNG files made chunk by chunk, valid or not.
#pragma once

#include "support/files.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace pchr::test {

struct PngHeader {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint8_t bit_depth = 8;
  std::uint8_t color_type = 6;
  std::uint8_t interlace = 0;
};

/// A PNG's beginning: the signature and IHDR.
[[nodiscard]] Bytes png_start(const PngHeader& header);
/// Appends one chunk with the right checksum.
void png_chunk(Bytes& png, std::string_view type, std::span<const std::byte> data);
/// `rows` (each with its filter byte) as zlib data.
[[nodiscard]] Bytes deflate(std::span<const std::byte> rows, int level = 9);
/// A whole PNG whose inflated rows are `rows`.
[[nodiscard]] Bytes png_of_rows(const PngHeader& header, std::span<const std::byte> rows, int level = 9);
/// Samples of one pixel.
[[nodiscard]] unsigned channels_of(const PngHeader& header) noexcept;
/// A whole PNG of any color type, depth and interlacing. `samples` are `channels_of` per pixel, rows from the top; of
/// an indexed one, indices into `palette`, which is three bytes per color.
[[nodiscard]] Bytes png_of_samples(const PngHeader& header, std::span<const std::uint16_t> samples,
                                   std::span<const std::byte> palette = {});
/// A whole RGBA PNG of straight-alpha pixels.
[[nodiscard]] Bytes png_of(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgba);
/// A whole RGB PNG.
[[nodiscard]] Bytes png_of_rgb(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgb);

}  // namespace pchr::test
