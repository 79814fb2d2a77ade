// SPDX-License-Identifier: MIT
// The TGA format, in which tools that extract games keep textures.
#pragma once

#include <pchr/image.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace pchr {

/// Whether bytes begin with a header that a TGA file can have. The format has no signature.
[[nodiscard]] bool looks_like_tga(std::span<const std::byte> bytes) noexcept;

/// Decodes a TGA file of 8 (grey or by a colour table), 16, 24 or 32 bits, run-length encoded or not, its rows in
/// either order, to straight alpha. A file does not say by its beginning that it is one. Fails with what is wrong where
/// it is broken, cut short, of a rarer kind, or has more than `most_pixels`.
[[nodiscard]] std::expected<Bitmap, std::string> decode_tga(std::span<const std::byte> bytes,
                                                            std::uint64_t most_pixels);

}  // namespace pchr
