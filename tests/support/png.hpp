// SPDX-License-Identifier: MIT
// PNG files composed chunk by chunk, valid or not.
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

/// Returns the start of a PNG: the signature and IHDR.
[[nodiscard]] Bytes png_start(const PngHeader& header);
/// Appends a chunk with a correct checksum.
void png_chunk(Bytes& png, std::string_view type, std::span<const std::byte> data);
/// Returns `rows` (each with its filter byte) as zlib data.
[[nodiscard]] Bytes deflate(std::span<const std::byte> rows, int level = 9);
/// Returns a complete PNG whose inflated rows are `rows`.
[[nodiscard]] Bytes png_of_rows(const PngHeader& header, std::span<const std::byte> rows, int level = 9);
/// Returns the number of samples per pixel.
[[nodiscard]] unsigned channels_of(const PngHeader& header) noexcept;
/// Returns a complete PNG of any color type, depth and interlacing. `samples` has `channels_of` values per pixel, top
/// row first. For indexed color they are indices into `palette`, which has three bytes per color.
[[nodiscard]] Bytes png_of_samples(const PngHeader& header, std::span<const std::uint16_t> samples,
                                   std::span<const std::byte> palette = {});
/// Returns a complete RGBA PNG with straight alpha.
[[nodiscard]] Bytes png_of(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgba);
/// Returns a complete RGB PNG.
[[nodiscard]] Bytes png_of_rgb(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgb);

}  // namespace pchr::test
