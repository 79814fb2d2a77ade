// SPDX-License-Identifier: MIT
// Decodes images to straight alpha; checks and writes PNG files.
#pragma once

#include <pchr/image.hpp>

namespace PCHR_API pchr {

/// Does what decode() does, with straight alpha.
[[nodiscard]] std::expected<Bitmap, Diagnostic> decode_straight(const Image& image, const Limits& limits);

[[nodiscard]] bool is_png(std::span<const std::byte> bytes) noexcept;

struct PngSize {
  std::uint32_t width = 0, height = 0;
};

/// Returns the size in the header of a PNG file; nothing if the bytes end before it.
[[nodiscard]] std::optional<PngSize> png_size(std::span<const std::byte> bytes) noexcept;

/// Makes the checks that the PNG decoder does not: signature, IHDR first with the expected size, every chunk whole with
/// the right CRC, image data, IEND at the end. Returns the first problem, with its offset in the PNG file.
[[nodiscard]] std::optional<Diagnostic> check_png(std::span<const std::byte> bytes, std::uint32_t width,
                                                  std::uint32_t height);

/// Returns a PNG file of straight-alpha RGBA pixels, 8 bits each, rows from top to bottom. Decoding it gives the same
/// bytes. `width` and `height` are 1 or more, and `rgba` has width * height * 4 bytes.
[[nodiscard]] std::vector<std::byte> write_png(std::uint32_t width, std::uint32_t height,
                                               std::span<const std::byte> rgba);

}  // namespace pchr
