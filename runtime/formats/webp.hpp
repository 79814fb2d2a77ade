// SPDX-License-Identifier: MIT
// The WebP format.
#pragma once

#include <pchr/image.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace pchr {

/// Whether bytes begin as a WebP file does.
[[nodiscard]] bool is_webp(std::span<const std::byte> bytes) noexcept;

/// Decodes a still WebP file, lossy or lossless, to straight alpha. Fails with what is wrong where the file is broken,
/// cut short, animated, or has more than `max_pixels`.
[[nodiscard]] std::expected<Bitmap, std::string> decode_webp(std::span<const std::byte> bytes,
                                                             std::uint64_t max_pixels);

}  // namespace pchr
