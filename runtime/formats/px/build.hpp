// SPDX-License-Identifier: MIT
// An artwork as bones, meshes and clips.
#pragma once

#include "formats/px/frames.hpp"

#include <pchr/character.hpp>

#include <expected>
#include <vector>

namespace pchr::px {

/// Each distinct picture becomes a mesh ruled by a bone of its own, visible in the frames that show it. y points up,
/// and the origin is the canvas's centre, to a whole pixel. Fails where the frames have more samples, or the images
/// more pixels, than the limits allow.
[[nodiscard]] std::expected<CharacterData, Finding> make_character(const File& file, const Tree& tree,
                                                                   const Frames& frames,
                                                                   const std::vector<Tiles>& tiles,
                                                                   const Limits& limits, Remarks& remarks);

}  // namespace pchr::px
