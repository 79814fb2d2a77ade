// SPDX-License-Identifier: MIT
// Composition of layers, compared with values calculated by hand: the layer tree, blending, masks, and reference
// layers, which are drawn only on request.
#include "support/catch.hpp"
#include "support/load.hpp"
#include "support/png.hpp"
#include "support/px.hpp"
#include "support/px_image.hpp"

#include <pchr/load.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace px_compose_test {
using namespace pchr;
using test::Bytes;
using test::PxArtwork;
using test::PxColor;
using test::PxPixels;
using test::PxReference;
using test::PxType;

namespace {

using Codes = std::vector<std::string>;
using Which = LayerChoice::Which;

constexpr PxColor kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlue{0, 0, 255, 255}, kWhite{255, 255, 255, 255},
    kNothing{};

Codes codes_of(const Character& character) {
  Codes codes;
  for (const Diagnostic& warning : character.warnings()) codes.emplace_back(code(warning.id));
  return codes;
}

Codes codes_of(const PxArtwork& artwork) { return codes_of(load_character(test::write_px(artwork)).value()); }

ImportedCharacter loaded(const PxArtwork& artwork, const ImportOptions& options = {}, const Codes& codes = {}) {
  auto character = load_character(test::write_px(artwork), options);
  REQUIRE(character);
  CHECK(codes_of(*character) == codes);
  return *std::move(character);
}

/// Returns the canvas of a frame, with straight alpha.
PxPixels pixels_of(const ImportedCharacter& character, std::uint32_t frame = 0) {
  const Bitmap bitmap = test::image_of(character, frame);
  PxPixels pixels;
  for (std::size_t i = 0; i < bitmap.rgba.size(); i += 4) {
    pixels.push_back({bitmap.rgba[i], bitmap.rgba[i + 1], bitmap.rgba[i + 2], bitmap.rgba[i + 3]});
  }
  return pixels;
}
PxPixels pixels_of(const PxArtwork& artwork, std::uint32_t frame = 0) { return pixels_of(loaded(artwork), frame); }

/// Returns the color of a layer of `source` blended onto one of `backdrop`.
PxColor blended(BlendMode mode, const PxColor& source, const PxColor& backdrop, float opacity = 1) {
  PxArtwork artwork;
  artwork.add_layer("backdrop", {{backdrop}});
  auto& layer = artwork.add_layer("source", {{source}});
  layer.blend = static_cast<std::uint16_t>(mode);
  layer.opacity = opacity;
  return pixels_of(artwork)[0];
}

bool is_near(const PxColor& a, const PxColor& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > 1) return false;
  }
  return true;
}

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
std::string seen(const PxArtwork& artwork, const LayerChoice& choice, const Codes& codes = {}) {
  ImportOptions options;
  options.layers = choice;
  const Bitmap bitmap = test::image_of(loaded(artwork, options, codes), 0);
  std::string result;
  for (std::size_t i = 0; i < 4; ++i) result += bitmap.rgba[i * 4] == 255 ? '1' : '0';
  return result;
}

Bytes png(std::uint32_t width, const PxPixels& straight) {
  std::vector<std::uint8_t> rgba;
  for (const PxColor& color : straight) rgba.insert(rgba.end(), color.begin(), color.end());
  return test::png_of(width, static_cast<std::uint32_t>(straight.size()) / width, rgba);
}

/// Makes an empty layer "drawn" with two frames, and a reference layer "ref" above it.
PxArtwork artwork_with(std::uint32_t width, std::uint32_t height, PxReference reference) {
  PxArtwork artwork{.width = width, .height = height};
  artwork.add_layer("drawn", {PxPixels(std::size_t{width} * height), PxPixels(std::size_t{width} * height)});
  reference.id = "r";
  reference.name = "ref";
  artwork.references.push_back(reference);
  artwork.entries.push_back({PxType::reference, "r"});
  return artwork;
}

