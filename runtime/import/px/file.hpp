// SPDX-License-Identifier: MIT
// A .px file as plain data.
#pragma once

#include "character/warnings.hpp"

#include <pchr/import/artwork.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr::px {

/// Names something of the file by its identifier. Whatever it says points into the file's bytes.
struct Entry {
  LayerKind kind = LayerKind::layer;
  std::string_view id;
};

/// What a layer shows in a frame of the artwork.
struct Frame {
  std::string_view content;
  std::uint32_t ms = 0;
  float opacity = kInherited;  ///< 0 to 1, or the layer's.
  std::int16_t z_index = 0;

  static constexpr float kInherited = 2;
};

/// A layer of any kind. Only groups have children, only tilemaps a tileset; a reference layer has neither, nor frames.
struct Item {
  LayerKind kind = LayerKind::layer;
  std::string_view id;
  std::string name;
  std::vector<Frame> frames{};
  std::vector<Entry> children{}, cropping{}, clipping{};  ///< From bottom to top.
  std::string_view tileset{};
  float opacity = 1;
  bool visible = true;
  BlendMode blend = BlendMode::normal;
  Rgba tag_color{};
  bool expanded = true;
  ArtworkReference reference{};  ///< Only of a reference layer, as its picture.
  std::span<const std::byte> png{};
  std::uint64_t offset = 0;  ///< Where it begins in the file, as of the others.
};

/// The pixels of a layer in some of its frames.
struct Content {
  std::string_view id;
  std::span<const std::byte> deflated{};
  std::uint64_t offset = 0;
};

struct TilemapContent {
  std::string_view id;
  std::uint32_t tile_width = 0, tile_height = 0;
  std::span<const std::byte> cells{};  ///< uint16 each.
  std::uint64_t offset = 0;
};

struct Tileset {
  std::string_view id;
  std::string name;
  std::uint32_t tile_width = 0, tile_height = 0;
  std::vector<std::span<const std::byte>> tiles{};  ///< Deflated.
  std::uint32_t columns = 6;
  std::uint64_t offset = 0;
};

struct File {
  std::uint32_t width = 0, height = 0;
  std::vector<Entry> entries{};  ///< The topmost level, from bottom to top.
  std::vector<Item> items{};
  std::vector<Content> contents{};
  std::vector<TilemapContent> tilemap_contents{};
  std::vector<Tileset> tilesets{};
  std::vector<Rgba> palette{};
  std::vector<ArtworkTag> tags{};  ///< As the file has them: their frames need not exist, and they have no clips.
  std::vector<ArtworkSymmetry> symmetry_lines{};
  std::optional<ArtworkGuide> guide{};
  std::optional<ArtworkCanvasGrid> canvas_grid{};
  bool indexed = false;
  double speed = 1;
};

/// Whether bytes are a .px file, which has no magic number: they begin as the program writes them, a header of zeros
/// and an identifier of 36 characters, or they are as many as they say and then name an identifier and a canvas.
[[nodiscard]] bool has_px_header(std::span<const std::byte> bytes) noexcept;

/// Reads what there is; what is damaged, unknown or without effect is warned about. Fails where the canvas is none.
[[nodiscard]] std::expected<File, Diagnostic> read_file(std::span<const std::byte> bytes, Warnings& warnings);

/// The part of the file in which items of that kind are, in the words of diagnostics: "layers", "groups".
[[nodiscard]] std::string_view section_of(LayerKind kind) noexcept;

}  // namespace pchr::px
