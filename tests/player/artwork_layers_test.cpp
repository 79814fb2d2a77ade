// SPDX-License-Identifier: MIT
// Layers of a pixel artwork: the list, and the choice of layers.
#include "document/artwork_layers.hpp"

#include "support/catch.hpp"

#include <string>

namespace pchr::player::artwork_layers_test {
namespace {

/// hat; body (a folded group) with arm (hidden), its mask shade, and leg; sketch (a reference).
Artwork figure() {
  Artwork artwork;
  artwork.layers = {{.name = "hat"},
                    {.name = "body", .kind = LayerKind::group, .expanded = false},
                    {.name = "arm", .parent = 1, .visible = false},
                    {.name = "shade", .parent = 2, .use = LayerUse::clipping_mask},
                    {.name = "leg", .parent = 1},
                    {.name = "sketch", .kind = LayerKind::reference}};
  return artwork;
}

/// Returns the listed names, each after a dot per ancestor, in parentheses if it is not seen.
std::string listed(const Artwork& artwork, const LayerChoice& choice, ArtworkLayers& layers) {
  list_layers(artwork, choice, layers);
  std::string text;
  for (const LayerRow& row : layers.rows) {
    const std::string name = std::string(row.depth, '.') + artwork.layers[row.layer].name;
    text += (text.empty() ? "" : " ") + (row.seen ? name : "(" + name + ")");
  }
  return text;
}

}  // namespace

TEST_CASE("layers are listed as a tree, initially folded as in the file", "[player][layers]") {
  const Artwork artwork = figure();
  ArtworkLayers layers;
  CHECK(listed(artwork, {}, layers) == "hat body (sketch)");
  layers.folded[1] = 0;
  CHECK(listed(artwork, {}, layers) == "hat body (.arm) (..shade) .leg (sketch)");
  CHECK(layers.rows[1].foldable);
  CHECK_FALSE(layers.rows[4].foldable);
  layers.folded[2] = 1;
  CHECK(listed(artwork, {}, layers) == "hat body (.arm) .leg (sketch)");
}

TEST_CASE("a layer is seen if it and its ancestors are drawn", "[player][layers]") {
  const Artwork artwork = figure();
  ArtworkLayers layers;
  list_layers(artwork, {}, layers);
  layers.folded[1] = 0;
  CHECK(listed(artwork, {.which = LayerChoice::Which::all}, layers) == "hat body .arm ..shade .leg (sketch)");
  LayerChoice choice = with_layer(artwork, {}, 2, true);
  CHECK(listed(artwork, choice, layers) == "hat body .arm ..shade .leg (sketch)");
  choice = with_layer(artwork, choice, 1, false);
  CHECK(listed(artwork, choice, layers) == "hat (body) (.arm) (..shade) (.leg) (sketch)");
}

TEST_CASE("a reference layer is drawn only if it is enabled itself", "[player][layers]") {
  const Artwork artwork = figure();
  ArtworkLayers layers;
  CHECK_FALSE(is_drawn(artwork, {}, 5));
  CHECK_FALSE(is_drawn(artwork, {.which = LayerChoice::Which::all}, 5));
  const LayerChoice choice = with_layer(artwork, {}, 5, true);
  CHECK(choice.overrides == std::vector{LayerOverride{5, true}});
  CHECK(listed(artwork, choice, layers) == "hat body sketch");
  CHECK(with_layer(artwork, choice, 5, false).overrides.empty());
}

TEST_CASE("a redundant layer override is removed", "[player][layers]") {
  const Artwork artwork = figure();
  LayerChoice choice = with_layer(artwork, {}, 0, false);
  CHECK(choice.overrides == std::vector{LayerOverride{0, false}});
  choice = with_layer(artwork, choice, 0, true);
  CHECK(choice.overrides.empty());
  CHECK(with_layer(artwork, {.which = LayerChoice::Which::all}, 2, true).overrides.empty());
}

}  // namespace pchr::player::artwork_layers_test