ImportOptions naming(std::string name) {
  ImportOptions options;
  options.layers = {Which::named, {std::move(name)}, {}};
  return options;
}

/// Draws only the layer named "ref".
PxPixels drawn(const PxArtwork& artwork) { return pixels_of(loaded(artwork, naming("ref"))); }

Codes codes_of_drawn(const PxArtwork& artwork, ImportOptions options = naming("ref")) {
  return codes_of(load_character(test::write_px(artwork), options).value());
}

/// Number of modes that W3C defines, the first ones.
constexpr std::size_t kW3cModes = 16;

const Bytes& four_colors() {
  static const Bytes kPng = png(2, {kRed, kGreen, kBlue, kWhite});
  return kPng;
}

}  // namespace

TEST_CASE("each blend mode follows the W3C formulas for opaque colors", "[px]") {
  struct Case {
    BlendMode mode;
    PxColor mixed;
  };
  // The backdrop is (0.2, 0.6, 0.8), the source (0.4, 0.8, 0.2).
  const std::array<Case, kW3cModes> cases{{
      {BlendMode::normal, {102, 204, 51, 255}},
      {BlendMode::multiply, {20, 122, 41, 255}},      // 0.08, 0.48, 0.16
      {BlendMode::screen, {133, 235, 214, 255}},      // 0.52, 0.92, 0.84
      {BlendMode::overlay, {41, 214, 173, 255}},      // 0.16; 1 - 2 * 0.4 * 0.2 = 0.84; 1 - 2 * 0.2 * 0.8 = 0.68
      {BlendMode::darken, {51, 153, 51, 255}},        //
      {BlendMode::lighten, {102, 204, 204, 255}},     //
      {BlendMode::color_dodge, {85, 255, 255, 255}},  // 0.2 / 0.6; 0.6 / 0.2 > 1; 0.8 / 0.8
      {BlendMode::color_burn, {0, 128, 0, 255}},      // 1 - 0.8 / 0.4 < 0; 1 - 0.4 / 0.8 = 0.5; 1 - 0.2 / 0.2
      {BlendMode::hard_light, {41, 214, 82, 255}},    // 0.16; 0.84; 2 * 0.8 * 0.2 = 0.32
      {BlendMode::soft_light, {43, 180, 180, 255}},   // 0.168; 0.6 + 0.6 * (0.7746 - 0.6) = 0.7048; 0.704
      {BlendMode::difference, {51, 51, 153, 255}},    // 0.2, 0.2, 0.6
      {BlendMode::exclusion, {112, 112, 173, 255}},   // 0.44, 0.44, 0.68
      {BlendMode::hue, {73, 175, 22, 255}},           // (0.2, 0.6, 0), 0.088 brighter
      {BlendMode::saturation, {51, 153, 204, 255}},   // both have a saturation of 0.6
      {BlendMode::color, {73, 175, 22, 255}},         // the source, 0.112 darker: 0.288, 0.688, 0.088
      {BlendMode::luminosity, {80, 182, 233, 255}},   // the backdrop, 0.112 brighter: 0.312, 0.712, 0.912
  }};
  for (const Case& each : cases) {
    INFO(name_of(each.mode));
    const PxColor mixed = blended(each.mode, {102, 204, 51, 255}, {51, 153, 204, 255});
    CAPTURE(+mixed[0], +mixed[1], +mixed[2], +mixed[3]);
    CHECK(is_near(mixed, each.mixed));
  }
}

TEST_CASE("results of a mode that are too dark or too bright are clipped toward gray", "[px]") {
  // Red over (0.2, 0.6, 0.8), whose luminosity is 0.502.
  const PxColor backdrop{51, 153, 204, 255};
  CHECK(is_near(blended(BlendMode::hue, kRed, backdrop), {235, 82, 82, 255}));         // (0.6, 0, 0), 0.322 brighter
  CHECK(is_near(blended(BlendMode::color, kRed, backdrop), {255, 74, 74, 255}));       // (1.202, 0.202, 0.202)
  CHECK(is_near(blended(BlendMode::saturation, kRed, backdrop), {0, 170, 254, 255}));  // (-0.001, 0.665, 0.999)
  CHECK(is_near(blended(BlendMode::luminosity, kRed, backdrop), {0, 101, 152, 255}));  // (-0.002, 0.398, 0.598)
}

