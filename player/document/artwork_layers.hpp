// SPDX-License-Identifier: MIT
// The list of a pixel artwork's layers.
#pragma once

#include <pchr/import/artwork.hpp>

namespace pchr::player {

struct LayerRow {
  std::uint32_t layer = 0;
  std::uint32_t depth = 0;
  bool foldable = false;  ///< It has layers or masks of its own.
  bool seen = false;      ///< It and all of its parents are drawn.
};

struct ArtworkLayers {
  std::vector<std::uint8_t> folded{};  ///< Per layer of the artwork.
  std::vector<LayerRow> rows{};
};

/// Returns whether a layer is to be drawn as far as it decides itself, even before the artwork is read again.
[[nodiscard]] bool is_drawn(const Artwork& artwork, const LayerChoice& choice, std::uint32_t layer) noexcept;
/// Returns `choice` with one layer drawn or not.
[[nodiscard]] LayerChoice with_layer(const Artwork& artwork, LayerChoice choice, std::uint32_t layer, bool drawn);

/// Lists the layers from top to bottom without the children of folded ones, which at first are those of the artist.
void list_layers(const Artwork& artwork, const LayerChoice& choice, ArtworkLayers& layers);

}  // namespace pchr::player
