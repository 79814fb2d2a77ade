// SPDX-License-Identifier: MIT
// Pictures of the kinds that artists save, told apart by content.
#pragma once

#include <pchr/image.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace pchr {

/// Decodes a BMP or PNG file of at most `most_pixels` to straight alpha. Fails with what is wrong.
[[nodiscard]] std::expected<Bitmap, std::string> decode_picture(std::span<const std::byte> bytes,
                                                                std::uint64_t most_pixels);

}  // namespace pchr
