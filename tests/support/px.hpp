// SPDX-License-Identifier: MIT
// Pixquare artworks made field by field, sound or not.
#pragma once

#include "support/files.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pchr::test {

using PxColour = std::array<std::uint8_t, 4>;  ///< Red, green, blue, alpha; the first three multiplied by alpha.
using PxPixels = std::vector<PxColour>;

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

/// A regular layer, a group or a tilemap layer; what its kind does not have is not written.
struct PxLayer {
  std::string id;
  std::string name;
  std::vector<PxFrame> frames{};
  std::vector<PxEntry> children{};
  float opacity = 1;
  bool visible = true;
  std::uint16_t blend = 0;
  std::vector<PxEntry> cropping{}, clipping{};
  PxColour tag_colour{};
  std::vector<std::uint8_t> effects{};  ///< Their types; all of them enabled.
  std::string tileset{};
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

/// What it says need not be true.
struct PxArtwork {
  std::uint32_t width = 1, height = 1;
  std::vector<PxEntry> entries{};  ///< From bottom to top.
  std::vector<PxLayer> groups{}, layers{}, tilemaps{};
  std::vector<PxContent> contents{};
  std::vector<PxColour> palette{};
  std::vector<PxLayer> references{};
  std::vector<PxTag> tags{};
  std::vector<PxTileset> tilesets{};
  std::vector<PxTilemapContent> tilemap_contents{};
  bool indexed = false;
  std::vector<std::uint8_t> post_processors{};  ///< Their types.
  std::vector<float> speeds{};                  ///< Modifiers.
  Bytes after{};                                ///< What follows the last part.

  /// Adds a layer on top whose frames show `pictures`, one each, and returns it.
  PxLayer& add_layer(const std::string& name, const std::vector<PxPixels>& pictures);
};

/// As these files have them: zlib's format without the checksum at its end.
[[nodiscard]] Bytes px_deflated(std::span<const std::byte> bytes);
[[nodiscard]] Bytes px_deflated(const PxPixels& pixels);

[[nodiscard]] Bytes write_px(const PxArtwork& artwork);

}  // namespace pchr::test
