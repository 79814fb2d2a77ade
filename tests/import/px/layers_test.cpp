// SPDX-License-Identifier: MIT
// The layer tree of an artwork, and the selection of layers.
#include "support/catch.hpp"
#include "support/px.hpp"
#include "support/px_image.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

#include <string>
#include <vector>

namespace layers_test {
using namespace pchr;
using test::PxArtwork;
using test::PxColor;
using test::PxPixels;
using test::PxType;
using Which = LayerChoice::Which;

namespace {

/// Makes four layers with one pixel each: the background, two layers in a group of which the second is hidden, and one
/// clipped to the first of these.
PxArtwork four_layers() {
  PxArtwork artwork{.width = 4, .height = 1};
  const std::vector<std::string> names{"background", "shown", "hidden", "paint"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    PxPixels pixels(4);
    pixels[i] = {255, 255, 255, 255};
    // The pixel that the mask is clipped to.
    if (i == 1) pixels[3] = {9, 9, 9, 255};
    artwork.add_layer(names[i], {pixels});
  }
  artwork.layers[2].visible = false;
  artwork.layers[1].clipping = {{PxType::layer, "id of paint"}};
  artwork.groups.push_back({.id = "g",
                            .name = "group",
                            .children = {{PxType::layer, "id of shown"}, {PxType::layer, "id of hidden"}},
                            .tag_color = {0, 128, 0, 128}});
  artwork.entries = {{PxType::layer, "id of background"}, {PxType::group, "g"}};
  return artwork;
}

/// Returns which of the four layers are visible, such as "1101".
std::string seen(const PxArtwork& artwork, const LayerChoice& choice, const std::vector<std::string>& codes = {}) {
  ImportOptions options;
  options.layers = choice;
  const auto character = load_character(test::write_px(artwork), options);
  REQUIRE(character);
  std::vector<std::string> found;
  for (const Diagnostic& warning : character->warnings()) found.emplace_back(code(warning.id));
  CHECK(found == codes);
  const Bitmap bitmap = test::image_of(*character, 0);
  std::string result;
  for (std::size_t i = 0; i < 4; ++i) result += bitmap.rgba[i * 4] == 255 ? '1' : '0';
  return result;
}

std::vector<std::string> codes_of(const PxArtwork& artwork) {
  const auto character = load_character(test::write_px(artwork));
  REQUIRE(character);
  std::vector<std::string> found;
  for (const Diagnostic& warning : character->warnings()) found.emplace_back(code(warning.id));
  return found;
}

}  // namespace

TEST_CASE("layers are listed from top to bottom, each followed by its masks and members", "[px]") {
  PxArtwork artwork = four_layers();
  artwork.references.push_back({.id = "r", .name = "photo"});
  artwork.entries.push_back({PxType::reference, "r"});
  artwork.layers[0].blend = 9;
  artwork.layers[0].opacity = 0.5F;
  const auto character = load_character(test::write_px(artwork));
  REQUIRE(character);
  const auto& layers = character->file.artwork.value().layers;
  REQUIRE(layers.size() == 6);
  const std::vector<std::string> names{"photo", "group", "hidden", "shown", "paint", "background"};
  const std::vector<std::int32_t> parents{-1, -1, 1, 1, 3, -1};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    CHECK(layers[i].name == names[i]);
    CHECK(layers[i].parent == parents[i]);
  }
  CHECK(layers[0].kind == LayerKind::reference);
  CHECK_FALSE(layers[0].drawn);
  CHECK(layers[1].kind == LayerKind::group);
  CHECK(layers[1].tag_color == Rgba{0, 255, 0, 128});
  CHECK_FALSE(layers[2].visible);
  CHECK_FALSE(layers[2].drawn);
  CHECK(layers[4].use == LayerUse::clipping_mask);
  CHECK(layers[5].blend == BlendMode::soft_light);
  CHECK(layers[5].opacity == 0.5F);
}

