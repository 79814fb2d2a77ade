// SPDX-License-Identifier: MIT
// .px files as plain data. Views point into the bytes of the file; offsets are the starts of models.
#pragma once

#include "import/diagnose.hpp"

#include <pchr/expected.hpp>
#include <pchr/import/artwork.hpp>

#include <cstddef>
#include <span>

namespace pchr::px {

/// Reference to an item by its identifier.
struct Entry {
  LayerKind kind = LayerKind::layer;
  std::string_view id;
};

/// A layer's content in one frame of the artwork.
struct Frame {
  std::string_view content;
  std::uint32_t ms = 0;
  float opacity = kInherited;  ///< 0 to 1, or kInherited to use the layer's.
  std::int16_t z_index = 0;

  static constexpr float kInherited = 2;
};

/// A layer of any kind, not yet placed in the tree. Only groups have children, and only tilemaps a tileset. Reference
/// layers have no frames.
struct Item : ArtworkLayer {
  std::string_view id{};
  std::vector<Frame> frames{};
  std::vector<Entry> children{}, cropping{}, clipping{};  ///< From bottom to top.
  std::string_view tileset{};
  std::span<const std::byte> png{};  ///< Reference layers only.
  std::uint64_t offset = 0;
};

struct Content {
  std::string_view id;
  std::span<const std::byte> deflated{};
  std::uint64_t offset = 0;
};

struct TilemapContent {
  std::string_view id;
  std::uint32_t tile_width = 0, tile_height = 0;
  std::span<const std::byte> cells{};  ///< uint16 each.
};

struct Tileset : ArtworkTileset {
  std::string_view id{};
  std::vector<std::span<const std::byte>> tiles{};  ///< Deflated.
  std::uint64_t offset = 0;
};

/// A file. Its artwork has no frames, layers or tilesets yet, and its tags can name frames that do not exist.
struct File : Artwork {
  std::vector<Entry> entries{};  ///< Top level, from bottom to top.
  std::vector<Item> items{};
  std::vector<Content> contents{};
  std::vector<TilemapContent> tilemap_contents{};
  std::vector<Tileset> deflated_tilesets{};
};

/// Reads a file. Warns about parts that are damaged, unknown or ignored. Fails on an invalid canvas size.
[[nodiscard]] Expected<File, Diagnostic> read_file(std::span<const std::byte> bytes, Warnings& warnings);

/// Returns an item's place in the file, for diagnostics.
[[nodiscard]] At place_of(const Item& item) noexcept;

}  // namespace pchr::px
