// SPDX-License-Identifier: MIT
#include "document/artwork_layers.hpp"

#include <algorithm>

namespace pchr::player {

bool is_drawn(const Artwork& artwork, const LayerChoice& choice, std::uint32_t layer) noexcept {
  const auto& overrides = choice.overrides;
  const auto found = std::find_if(overrides.rbegin(), overrides.rend(),
                                  [&](const LayerOverride& override) { return override.layer == layer; });
  if (found != overrides.rend()) return found->drawn;
  const ArtworkLayer& entry = artwork.layers[layer];
  if (choice.which == LayerChoice::Which::named) return entry.drawn;
  return entry.kind != LayerKind::reference && (entry.visible || choice.which == LayerChoice::Which::all);
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
    for (std::int32_t at = artwork.layers[i].parent; at >= 0;
         at = artwork.layers[static_cast<std::size_t>(at)].parent) {
      const auto parent = static_cast<std::uint32_t>(at);
      ++row.depth;
      listed = listed && layers.folded[parent] == 0;
      row.seen = row.seen && is_drawn(artwork, choice, parent);
    }
    // Children follow their parent.
    row.foldable = i + 1 < count && artwork.layers[i + 1].parent == static_cast<std::int32_t>(i);
    if (listed) layers.rows.push_back(row);
  }
}

}  // namespace pchr::player
