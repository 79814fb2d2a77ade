// SPDX-License-Identifier: MIT
// Conversion of artworks to bones, meshes and clips.
#pragma once

#include "import/px/frames.hpp"

#include <pchr/character.hpp>

namespace pchr::px {

struct PixelSize {
  std::uint32_t width = 0, height = 0;
};

struct AtlasPlace {
  std::size_t page = 0;
  std::uint32_t x = 0, y = 0;
};

struct Atlas {
  std::vector<AtlasPlace> places{};  ///< One per image.
  std::vector<PixelSize> pages{};
};

/// Packs images onto shelves, one pixel apart. Pages are at most 4096 pixels on a side, except that a larger image gets
/// a larger page.
[[nodiscard]] Atlas pack(std::span<const PixelSize> images);

/// Turns each distinct image into a mesh with its own bone, visible in the frames that show it. y points up; the origin
/// is the canvas's center, rounded to a whole pixel. Fails if the frames exceed the limit of samples, or the images the
/// limit of pixels.
[[nodiscard]] Expected<std::pair<CharacterData, Artwork>, Diagnostic> make_character(const File& file, const Tree& tree,
                                                                                     const Frames& frames,
                                                                                     const std::vector<Tiles>& tiles,
                                                                                     const Limits& limits,
                                                                                     Warnings& warnings);

}  // namespace pchr::px
