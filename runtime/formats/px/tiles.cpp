// SPDX-License-Identifier: MIT
// The tiles of tilesets, and tilemaps laid of them.
#include "formats/px/tiles.hpp"

#include "formats/px/inflate.hpp"
#include "formats/px/pixels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace pchr::px {
namespace {

constexpr std::uint16_t kNoTile = 0xFFFF;
constexpr std::uint32_t kMostTileSide = 16384;

Tiles inflate_tileset(const File& file, const Tileset& set, std::uint64_t most_pixels, Inflater& inflater,
                      Remarks& remarks) {
  const auto remark = [&](std::string detail) {
    remarks.add(FindingId::px_pixels_unusable, [&] {
      return finding_in(FindingId::px_pixels_unusable, "tilesets", set.name, set.offset, std::move(detail));
    });
  };
  Tiles tiles{set.tile_width, set.tile_height, static_cast<std::uint32_t>(set.tiles.size())};
  const std::uint64_t tile_pixels = std::uint64_t{tiles.width} * tiles.height;
  if (tile_pixels == 0 || std::max(tiles.width, tiles.height) > kMostTileSide) {
    remark(fmt::format("its tiles have {} x {} pixels", tiles.width, tiles.height));
    return tiles;
  }
  if (set.tiles.size() > most_pixels / tile_pixels) {
    remark(fmt::format("its {} tiles of {} x {} pixels are more than is allowed", set.tiles.size(), tiles.width,
                       tiles.height));
    return tiles;
  }
  tiles.rgba.resize(set.tiles.size() * tile_pixels * 4);
  std::size_t unusable = 0;
  for (std::size_t i = 0; i < set.tiles.size(); ++i) {
    const auto place = std::span(tiles.rgba).subspan(i * tile_pixels * 4, tile_pixels * 4);
    if (!inflate_pixels(inflater, set.tiles[i], file.palette, place)) {
      std::ranges::fill(place, std::uint8_t{0});
      ++unusable;
    }
  }
  if (unusable > 0) remark(fmt::format("{} of its {} tiles are broken or of another size", unusable, set.tiles.size()));
  return tiles;
}

/// How many cells lie side by side.
std::uint32_t columns_of(const TilemapContent& map, std::uint32_t canvas_width, std::uint32_t canvas_height) noexcept {
  const auto rounded_up = [](std::uint64_t size, std::uint64_t cell) { return (size + cell - 1) / cell; };
  const std::uint64_t cells = map.cells.size() / sizeof(std::uint16_t);
  const std::uint64_t more = rounded_up(canvas_width, map.tile_width);
  if (cells == more * rounded_up(canvas_height, map.tile_height)) return static_cast<std::uint32_t>(more);
  return canvas_width / map.tile_width;
}

}  // namespace

std::vector<Tiles> inflate_tiles(const File& file, std::uint64_t most_pixels, Remarks& remarks) {
  std::vector<Tiles> result;
  Inflater inflater;
  for (const Tileset& set : file.tilesets) {
    result.push_back(inflate_tileset(file, set, most_pixels, inflater, remarks));
    most_pixels -= result.back().rgba.size() / 4;
  }
  return result;
}

void lay_tiles(const TilemapContent& map, const Tiles& tiles, std::uint32_t canvas_width, std::uint32_t canvas_height,
               std::vector<std::uint8_t>& canvas) {
  std::ranges::fill(canvas, std::uint8_t{0});
  if (map.tile_width == 0 || map.tile_height == 0 || tiles.rgba.empty()) return;
  const std::uint32_t columns = columns_of(map, canvas_width, canvas_height);
  if (columns == 0) return;
  const std::size_t cells = map.cells.size() / sizeof(std::uint16_t);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::uint16_t tile = kNoTile;
    std::memcpy(&tile, map.cells.data() + cell * sizeof(tile), sizeof(tile));
    const std::uint64_t left = cell % columns * map.tile_width, top = cell / columns * map.tile_height;
    if (top >= canvas_height) return;
    if (tile == kNoTile || tile >= tiles.count || left >= canvas_width) continue;
    const std::uint64_t width =
        std::min({std::uint64_t{tiles.width}, std::uint64_t{map.tile_width}, canvas_width - left});
    const std::uint64_t height =
        std::min({std::uint64_t{tiles.height}, std::uint64_t{map.tile_height}, canvas_height - top});
    for (std::uint32_t y = 0; y < height; ++y) {
      std::memcpy(canvas.data() + ((top + y) * canvas_width + left) * 4, tiles.row(tile, y).data(), width * 4);
    }
  }
}

}  // namespace pchr::px