TEST_CASE("the layers to draw can be selected", "[px]") {
  const PxArtwork artwork = four_layers();
  CHECK(seen(artwork, {}) == "1101");
  CHECK(seen(artwork, {Which::all, {}, {}}) == "1111");
  CHECK(seen(artwork, {Which::named, {"background"}, {}}) == "1000");
  CHECK(seen(artwork, {Which::named, {"hidden"}, {}}) == "0010");
  CHECK(seen(artwork, {Which::named, {"group"}, {}}) == "0101");
  CHECK(seen(artwork, {Which::named, {"background", "hidden"}, {}}) == "1010");
  CHECK(seen(artwork, {Which::named, {"paint"}, {}}) == "0101");
}

TEST_CASE("overrides show and hide single layers in any selection", "[px]") {
  const PxArtwork artwork = four_layers();
  // Layers 0 to 4 are the group, hidden, shown, paint and the background.
  CHECK(seen(artwork, {Which::visible, {}, {{1, true}}}) == "1111");
  CHECK(seen(artwork, {Which::visible, {}, {{0, false}}}) == "1000");
  CHECK(seen(artwork, {Which::visible, {}, {{3, false}, {4, false}}}) == "0100");
  CHECK(seen(artwork, {Which::visible, {}, {{4, false}, {4, true}, {77, true}}}) == "1101");
  CHECK(seen(artwork, {Which::all, {}, {{2, false}}}) == "1010");
}

TEST_CASE("a name without a layer causes a warning", "[px]") {
  CHECK(seen(four_layers(), {Which::named, {"background", "nobody"}, {}}, {"W246"}) == "1000");
}

TEST_CASE("missing and repeated layers are skipped", "[px]") {
  PxArtwork artwork = four_layers();
  artwork.entries.push_back({PxType::group, "id of shown"});
  artwork.entries.push_back({PxType::layer, "id of shown"});
  CHECK(seen(artwork, {}, {"W242", "W242"}) == "1101");
  artwork = four_layers();
  artwork.layers.push_back(artwork.layers[0]);
  CHECK(seen(artwork, {}, {"W242"}) == "1101");
}

TEST_CASE("a mask can be shared and also have its own place", "[px]") {
  PxArtwork artwork = four_layers();
  artwork.layers[0].clipping = {{PxType::layer, "id of paint"}};
  artwork.entries.push_back({PxType::layer, "id of paint"});
  CHECK(seen(artwork, {}) == "1101");
}

TEST_CASE("a layer cannot contain itself", "[px]") {
  PxArtwork artwork = four_layers();
  artwork.groups[0].children.push_back({PxType::group, "g"});
  artwork.layers[0].clipping = {{PxType::layer, "id of background"}};
  artwork.layers[1].cropping = {{PxType::group, "g"}};
  CHECK(codes_of(artwork) == std::vector<std::string>{"W242", "W242", "W242"});
}

TEST_CASE("groups can be nested 32 levels deep", "[px]") {
  PxArtwork artwork{.width = 1, .height = 1};
  artwork.add_layer("layer", {{{255, 0, 0, 255}}});
  const auto nested = [&](int depth) {
    artwork.groups.clear();
    for (int i = 0; i < depth; ++i) {
      const std::string id = std::to_string(i), inner = std::to_string(i + 1);
      const test::PxEntry child{i + 1 < depth ? PxType::group : PxType::layer,
                                i + 1 < depth ? inner : artwork.layers[0].id};
      artwork.groups.push_back({.id = id, .name = "group", .children = {child}});
    }
    artwork.entries = {{PxType::group, "0"}};
    return codes_of(artwork);
  };
  CHECK(nested(31).empty());
  CHECK(nested(32) == std::vector<std::string>{"W242"});
}

TEST_CASE("nested masks do not multiply without limit", "[px]") {
  PxArtwork artwork{.width = 1, .height = 1};
  for (int i = 0; i < 24; ++i) {
    artwork.add_layer(std::to_string(i), {{{255, 0, 0, 255}}});
    if (i > 0)
      artwork.layers.back().clipping = {2, {PxType::layer, artwork.layers[static_cast<std::size_t>(i - 1)].id}};
  }
  artwork.entries = {artwork.entries.back()};
  CHECK_FALSE(codes_of(artwork).empty());
}

}  // namespace layers_test
