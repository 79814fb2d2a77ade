// SPDX-License-Identifier: MIT
// Tilesets as images to look at.
#include "formats/px/tileset_image.hpp"

#include "formats/px/blend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace pchr::px {
namespace {

/// An image can have this many pixels on a side.
constexpr std::uint64_t kMostSide = 65535;

Image make_image(const Tiles& tiles, std::uint32_t columns, const std::string& name) {
  const std::uint32_t rows = (tiles.count + columns - 1) / columns;
  Image image{name, columns * tiles.width, rows * tiles.height, ImageEncoding::rgba8888, {}};
  image.bytes.resize(std::size_t{image.width} * image.height * 4);
  auto* const pixels = reinterpret_cast<std::uint8_t*>(image.bytes.data());
  std::vector<Colour> row(tiles.width);
  for (std::uint32_t tile = 0; tile < tiles.count; ++tile) {
    const std::size_t left = std::size_t{tile % columns} * tiles.width;
    const std::size_t top = std::size_t{tile / columns} * tiles.height;
    for (std::uint32_t y = 0; y < tiles.height; ++y) {
      load(tiles.row(tile, y).data(), row);
      store_straight(row, pixels + ((top + y) * image.width + left) * 4);
    }
  }
  return image;
}

}  // namespace

std::vector<ArtworkTileset> add_tileset_images(const File& file, const std::vector<Tiles>& tiles,
                                               std::uint64_t most_pixels, std::vector<Image>& images) {
  std::vector<ArtworkTileset> result;
  for (std::size_t i = 0; i < file.tilesets.size(); ++i) {
    const Tileset& set = file.tilesets[i];
    const Tiles& own = tiles[i];
    const std::uint32_t columns = std::clamp(set.columns, 1U, std::max(own.count, 1U));
    ArtworkTileset& described =
        result.emplace_back(ArtworkTileset{set.name, own.width, own.height, own.count, columns, {}});
    const std::uint64_t width = std::uint64_t{columns} * own.width;
    const std::uint64_t height = std::uint64_t{(own.count + columns - 1) / columns} * own.height;
    const bool has_size = !own.rgba.empty() && std::max(width, height) <= kMostSide;
    if (!has_size || width * height > most_pixels) continue;
    most_pixels -= width * height;
    described.image = static_cast<std::uint32_t>(images.size());
    images.push_back(make_image(own, columns, set.name.empty() ? fmt::format("tileset {}", i + 1) : set.name));
  }
  return result;
}

}  // namespace pchr::px
