// SPDX-License-Identifier: MIT
// Pixquare artworks composed field by field, valid or not.
#pragma once

#include "support/files.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pchr::test {

using PxColor = std::array<std::uint8_t, 4>;  ///< Red, green, blue and alpha, premultiplied.
using PxPixels = std::vector<PxColor>;

enum class PxType : std::uint8_t { layer, group, reference, tilemap };

struct PxEntry {
  PxType type = PxType::layer;
  std::string id;
};

struct PxFrame {
  std::string content;
  std::uint32_t ms = 100;
  float opacity = 2;
  std::int16_t z_index = 0;
};

/// A regular layer, a group or a tilemap layer. Fields that its kind does not have are not written.
struct PxLayer {
  std::string id;
  std::string name;
  std::vector<PxFrame> frames{};
  std::vector<PxEntry> children{};
  float opacity = 1;
  bool visible = true;
  std::uint16_t blend = 0;
  std::vector<PxEntry> cropping{}, clipping{};
  PxColor tag_color{};
  std::vector<std::uint8_t> effects{};  ///< Effect types. All effects are enabled.
  std::string tileset{};
};

struct PxReference {
  std::string id{}, name{};
  Bytes png{};
  float opacity = 1;
  bool visible = true;
  std::int32_t left = 0, top = 0;
  std::uint32_t width = 1, height = 1;
  float radians = 0;
  std::uint8_t flips = 0;  ///< 1 flips horizontally, 2 vertically.
  PxColor tag_color{};
};

struct PxSymmetryLine {
  PxColor color{};
  bool enabled = true;
  float x = 0, y = 0, radians = 0;
  std::uint8_t segments = 2, type = 0;
};

/// A guide. Type 2 (perspective) uses points and flags. The others use size, color and flags.
struct PxGuide {
  std::uint8_t type = 0;
  std::uint32_t width = 0, height = 0;
  PxColor color{};
  bool visible = false;
  std::vector<float> xs{}, ys{};
  std::vector<std::uint32_t> lines{};
  std::vector<PxColor> colors{};
};

struct PxCanvasGrid {
  std::uint32_t width = 0, height = 0;
  PxColor first{}, second{};
};

struct PxContent {
  std::string id;
  Bytes deflated{};
};

struct PxTag {
  std::string name;
  std::uint16_t first = 0, last = 0;
  std::uint8_t direction = 0;
  std::uint16_t repeats = 0;
  bool enabled = true;
};

struct PxTileset {
  std::string id, name;
  std::uint32_t tile_width = 1, tile_height = 1;
  std::vector<Bytes> tiles{};  ///< Deflated.
  std::uint16_t columns = 6;
};

struct PxTilemapContent {
  std::string id;
  std::uint32_t tile_width = 1, tile_height = 1;
  std::vector<std::uint16_t> cells{};
};

/// The contents of an artwork file. They need not be consistent.
struct PxArtwork {
  std::uint32_t width = 1, height = 1;
  std::vector<PxEntry> entries{};  ///< From bottom to top.
  std::vector<PxLayer> groups{}, layers{}, tilemaps{};
  std::vector<PxContent> contents{};
  std::vector<PxColor> palette{};
  std::vector<PxReference> references{};
  std::vector<Bytes> reference_pngs{};  ///< Excludes the reference layers.
  std::vector<PxSymmetryLine> symmetry_lines{};
  std::vector<PxTag> tags{};
  std::vector<PxTileset> tilesets{};
  std::vector<PxTilemapContent> tilemap_contents{};
  bool indexed = false;
  PxCanvasGrid canvas_grid{};
  PxGuide guide{};
  std::vector<std::uint8_t> post_processors{};  ///< Post-processor types.
  std::vector<float> speeds{};                  ///< Speed modifiers.
  Bytes after{};                                ///< Bytes after the last part.
  std::string id = "00000000-0000-4000-8000-000000000000";
  /// Follows the format document literally: sizes include the header, a tilemap layer's header is only its size,
  /// tilemaps have a cell count, and the guide is bare and comes last.
  bool by_the_document = false;

  /// Adds a layer on top whose frames show `images`, one each, and returns it.
  PxLayer& add_layer(const std::string& name, const std::vector<PxPixels>& images);
};

/// Deflates data as these files store it: zlib format without the final checksum.
[[nodiscard]] Bytes px_deflated(std::span<const std::byte> bytes);
[[nodiscard]] Bytes px_deflated(const PxPixels& pixels);

[[nodiscard]] Bytes write_px(const PxArtwork& artwork);

}  // namespace pchr::test
