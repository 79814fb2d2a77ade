// SPDX-License-Identifier: MIT
// The images of an artwork's frames.
#pragma once

#include "import/px/layers.hpp"
#include "import/px/pixels.hpp"

#include <pchr/load.hpp>

namespace pchr::px {

/// Returns the cels of the reference layers that are drawn, one for each item of `file`, absent for all others. Their
/// images have at most `max_pixels` together, and so has what they cover. One that cannot be used is left out with a
/// warning.
[[nodiscard]] std::vector<CelPointer> place_references(const File& file, const Tree& tree, std::uint64_t max_pixels,
                                                       Warnings& warnings);

struct FramePicture {
  std::int32_t picture = -1;  ///< Index into Frames::pictures; -1: none.
  std::int32_t left = 0, top = 0;
};

struct Frames {
  std::vector<CelPointer> pictures{};  ///< Distinct, trimmed, straight alpha, in order of their first frames.
  std::vector<FramePicture> frames{};
};

/// Composes the drawn layers of each frame, on several threads. Frames that show the same are composed once, and equal
/// pictures are one. Fails where this would take more than the limits allow.
[[nodiscard]] std::expected<Frames, Diagnostic> compose_frames(const File& file, const Tree& tree,
                                                               const std::vector<Tiles>& tiles,
                                                               std::span<const CelPointer> references,
                                                               const Limits& limits, Warnings& warnings);

}  // namespace pchr::px