TEST_CASE("translucent colors blend in proportion to both alphas", "[px]") {
  // 50% red (premultiplied 0.5, 0, 0) multiplied onto 50% blue: black where both overlap.
  // Alpha is 0.5 + 0.5 * 0.5 = 0.75; red 0.5 * 0.5 / 0.75 = 0.333, and so is blue.
  CHECK(is_near(blended(BlendMode::multiply, {128, 0, 0, 128}, {0, 0, 128, 128}), {85, 0, 85, 191}));
  CHECK(is_near(blended(BlendMode::normal, {128, 0, 0, 128}, {0, 0, 128, 128}), {170, 0, 85, 191}));
  CHECK(is_near(blended(BlendMode::screen, {128, 0, 0, 128}, {0, 0, 128, 128}), {170, 0, 170, 191}));
  for (std::uint32_t mode = 0; mode < kW3cModes; ++mode) {
    INFO(name_of(static_cast<BlendMode>(mode)));
    CHECK(blended(static_cast<BlendMode>(mode), kNothing, kGreen) == kGreen);
    CHECK(blended(static_cast<BlendMode>(mode), kGreen, kNothing) == kGreen);
    CHECK(blended(static_cast<BlendMode>(mode), kGreen, kBlue, 0) == kBlue);
  }
}

TEST_CASE("a frame's opacity overrides its layer's", "[px]") {
  PxArtwork artwork;
  auto& layer = artwork.add_layer("layer", {{kRed}, {kRed}});
  layer.opacity = 0.5F;
  layer.frames[1].opacity = 0.25F;
  CHECK(pixels_of(artwork, 0)[0] == PxColor{255, 0, 0, 128});
  CHECK(pixels_of(artwork, 1)[0] == PxColor{255, 0, 0, 64});
}

TEST_CASE("channels above alpha are clamped to it", "[px]") {
  PxArtwork artwork;
  artwork.add_layer("layer", {{{255, 20, 0, 100}}});
  CHECK(pixels_of(artwork)[0] == PxColor{255, 51, 0, 100});
}

TEST_CASE("a z-index reorders a layer among its siblings in one frame", "[px]") {
  PxArtwork artwork;
  artwork.add_layer("bottom", {{kRed}, {kRed}}).frames[1].z_index = 1;
  artwork.add_layer("top", {{kBlue}, {kBlue}});
  CHECK(pixels_of(artwork, 0)[0] == kBlue);
  CHECK(pixels_of(artwork, 1)[0] == kRed);
}

TEST_CASE("a group is composed separately", "[px]") {
  PxArtwork artwork;
  artwork.add_layer("backdrop", {{kGreen}});
  auto& layer = artwork.add_layer("multiplied", {{kRed}});
  layer.blend = 1;
  artwork.entries = {{PxType::layer, "id of backdrop"}, {PxType::group, "g"}};
  artwork.groups.push_back({.id = "g", .name = "group", .children = {{PxType::layer, layer.id}}, .opacity = 0.5F});
  // Not black: the group has nothing to multiply with.
  CHECK(is_near(pixels_of(artwork)[0], {128, 128, 0, 255}));
}

