// SPDX-License-Identifier: MIT
// Images of the formats that artists save in, told apart by content.
#pragma once

#include <pchr/image.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace pchr {

/// Decodes a BMP, PNG, JPEG, GIF (its first frame), WebP or TGA file of at most `max_pixels` to straight alpha. Fails
/// with what is wrong.
[[nodiscard]] std::expected<Bitmap, std::string> decode_picture(std::span<const std::byte> bytes,
                                                                std::uint64_t max_pixels);

}  // namespace pchr
