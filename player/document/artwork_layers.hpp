// SPDX-License-Identifier: MIT
// The list of a pixel artwork's layers.
#pragma once

#include <pchr/import/artwork.hpp>

namespace pchr::player {

struct LayerRow {
  std::uint32_t layer = 0;
  std::uint32_t depth = 0;
  bool foldable = false;  ///< Whether the layer has child layers or masks.
  bool seen = false;      ///< Whether the layer and all its ancestors are drawn.
};

struct ArtworkLayers {
  std::vector<std::uint8_t> folded{};  ///< Indexed by artwork layer.
  std::vector<LayerRow> rows{};
};

/// Returns whether a layer is enabled, regardless of its ancestors, even before the artwork is reloaded.
[[nodiscard]] bool is_drawn(const Artwork& artwork, const LayerChoice& choice, std::uint32_t layer) noexcept;
/// Returns `choice` with one layer enabled or disabled.
[[nodiscard]] LayerChoice with_layer(const Artwork& artwork, LayerChoice choice, std::uint32_t layer, bool drawn);

/// Lists the layers from top to bottom, without the children of folded ones. At first, the folding is the file's.
void list_layers(const Artwork& artwork, const LayerChoice& choice, ArtworkLayers& layers);

}  // namespace pchr::player
