// SPDX-License-Identifier: MIT
// The JPEG format.
#pragma once

#include <pchr/image.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace pchr {

/// Whether bytes begin as a JPEG file does.
[[nodiscard]] bool is_jpeg(std::span<const std::byte> bytes) noexcept;

/// Decodes a JPEG file, baseline or progressive, of grayscale, color or CMYK pixels. The orientation that a camera
/// notes in it is ignored. Fails with what is wrong where the file is broken, cut short, or has more than `max_pixels`.
[[nodiscard]] std::expected<Bitmap, std::string> decode_jpeg(std::span<const std::byte> bytes,
                                                             std::uint64_t max_pixels);

}  // namespace pchr
