// SPDX-License-Identifier: MIT
// Checks that the PNG decoder does not make: structure, size and checksums.
#pragma once

#include <pchr/diagnostic.hpp>

#include <cstddef>

namespace PCHR_API pchr {

[[nodiscard]] bool is_png(std::span<const std::byte> bytes) noexcept;

struct PngSize {
  std::uint32_t width = 0, height = 0;
};

/// Returns the size in the header of a PNG file; nothing if the bytes end before it.
[[nodiscard]] std::optional<PngSize> png_size(std::span<const std::byte> bytes) noexcept;

/// Checks a PNG file without decoding pixels: signature, IHDR first with the expected size, every chunk whole with the
/// right CRC, image data, IEND at the end. Returns the first problem, with its offset in the PNG file.
[[nodiscard]] std::optional<Diagnostic> check_png(std::span<const std::byte> bytes, std::uint32_t width,
                                                  std::uint32_t height);

}  // namespace pchr
