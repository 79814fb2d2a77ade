// SPDX-License-Identifier: MIT
// Aseprite artworks composed chunk by chunk, valid or not.
#pragma once

#include "support/files.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::test {

using AseColor = std::array<std::uint8_t, 4>;  ///< Red, green, blue and alpha, straight.
using AsePixels = std::vector<AseColor>;

/// Appends little-endian fields.
struct AseFields {
  Bytes bytes{};

  template <typename T>
  AseFields& number(T value) {
    return raw(std::as_bytes(std::span(&value, 1)));
  }
  AseFields& byte(int value) { return number(static_cast<std::uint8_t>(value)); }
  AseFields& word(int value) { return number(static_cast<std::uint16_t>(value)); }
  AseFields& dword(std::uint32_t value) { return number(value); }
  AseFields& raw(std::span<const std::byte> data) {
    bytes.insert(bytes.end(), data.begin(), data.end());
    return *this;
  }
  AseFields& string(std::string_view text) {
    return word(static_cast<int>(text.size())).raw(std::as_bytes(std::span(text)));
  }
  AseFields& zeros(std::size_t count) {
    bytes.resize(bytes.size() + count);
    return *this;
  }
};

/// A layer, group (type 1) or tilemap (type 2).
struct AseLayer {
  std::string name;
  int type = 0, level = 0, blend = 0, opacity = 255, flags = 1;
  std::uint32_t tileset = 0;
};

/// Place and look of a cel.
struct AseCel {
  int layer = 0, left = 0, top = 0, opacity = 255, z_index = 0;
};

struct AseFrame {
  int ms = 100;
  std::vector<Bytes> chunks{};
};

/// The contents of a file. They need not be consistent.
struct AseArtwork {
  int width = 1, height = 1, depth = 32, flags = 1, transparent_index = 0, speed = 100;
  std::array<int, 2> pixel_ratio{1, 1};
  std::vector<AseFrame> frames{1};
  std::optional<int> frame_count{};  ///< If the header declares another number.

  /// Appends a chunk to the last frame.
  AseArtwork& add(Bytes chunk) {
    frames.back().chunks.push_back(std::move(chunk));
    return *this;
  }
};

/// Returns a chunk of any type.
[[nodiscard]] Bytes ase_chunk(int type, const Bytes& content);
[[nodiscard]] Bytes ase_layer(const AseLayer& layer);
/// Returns a cel with deflated or raw pixels of any color depth.
[[nodiscard]] Bytes ase_cel(const AseCel& cel, int width, int height, std::span<const std::byte> pixels,
                            bool deflated = true);
[[nodiscard]] Bytes ase_cel(const AseCel& cel, int width, int height, const AsePixels& pixels);
[[nodiscard]] Bytes ase_link(const AseCel& cel, int frame);
/// Returns a cel with tiles of 32 bits: the index in the lowest 29 bits, flips in x, y and diagonally in those above.
[[nodiscard]] Bytes ase_tiles(const AseCel& cel, int columns, int rows, const std::vector<std::uint32_t>& tiles);
[[nodiscard]] Bytes ase_tileset(std::uint32_t id, int flags, int count, int width, int height,
                                std::span<const std::byte> pixels, std::string_view name = "tiles");
[[nodiscard]] Bytes ase_palette(const std::vector<AseColor>& colors, std::uint32_t first = 0);
/// Returns the palette of an older program, with colors of 8 bits or (types 0x000B and 0x0011) 6.
[[nodiscard]] Bytes ase_old_palette(const std::vector<AseColor>& colors, int type = 0x0004);
[[nodiscard]] Bytes ase_user_data(std::string_view text, const std::optional<AseColor>& color = {});

struct AseTag {
  std::string name;
  int first = 0, last = 0, direction = 0, repeats = 0;
};
[[nodiscard]] Bytes ase_tags(const std::vector<AseTag>& tags);

/// Returns the bytes of the pixels.
[[nodiscard]] Bytes ase_bytes(const AsePixels& pixels);
[[nodiscard]] Bytes ase_deflated(std::span<const std::byte> bytes);

[[nodiscard]] Bytes write_aseprite(const AseArtwork& artwork);

/// Returns an artwork of 4 x 4 pixels and three frames that has every kind of chunk and loads without warnings.
[[nodiscard]] AseArtwork full_aseprite();

}  // namespace pchr::test