TEST_CASE("clipping masks are painted within the pixels of their layer", "[px]") {
  PxArtwork artwork{.width = 2, .height = 1};
  artwork.add_layer("base", {{kRed, kNothing}});
  artwork.add_layer("paint", {{kBlue, kBlue}});
  artwork.entries.pop_back();
  artwork.layers[0].clipping = {{PxType::layer, "id of paint"}};
  CHECK(pixels_of(artwork) == std::vector{kBlue, kNothing});
  artwork.layers[1].opacity = 0.5F;
  CHECK(is_near(pixels_of(artwork)[0], {128, 0, 128, 255}));
  artwork.layers[0].opacity = 0.5F;
  CHECK(is_near(pixels_of(artwork)[0], {128, 0, 128, 128}));
  artwork.layers[1].visible = false;
  CHECK(pixels_of(artwork)[0] == PxColor{255, 0, 0, 128});
}

TEST_CASE("cropping masks keep only the pixels that they cover", "[px]") {
  PxArtwork artwork{.width = 2, .height = 1};
  artwork.add_layer("cropped", {{kRed, kGreen}});
  artwork.add_layer("mask", {{kNothing, {0, 0, 0, 128}}});
  artwork.add_layer("clipped", {{kBlue, kBlue}});
  artwork.entries.resize(1);
  artwork.layers[0].cropping = {{PxType::layer, "id of mask"}};
  artwork.layers[0].clipping = {{PxType::layer, "id of clipped"}};
  CHECK(pixels_of(artwork) == std::vector{kNothing, PxColor{0, 255, 0, 128}});
  artwork.layers[1].visible = false;
  CHECK(loaded(artwork, {}, {"W277"}).meshes().empty());
}

TEST_CASE("groups can have masks and can be masks", "[px]") {
  PxArtwork artwork{.width = 2, .height = 1};
  artwork.add_layer("base", {{kRed, kRed}});
  artwork.add_layer("mask", {{kNothing, kBlue}});
  artwork.entries = {{PxType::group, "base group"}};
  artwork.groups.push_back({.id = "base group", .name = "a", .children = {{PxType::layer, "id of base"}}});
  artwork.groups.push_back({.id = "mask group", .name = "b", .children = {{PxType::layer, "id of mask"}}});
  artwork.groups[0].clipping = {{PxType::group, "mask group"}};
  CHECK(pixels_of(artwork) == std::vector{kRed, kBlue});
  artwork.groups[0].cropping = {{PxType::group, "mask group"}};
  CHECK(pixels_of(artwork) == std::vector{kNothing, kRed});
}

TEST_CASE("indexed pixels use the colors of the palette", "[px]") {
  PxArtwork artwork{.width = 2, .height = 2};
  artwork.add_layer("layer", {{}});
  artwork.indexed = true;
  artwork.palette = {kRed, {0, 64, 0, 128}, kBlue};
  const std::array<std::uint8_t, 4> indices{2, 0, 200, 1};
  artwork.contents[0].deflated = test::px_deflated(std::as_bytes(std::span(indices)));
  CHECK(pixels_of(artwork) == std::vector{kBlue, kRed, kNothing, PxColor{0, 128, 0, 128}});
  CHECK(loaded(artwork).file.artwork->palette[1] == Rgba{0, 128, 0, 128});
}

TEST_CASE("tilemaps consist of whole cells, and the rest of the canvas is empty", "[px]") {
  PxArtwork artwork{.width = 5, .height = 2};
  artwork.tilesets.push_back({"set", "bricks", 2, 2, {}, 2});
  for (const PxColor& color : {kRed, kGreen, kBlue}) {
    artwork.tilesets[0].tiles.push_back(test::px_deflated(PxPixels{color, color, color, kNothing}));
  }
  artwork.tilemap_contents.push_back({"map", 2, 2, {2, 1}});
  artwork.tilemaps.push_back({.id = "t", .name = "wall", .frames = {{"map"}}, .tileset = "set"});
  artwork.entries = {{PxType::tilemap, "t"}};
  const std::vector expected{kBlue, kBlue, kGreen, kGreen, kNothing, kBlue, kNothing, kGreen, kNothing, kNothing};
  CHECK(pixels_of(artwork) == expected);
  const ImportedCharacter character = loaded(artwork);
  const ArtworkTileset& set = character.file.artwork->tilesets[0];
  CHECK(set.name == "bricks");
  CHECK(set.tile_count == 3);
  CHECK(set.columns == 2);
  const Image& image = character.images()[set.image.value()];
  CHECK(image.width == 4);
  CHECK(image.height == 4);
  // Three columns when rounded up.
  artwork.tilemap_contents[0].cells = {0xFFFF, 9, 0};
  CHECK(pixels_of(artwork) ==
        std::vector{kNothing, kNothing, kNothing, kNothing, kRed, kNothing, kNothing, kNothing, kNothing, kRed});
}

