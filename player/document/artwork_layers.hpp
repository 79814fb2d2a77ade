// SPDX-License-Identifier: MIT
// The layers of a pixel artwork: which are listed, and which are drawn.
#pragma once

#include <pchr/import/artwork.hpp>

#include <cstdint>
#include <vector>

namespace pchr::player {

struct LayerRow {
  std::uint32_t layer = 0;
  std::uint32_t depth = 0;
  bool foldable = false;  ///< It has layers or masks of its own.
  bool seen = false;      ///< It and all of its parents are drawn.
};

/// What the list keeps from frame to frame.
struct ArtworkLayers {
  std::vector<std::uint8_t> folded{};  ///< Per layer of the artwork.
  std::vector<LayerRow> rows{};
};

/// Returns whether it shall be drawn, by itself: as was asked for, even before the artwork is read again.
[[nodiscard]] bool is_drawn(const Artwork& artwork, const LayerChoice& choice, std::uint32_t layer) noexcept;
/// `choice` with one layer drawn or not.
[[nodiscard]] LayerChoice with_layer(const Artwork& artwork, LayerChoice choice, std::uint32_t layer, bool drawn);

/// Lists the layers from top to bottom but for those below folded ones, which at first are the artist's.
void list_layers(const Artwork& artwork, const LayerChoice& choice, ArtworkLayers& layers);

}  // namespace pchr::player
