// SPDX-License-Identifier: MIT
// Composition of layers, compared with values calculated by hand.
#include "support/catch.hpp"
#include "support/px.hpp"
#include "support/px_image.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

#include <array>
#include <string>
#include <vector>

namespace compose_test {
using namespace pchr;
using test::PxArtwork;
using test::PxColor;
using test::PxPixels;
using test::PxType;

namespace {

constexpr PxColor kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlue{0, 0, 255, 255}, kNothing{};

ImportedCharacter loaded(const PxArtwork& artwork, const ImportOptions& options = {}) {
  auto character = load_character(test::write_px(artwork), options);
  REQUIRE(character);
  CHECK(character->warnings().empty());
  return *std::move(character);
}

/// Returns the canvas of a frame, with straight alpha.
std::vector<PxColor> pixels_of(const PxArtwork& artwork, std::uint32_t frame = 0) {
  const Bitmap bitmap = test::image_of(loaded(artwork), frame);
  std::vector<PxColor> pixels;
  for (std::size_t i = 0; i < bitmap.rgba.size(); i += 4) {
    pixels.push_back({bitmap.rgba[i], bitmap.rgba[i + 1], bitmap.rgba[i + 2], bitmap.rgba[i + 3]});
  }
  return pixels;
}

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

}  // namespace

TEST_CASE("each blend mode follows the W3C formulas for opaque colors", "[px]") {
  struct Case {
    BlendMode mode;
    PxColor mixed;
  };
  // The backdrop is (0.2, 0.6, 0.8), the source (0.4, 0.8, 0.2).
  const std::array<Case, kBlendModes> cases{{
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
  for (std::uint32_t mode = 0; mode < kBlendModes; ++mode) {
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
  CHECK(loaded(artwork).meshes().empty());
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

}  // namespace compose_test