TEST_CASE("transparent borders of frames are trimmed", "[px]") {
  PxArtwork artwork{.width = 5, .height = 4};
  PxPixels pixels(20);
  pixels[7] = kRed;
  pixels[13] = kBlue;
  artwork.add_layer("layer", {pixels});
  const ImportedCharacter character = loaded(artwork);
  REQUIRE(character.images().size() == 1);
  CHECK(character.images()[0].width == 2);
  CHECK(character.images()[0].height == 2);
  // From pixel 2, 1 to 4, 3; the origin lies between columns 1 and 2, and rows 1 and 2.
  CHECK(character.vertices()[0].x == 0);
  CHECK(character.vertices()[0].y == 1);
  CHECK(character.vertices()[3].x == 2);
  CHECK(character.vertices()[3].y == -1);
}

TEST_CASE("frames with equal pixels share one image at any position", "[px]") {
  PxArtwork artwork{.width = 2, .height = 1};
  artwork.add_layer("layer",
                    {{kRed, kNothing}, {kNothing, kRed}, {kNothing, kNothing}, {kRed, kNothing}, {kBlue, kRed}});
  const ImportedCharacter character = loaded(artwork);
  CHECK(character.meshes().size() == 2);
  CHECK(character.images().size() == 1);
  const std::vector<std::vector<PxColor>> expected{
      {kRed, kNothing}, {kNothing, kRed}, {kNothing, kNothing}, {kRed, kNothing}, {kBlue, kRed}};
  for (std::uint32_t frame = 0; frame < expected.size(); ++frame) CHECK(pixels_of(artwork, frame) == expected[frame]);
}

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
  CHECK(nested(32) == std::vector<std::string>{"W242", "W277"});
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

TEST_CASE("a named reference layer is drawn within its bounds in every frame", "[px]") {
  const PxArtwork artwork =
      artwork_with(4, 3, {.png = four_colors(), .visible = false, .left = 1, .top = 1, .width = 2, .height = 2});
  const PxPixels expected{kNothing, kNothing, kNothing, kNothing,  //
                          kNothing, kRed,     kGreen,   kNothing,  //
                          kNothing, kBlue,    kWhite,   kNothing};
  CHECK(drawn(artwork) == expected);
  CHECK(pixels_of(load_character(test::write_px(artwork), naming("ref")).value(), 1) == expected);
}

TEST_CASE("a reference layer is not included in visible layers, all layers or its group", "[px]") {
  PxArtwork artwork = artwork_with(2, 2, {.png = four_colors(), .width = 2, .height = 2});
  artwork.groups.push_back(
      {.id = "g", .name = "group", .children = {{PxType::reference, "r"}, {PxType::layer, "id of drawn"}}});
  artwork.layers[0].frames.resize(1);
  artwork.contents[0].deflated = test::px_deflated(PxPixels(4, kBlue));
  artwork.entries = {{PxType::group, "g"}};
  ImportOptions options;
  for (const LayerChoice& choice :
       {LayerChoice{}, LayerChoice{Which::all, {}, {}}, LayerChoice{Which::named, {"group"}, {}}}) {
    options.layers = choice;
    const auto character = load_character(test::write_px(artwork), options);
    REQUIRE(character);
    CHECK(codes_of(*character).empty());
    CHECK(pixels_of(*character) == PxPixels(4, kBlue));
  }
  CHECK(drawn(artwork) == PxPixels{kRed, kGreen, kBlue, kWhite});
}

