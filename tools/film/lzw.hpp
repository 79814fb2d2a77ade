// SPDX-License-Identifier: MIT
// The compression of GIF.
#pragma once

#include "film/film.hpp"

#include <cstdint>
#include <span>

namespace pchr::film {

/// The image data of a GIF: the smallest code's size, then LZW codes in blocks, then an empty block. `indices` are
/// below 2 to the power of `bits`, which is 2 to 8.
[[nodiscard]] Bytes compress_lzw(std::span<const std::uint8_t> indices, unsigned bits);

}  // namespace pchr::film
