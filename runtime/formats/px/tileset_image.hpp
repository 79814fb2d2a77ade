// SPDX-License-Identifier: MIT
// Tilesets as images to look at.
#pragma once

#include "formats/px/tiles.hpp"

#include <pchr/character.hpp>

#include <cstdint>
#include <vector>

namespace pchr::px {

/// Describes the tilesets and adds an image of each to `images`, as far as `most_pixels` suffice.
[[nodiscard]] std::vector<ArtworkTileset> add_tileset_images(const File& file, const std::vector<Tiles>& tiles,
                                                             std::uint64_t most_pixels, std::vector<Image>& images);

}  // namespace pchr::px
