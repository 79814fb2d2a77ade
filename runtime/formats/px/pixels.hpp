// SPDX-License-Identifier: MIT
// Compressed pixels of .px files.
#pragma once

#include "formats/px/inflate.hpp"

#include <pchr/artwork.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace pchr::px {

/// Inflates exactly as many pixels as there is room for in `rgba`: four bytes each, multiplied by alpha, or one byte
/// each, an index into `palette`. Which of the two, their length tells. Returns whether they are there; what `rgba`
/// holds if not is of no use.
[[nodiscard]] bool inflate_pixels(Inflater& inflater, std::span<const std::byte> deflated,
                                  std::span<const Rgba> palette, std::span<std::uint8_t> rgba);

}  // namespace pchr::px