TEST_CASE("an override can show a reference layer", "[px]") {
  const PxArtwork artwork = artwork_with(2, 2, {.png = four_colors(), .width = 2, .height = 2});
  ImportOptions options;
  options.layers = {Which::visible, {}, {{0, true}}};
  const auto character = load_character(test::write_px(artwork), options);
  REQUIRE(character);
  CHECK(character->file.artwork->layers[0].drawn);
  CHECK(pixels_of(*character) == PxPixels{kRed, kGreen, kBlue, kWhite});
}

TEST_CASE("a reference image is flipped, then rotated clockwise around the center of its bounds", "[px]") {
  const PxReference reference{.png = four_colors(), .width = 2, .height = 2};
  const auto shown = [&](std::uint8_t flips, double quarter_turns) {
    PxReference changed = reference;
    changed.flips = flips;
    changed.radians = static_cast<float>(quarter_turns * std::numbers::pi / 2);
    return drawn(artwork_with(2, 2, changed));
  };
  CHECK(shown(1, 0) == PxPixels{kGreen, kRed, kWhite, kBlue});
  CHECK(shown(2, 0) == PxPixels{kBlue, kWhite, kRed, kGreen});
  CHECK(shown(3, 0) == PxPixels{kWhite, kBlue, kGreen, kRed});
  CHECK(shown(0, 1) == PxPixels{kBlue, kRed, kWhite, kGreen});
  CHECK(shown(0, -1) == PxPixels{kGreen, kWhite, kRed, kBlue});
  CHECK(shown(1, 1) == PxPixels{kWhite, kGreen, kBlue, kRed});
  CHECK(shown(0, 400) == PxPixels{kRed, kGreen, kBlue, kWhite});
}

TEST_CASE("a rotated reference image covers the pixels whose centers are in its bounds", "[px]") {
  // A 4 x 4 square on its corner covers 12.
  const auto pixels = drawn(artwork_with(
      6, 6,
      {.png = png(1, {kRed}), .left = 1, .top = 1, .width = 4, .height = 4, .radians = std::numbers::pi_v<float> / 4}));
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 6; ++x) {
      const double distance = std::abs(x + 0.5 - 3) + std::abs(y + 0.5 - 3);
      CHECK(pixels[static_cast<std::size_t>(y * 6 + x)] == (distance < 2 * std::numbers::sqrt2 ? kRed : kNothing));
    }
  }
}

TEST_CASE("a larger reference image is averaged, a smaller one interpolated", "[px]") {
  const PxColor black{0, 0, 0, 255}, clear{};
  CHECK(drawn(artwork_with(1, 1, {.png = png(4, PxPixels{kWhite, black, kWhite, black})})) ==
        PxPixels{{128, 128, 128, 255}});
  // Transparent pixels contribute only their alpha.
  CHECK(drawn(artwork_with(1, 1, {.png = png(2, PxPixels{kRed, clear})})) == PxPixels{{255, 0, 0, 128}});
  CHECK(drawn(artwork_with(2, 1, {.png = png(6, {kRed, kRed, kRed, kBlue, kBlue, kBlue}), .width = 2})) ==
        PxPixels{kRed, kBlue});
  CHECK(drawn(artwork_with(4, 1, {.png = png(2, {black, kWhite}), .width = 4})) ==
        PxPixels{black, {64, 64, 64, 255}, {191, 191, 191, 255}, kWhite});
}

TEST_CASE("a reference layer is blended with its opacity onto those below", "[px]") {
  PxArtwork artwork = artwork_with(1, 1, {.png = png(1, {kRed}), .opacity = 0.5F});
  CHECK(drawn(artwork) == PxPixels{{255, 0, 0, 128}});
  artwork.contents[0].deflated = test::px_deflated(PxPixels{kBlue});
  ImportOptions options;
  options.layers = {Which::named, {"drawn", "ref"}, {}};
  CHECK(pixels_of(load_character(test::write_px(artwork), options).value()) == PxPixels{{128, 0, 128, 255}});
}

