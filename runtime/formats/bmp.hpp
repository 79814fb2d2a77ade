// SPDX-License-Identifier: MIT
// The BMP format of Windows and OS/2.
#pragma once

#include <pchr/image.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace pchr {

/// Whether bytes begin as a BMP file does.
[[nodiscard]] bool is_bmp(std::span<const std::byte> bytes) noexcept;

/// Decodes a BMP file of 1, 4 or 8 bits (run-length encoded or not), 16, 24 or 32 bits (with any masks), its rows in
/// either order. All pixels are opaque: programs leave anything in the fourth byte. Fails with what is wrong where the
/// file is broken, cut short, of a rarer kind, or has more than `most_pixels`.
[[nodiscard]] std::expected<Bitmap, std::string> decode_bmp(std::span<const std::byte> bytes,
                                                            std::uint64_t most_pixels);

}  // namespace pchr
