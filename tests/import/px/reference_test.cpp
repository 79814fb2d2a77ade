// SPDX-License-Identifier: MIT
// Reference layers: images that are drawn only on request.
#include "support/catch.hpp"
#include "support/png.hpp"
#include "support/px.hpp"
#include "support/px_image.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace reference_test {
using namespace pchr;
using test::Bytes;
using test::PxArtwork;
using test::PxColor;
using test::PxPixels;
using test::PxReference;
using test::PxType;
using Codes = std::vector<std::string>;
using Which = LayerChoice::Which;

namespace {

constexpr PxColor kNone{}, kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlue{0, 0, 255, 255},
    kWhite{255, 255, 255, 255};

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

Codes codes_of(const Character& character) {
  Codes codes;
  for (const Diagnostic& warning : character.warnings()) codes.emplace_back(code(warning.id));
  return codes;
}

PxPixels pixels_of(const ImportedCharacter& character, std::uint32_t frame = 0) {
  const Bitmap bitmap = test::image_of(character, frame);
  PxPixels pixels;
  for (std::size_t i = 0; i < bitmap.rgba.size(); i += 4) {
    pixels.push_back({bitmap.rgba[i], bitmap.rgba[i + 1], bitmap.rgba[i + 2], bitmap.rgba[i + 3]});
  }
  return pixels;
}

/// Draws only the layer named "ref".
PxPixels drawn(const PxArtwork& artwork) {
  const auto character = load_character(test::write_px(artwork), naming("ref"));
  REQUIRE(character);
  CHECK(codes_of(*character).empty());
  return pixels_of(*character);
}

Codes codes_of_drawn(const PxArtwork& artwork, ImportOptions options = naming("ref")) {
  return codes_of(load_character(test::write_px(artwork), options).value());
}

const Bytes& four_colors() {
  static const Bytes kPng = png(2, {kRed, kGreen, kBlue, kWhite});
  return kPng;
}

}  // namespace

TEST_CASE("a named reference layer is drawn within its bounds in every frame", "[px]") {
  const PxArtwork artwork =
      artwork_with(4, 3, {.png = four_colors(), .visible = false, .left = 1, .top = 1, .width = 2, .height = 2});
  const PxPixels expected{kNone, kNone, kNone,  kNone,  //
                          kNone, kRed,  kGreen, kNone,  //
                          kNone, kBlue, kWhite, kNone};
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
      CHECK(pixels[static_cast<std::size_t>(y * 6 + x)] == (distance < 2 * std::numbers::sqrt2 ? kRed : kNone));
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
        PxPixels{kWhite, kNone});
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
    CHECK(codes_of_drawn(artwork, {}).empty());
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
  PxArtwork artwork = artwork_with(1, 1, {.png = png(1, {kNone})});
  artwork.groups.push_back({.id = "g", .name = "empty"});
  artwork.entries.push_back({PxType::group, "g"});
  for (const std::string name : {"ref", "drawn", "empty"}) {
    INFO(name);
    CHECK(codes_of_drawn(artwork, naming(name)) == Codes{"W239"});
  }
  CHECK(codes_of_drawn(artwork, naming("nobody")) == Codes{"W246"});
  CHECK(codes_of_drawn(artwork, {}).empty());
  artwork.entries.clear();
  CHECK(codes_of_drawn(artwork, naming("drawn")) == Codes{"W239"});
}

}  // namespace reference_test
