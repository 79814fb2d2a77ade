// SPDX-License-Identifier: MIT
// Choosing layers.

#include "document/artwork_layers.hpp"

#include <algorithm>
#include <utility>

namespace pchr::player {
namespace {

bool chosen_in_general(const Artwork& artwork, const LayerChoice& choice, std::uint32_t layer) noexcept {
  const ArtworkLayer& entry = artwork.layers[layer];
  const bool is_reference = entry.kind == LayerKind::reference;
  switch (choice.which) {
    case LayerChoice::Which::visible:
      return entry.visible && !is_reference;
    case LayerChoice::Which::all:
      return !is_reference;
    case LayerChoice::Which::named:
      break;
  }
  return entry.drawn;
}

}  // namespace

bool is_drawn(const Artwork& artwork, const LayerChoice& choice, std::uint32_t layer) noexcept {
  const auto& overrides = choice.overrides;
  const auto found = std::find_if(overrides.rbegin(), overrides.rend(),
                                  [&](const LayerOverride& override) { return override.layer == layer; });
  if (found != overrides.rend()) return found->drawn;
  return chosen_in_general(artwork, choice, layer);
}

LayerChoice with_layer(const Artwork& artwork, LayerChoice choice, std::uint32_t layer, bool drawn) {
  std::erase_if(choice.overrides, [&](const LayerOverride& override) { return override.layer == layer; });
  if (is_drawn(artwork, choice, layer) != drawn) choice.overrides.push_back({layer, drawn});
  return choice;
}

void list_layers(const Artwork& artwork, const LayerChoice& choice, ArtworkLayers& layers) {
  const auto count = static_cast<std::uint32_t>(artwork.layers.size());
  if (layers.folded.size() != count) {
    layers.folded.clear();
    for (const ArtworkLayer& layer : artwork.layers) layers.folded.push_back(layer.expanded ? 0 : 1);
  }
  layers.rows.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    LayerRow row{.layer = i, .seen = is_drawn(artwork, choice, i)};
    bool listed = true;
    for (std::int32_t parent = artwork.layers[i].parent; parent >= 0;) {
      const auto above = static_cast<std::uint32_t>(parent);
      ++row.depth;
      listed = listed && layers.folded[above] == 0;
      row.seen = row.seen && is_drawn(artwork, choice, above);
      parent = artwork.layers[above].parent;
    }
    // What is below a layer follows it.
    row.foldable = i + 1 < count && artwork.layers[i + 1].parent == static_cast<std::int32_t>(i);
    if (listed) layers.rows.push_back(row);
  }
}

}  // namespace pchr::player
