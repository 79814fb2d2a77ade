// SPDX-License-Identifier: MIT
// The tiles of tilesets, and tilemaps laid of them.
#pragma once

#include "formats/px/cel.hpp"
#include "formats/px/file.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pchr::px {

/// Tiles of one size, inflated.
struct Tiles {
  std::uint32_t width = 0, height = 0;
  std::uint32_t count = 0;
  std::vector<std::uint8_t> rgba{};  ///< One after the other, multiplied by alpha; empty where they cannot be used.

  /// A row of a tile, which is there.
  [[nodiscard]] std::span<const std::uint8_t> row(std::uint32_t tile, std::uint32_t y) const noexcept {
    return std::span(rgba).subspan((std::size_t{tile} * height + y) * width * 4, std::size_t{width} * 4);
  }
};

/// The tiles of each tileset, as far as they have at most `most_pixels` together. A tile that cannot be used is left
/// transparent, with a remark.
[[nodiscard]] std::vector<Tiles> inflate_tiles(const File& file, std::uint64_t most_pixels, Remarks& remarks);

/// The canvas with a tile in each cell, clipped to it; `canvas` is room for it, and `tiles` has a size.
void lay_tiles(const TilemapContent& map, const Tiles& tiles, std::uint32_t canvas_width, std::uint32_t canvas_height,
               std::vector<std::uint8_t>& canvas);

}  // namespace pchr::px