TEST_CASE("a reference image is clipped to the canvas", "[px]") {
  CHECK(drawn(artwork_with(2, 1, {.png = four_colors(), .left = -1, .top = -1, .width = 2, .height = 2})) ==
        PxPixels{kWhite, kNothing});
  CHECK(drawn(artwork_with(2, 1,
                           {.png = png(1, {kRed}),
                            .left = std::numeric_limits<std::int32_t>::min(),
                            .top = std::numeric_limits<std::int32_t>::min(),
                            .width = std::numeric_limits<std::uint32_t>::max(),
                            .height = std::numeric_limits<std::uint32_t>::max()})) == PxPixels{kRed, kRed});
}

TEST_CASE("a separate image is used by a reference layer without one", "[px]") {
  PxArtwork artwork = artwork_with(2, 2, {.width = 2, .height = 2});
  artwork.reference_pngs = {four_colors()};
  CHECK(drawn(artwork) == PxPixels{kRed, kGreen, kBlue, kWhite});
  artwork.references[0].png = png(1, {kBlue});
  CHECK(drawn(artwork) == PxPixels(4, kBlue));
}

TEST_CASE("an unusable reference image causes a warning when it is requested", "[px]") {
  const PxReference reference{.png = four_colors(), .width = 2, .height = 2};
  PxArtwork artwork = artwork_with(2, 2, reference);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{7}, std::size_t{40}, four_colors().size() - 1}) {
    artwork.references[0].png.resize(bytes);
    CHECK(codes_of_drawn(artwork, {}) == Codes{"W277"});
    CHECK(codes_of_drawn(artwork) == Codes{"W241", "W239"});
    artwork.references[0].png = four_colors();
  }
  ImportOptions tight = naming("ref");
  tight.limits.max_image_pixels = 64;
  CHECK(codes_of_drawn(artwork, tight).empty());
  artwork.references[0].png = png(65, PxPixels(65, kRed));
  CHECK(codes_of_drawn(artwork, tight) == Codes{"W241", "W239"});
  artwork.references[0] = reference;
  artwork.references[0].id = "r";
  artwork.references[0].name = "ref";
  artwork.references[0].radians = std::numeric_limits<float>::quiet_NaN();
  CHECK(codes_of_drawn(artwork) == Codes{"W243"});
}

TEST_CASE("reference layers together cannot exceed the limit of image pixels", "[px]") {
  PxArtwork artwork = artwork_with(4, 4, {.png = png(1, {kRed}), .width = 4, .height = 4});
  artwork.references.push_back(artwork.references[0]);
  artwork.references[1].id = "s";
  artwork.entries.push_back({PxType::reference, "s"});
  CHECK(codes_of_drawn(artwork).empty());
  ImportOptions tight = naming("ref");
  tight.limits.max_image_pixels = 31;
  CHECK(codes_of_drawn(artwork, tight) == Codes{"W241"});
}

TEST_CASE("named layers without visible pixels always cause a warning", "[px]") {
  PxArtwork artwork = artwork_with(1, 1, {.png = png(1, {kNothing})});
  artwork.groups.push_back({.id = "g", .name = "empty"});
  artwork.entries.push_back({PxType::group, "g"});
  for (const std::string name : {"ref", "drawn", "empty"}) {
    INFO(name);
    CHECK(codes_of_drawn(artwork, naming(name)) == Codes{"W239"});
  }
  CHECK(codes_of_drawn(artwork, naming("nobody")) == Codes{"W246"});
  CHECK(codes_of_drawn(artwork, {}) == Codes{"W277"});
  artwork.entries.clear();
  CHECK(codes_of_drawn(artwork, naming("drawn")) == Codes{"W239"});
}

}  // namespace px_compose_test
