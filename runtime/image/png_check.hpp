// SPDX-License-Identifier: MIT
// What a PNG decoder here does not check: structure, size and checksums.
#pragma once

#include <pchr/diagnostic.hpp>

#include <cstddef>

namespace PCHR_API pchr {

/// Whether bytes begin with the PNG signature.
[[nodiscard]] bool is_png(std::span<const std::byte> bytes) noexcept;

struct PngSize {
  std::uint32_t width = 0, height = 0;
};

/// The size that a PNG file says it has. Nothing if the bytes end before it.
[[nodiscard]] std::optional<PngSize> png_size(std::span<const std::byte> bytes) noexcept;

/// Walks the chunks of a PNG file without decoding pixels: signature, IHDR first with the expected size,
/// every chunk whole with its CRC right, image data present, IEND at the end. Returns the first
/// problem, with its offset in the PNG file.
[[nodiscard]] std::optional<Diagnostic> check_png(std::span<const std::byte> bytes, std::uint32_t width,
                                                  std::uint32_t height);

}  // namespace pchr
