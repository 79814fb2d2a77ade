// SPDX-License-Identifier: MIT
// An artwork as bones, meshes and clips.
#pragma once

#include "import/px/frames.hpp"

#include <pchr/character.hpp>

namespace pchr::px {

struct PictureSize {
  std::uint32_t width = 0, height = 0;
};

struct AtlasPlace {
  std::size_t page = 0;
  std::uint32_t x = 0, y = 0;
};

struct Atlas {
  std::vector<AtlasPlace> places{};  ///< One per picture.
  std::vector<PictureSize> pages{};
};

/// Packs pictures onto shelves, a pixel apart. Pages have at most 4096 pixels on a side, but for one that a larger
/// picture has for itself.
[[nodiscard]] Atlas pack(std::span<const PictureSize> pictures);

/// Makes each distinct picture a mesh with a bone of its own, visible in the frames that show it. y points up, and the
/// origin is the canvas's center, to a whole pixel. Fails where the frames have more samples, or the images more
/// pixels, than the limits allow.
[[nodiscard]] std::expected<std::pair<CharacterData, Artwork>, Diagnostic> make_character(
    const File& file, const Tree& tree, const Frames& frames, const std::vector<Tiles>& tiles, const Limits& limits,
    Warnings& warnings);

}  // namespace pchr::px
