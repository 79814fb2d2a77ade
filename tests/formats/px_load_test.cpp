// SPDX-License-Identifier: MIT
// Artworks that are damaged, unknown or too large.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/px.hpp"
#include "support/px_picture.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace pchr;
using test::Bytes;
using test::PxArtwork;
using test::PxColour;
using test::PxPixels;
using test::PxType;

namespace {

constexpr PxColour kRed{255, 0, 0, 255}, kBlue{0, 0, 255, 255};

/// Something of everything.
PxArtwork full_artwork() {
  PxArtwork artwork{.width = 2, .height = 2};
  artwork.add_layer("bottom", {PxPixels(4, kRed), PxPixels(4, kBlue)});
  artwork.add_layer("top", {{kRed, {}, {}, kBlue}}).blend = 9;
  artwork.add_layer("mask", {PxPixels(4, kBlue)}).opacity = 0.5F;
  artwork.layers[1].clipping = {{PxType::layer, "id of mask"}};
  artwork.groups.push_back({.id = "g", .name = "group", .children = {{PxType::layer, "id of top"}}, .opacity = 0.5F});
  artwork.references.push_back({.id = "r", .name = "photo"});
  artwork.tilesets.push_back({"set", "bricks", 1, 1, {test::px_deflated(PxPixels{kBlue})}});
  artwork.tilemap_contents.push_back({"map", 1, 1, {0, 0xFFFF, 0xFFFF, 0}});
  artwork.tilemaps.push_back({.id = "t", .name = "wall", .frames = {{"map"}}, .tileset = "set"});
  artwork.entries = {
      {PxType::layer, "id of bottom"}, {PxType::group, "g"}, {PxType::tilemap, "t"}, {PxType::reference, "r"}};
  artwork.palette = {kRed, kBlue};
  artwork.tags = {{"tag", 0, 1, 2}};
  artwork.speeds = {2};
  return artwork;
}

std::vector<std::string> codes_of(const std::expected<Character, LoadError>& character) {
  if (!character) return {std::string(code(character.error().id))};
  std::vector<std::string> codes;
  for (const Finding& warning : character->warnings()) codes.emplace_back(code(warning.id));
  return codes;
}

std::vector<std::string> codes_of(const PxArtwork& artwork) { return codes_of(load(test::write_px(artwork))); }

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("an artwork with something of everything loads without a warning", "[px]") {
  const auto character = load(test::write_px(full_artwork()));
  CHECK(codes_of(character).empty());
  REQUIRE(character);
  CHECK(character->data().format == "Pixquare PX");
  CHECK(character->data().artwork->layers.size() == 6);
}

TEST_CASE("every prefix of an artwork loads as far as it goes, or says why not", "[px]") {
  const Bytes whole = test::write_px(full_artwork());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size << " bytes");
    // Exactly as large, so that a sanitizer sees what is read past the end.
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto character = load(prefix);
    CHECK_FALSE(codes_of(character).empty());
    if (!character) CHECK(character.error().byte_offset.value_or(0) <= size);
    CHECK(character.has_value() == (size >= 108));
  }
}

TEST_CASE("every byte of an artwork may be wrong", "[px]") {
  const Bytes whole = test::write_px(full_artwork());
  LoadOptions options;
  options.limits.max_image_pixels = 1 << 16;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int wrong : {0x00, 0x01, 0x7F, 0xFF}) {
      Bytes bytes = whole;
      bytes[at] = static_cast<std::byte>(wrong);
      if (const auto character = load(bytes, options)) CHECK(decode_images(*character));
    }
  }
}

TEST_CASE("what an older file does not have takes its default", "[px]") {
  // The file ends after its frames' contents: no palette, tags or anything else.
  PxArtwork artwork{.width = 1, .height = 1};
  artwork.add_layer("layer", {{kRed}});
  Bytes bytes = test::write_px(artwork);
  constexpr std::size_t kAfterContents = 8 * 9 + 1 + 32 + 1 + 16 + 28 + 16 + 2;
  bytes.resize(bytes.size() - kAfterContents);
  const std::uint64_t size = bytes.size() - 64;
  std::memcpy(bytes.data(), &size, sizeof(size));
  const auto character = load(bytes);
  CHECK(codes_of(character).empty());
  REQUIRE(character);
  CHECK(character->meshes().size() == 1);
}

TEST_CASE("a file of another length than it says is read all the same", "[px]") {
  Bytes bytes = test::write_px(full_artwork());
  bytes.push_back(std::byte{0});
  CHECK(codes_of(load(bytes)) == Codes{"W240"});
  bytes[7] = std::byte{0xFF};
  CHECK(codes_of(load(bytes)) == Codes{"W240", "W244"});
}

TEST_CASE("a canvas is neither empty nor huge", "[px]") {
  PxArtwork artwork;
  for (const auto& [width, height] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {0, 1}, {1, 0}, {16385, 1}, {1, 0xFFFFFFFF}, {16384, 16384}}) {
    artwork.width = width;
    artwork.height = height;
    CHECK(codes_of(artwork) == Codes{"E145"});
  }
  artwork.width = artwork.height = 300;
  LoadOptions options;
  options.limits.max_image_pixels = 300 * 300 - 1;
  CHECK(codes_of(load(test::write_px(artwork), options)) == Codes{"E104"});
}

TEST_CASE("pixels that are broken, too few or too many leave their frame empty", "[px]") {
  for (const Bytes& deflated :
       {Bytes{}, Bytes(3), Bytes{std::byte{0x78}, std::byte{0x9C}, std::byte{0xFF}}, test::px_deflated(PxPixels(3)),
        test::px_deflated(PxPixels(5)), test::px_deflated(PxPixels(1 << 20))}) {
    PxArtwork artwork{.width = 2, .height = 2};
    artwork.add_layer("layer", {PxPixels(4, kRed), PxPixels(4, kBlue)});
    artwork.contents[0].deflated = deflated;
    const auto character = load(test::write_px(artwork));
    CHECK(codes_of(character) == Codes{"W241"});
    REQUIRE(character);
    CHECK(character->meshes().size() == 1);
    CHECK(test::picture_of(*character, 1).rgba[2] == 255);
  }
}

TEST_CASE("pixels may have a checksum after them, or no header before them", "[px]") {
  PxArtwork artwork{.width = 2, .height = 2};
  artwork.add_layer("layer", {PxPixels(4, kRed)});
  Bytes& deflated = artwork.contents[0].deflated;
  deflated.insert(deflated.end(), {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}});
  CHECK(codes_of(artwork).empty());
  deflated.erase(deflated.begin(), deflated.begin() + 2);
  CHECK(codes_of(artwork).empty());
}

TEST_CASE("frames may name no pixels; what they name is there", "[px]") {
  PxArtwork artwork = full_artwork();
  artwork.layers[0].frames[0].content.clear();
  CHECK(codes_of(artwork).empty());
  artwork.layers[0].frames[0].content = "nothing";
  CHECK(codes_of(artwork) == Codes{"W241"});
  artwork = full_artwork();
  artwork.tilemaps[0].tileset = "nothing";
  CHECK(codes_of(artwork) == Codes{"W241"});
}

TEST_CASE("tiles that cannot be used are left out", "[px]") {
  PxArtwork artwork = full_artwork();
  artwork.tilesets[0].tiles[0].resize(3);
  CHECK(codes_of(artwork) == Codes{"W241"});
  artwork = full_artwork();
  artwork.tilesets[0].tile_width = 0;
  CHECK(codes_of(artwork) == Codes{"W241"});
  artwork.tilesets[0].tile_width = 16384;
  artwork.tilesets[0].tile_height = 16384;
  CHECK(codes_of(artwork) == Codes{"W241"});
  artwork = full_artwork();
  artwork.tilemap_contents[0].tile_width = 0;
  CHECK(codes_of(artwork).empty());
}

TEST_CASE("an opacity that is none is replaced", "[px]") {
  for (const float opacity : {-1.0F, 1.5F, 3.0F, std::numeric_limits<float>::quiet_NaN()}) {
    PxArtwork artwork{.width = 1, .height = 1};
    artwork.add_layer("layer", {{kRed}}).frames[0].opacity = opacity;
    const auto character = load(test::write_px(artwork));
    CHECK(codes_of(character) == Codes{"W243"});
    CHECK(test::picture_of(character.value(), 0).rgba[3] == 255);
    artwork.layers[0].frames[0].opacity = 2;
    artwork.layers[0].opacity = opacity;
    CHECK(codes_of(artwork) == Codes{"W243"});
  }
}

TEST_CASE("what is not known is named", "[px]") {
  const auto detail = [](const PxArtwork& artwork, const std::string& expected) {
    const auto character = load(test::write_px(artwork));
    CHECK(codes_of(character) == Codes{expected});
    return character->warnings()[0].detail;
  };
  PxArtwork artwork = full_artwork();
  artwork.entries.push_back({static_cast<PxType>(9), "id"});
  CHECK_THAT(detail(artwork, "W244"), test::contains("entry of type 9"));
  artwork = full_artwork();
  artwork.layers[0].blend = 16;
  CHECK_THAT(detail(artwork, "W244"), test::contains("blend mode 16"));
  artwork = full_artwork();
  artwork.tags[0].direction = 3;
  CHECK_THAT(detail(artwork, "W244"), test::contains("direction 3"));
  artwork = full_artwork();
  artwork.layers[0].effects = {77};
  CHECK_THAT(detail(artwork, "W244"), test::contains("type 77"));
  artwork.layers[0].effects = {1};
  CHECK_THAT(detail(artwork, "W245"), test::contains("outline"));
  artwork = full_artwork();
  artwork.post_processors = {2};
  CHECK_THAT(detail(artwork, "W245"), test::contains("bloom"));
  artwork = full_artwork();
  artwork.after.resize(5);
  CHECK_THAT(detail(artwork, "W244"), test::contains("5 bytes"));
}

TEST_CASE("names that are not UTF-8 are mended", "[px]") {
  PxArtwork artwork = full_artwork();
  artwork.groups[0].name = "gr\xFFup\xC3";
  const auto character = load(test::write_px(artwork));
  REQUIRE(character);
  CHECK(character->data().artwork->layers[2].name == "gr\xEF\xBF\xBDup\xEF\xBF\xBD");
}

TEST_CASE("an artwork without frames loads as one without clips", "[px]") {
  PxArtwork artwork;
  CHECK(codes_of(artwork) == Codes{"W248"});
  CHECK(load(test::write_px(artwork))->clips().empty());
}

TEST_CASE("what would take too long or too much is refused", "[px]") {
  LoadOptions options;
  options.limits.max_image_pixels = 1 << 12;
  // A thousand masks, each of the whole canvas, in frames that all differ.
  PxArtwork artwork{.width = 64, .height = 64};
  artwork.add_layer("layer", {PxPixels(64 * 64, kRed)});
  artwork.add_layer("mask", {PxPixels(64 * 64, kBlue)});
  artwork.layers[0].clipping.assign(1000, {PxType::layer, "id of mask"});
  CHECK(codes_of(load(test::write_px(artwork), options)) == Codes{"E104"});
  CHECK(codes_of(artwork).empty());
  // Pictures that are together larger than images may be.
  artwork = {.width = 64, .height = 64};
  artwork.add_layer("layer", {PxPixels(64 * 64, kRed), PxPixels(64 * 64, kBlue)});
  CHECK(codes_of(load(test::write_px(artwork), options)) == Codes{"E104"});
  CHECK(codes_of(artwork).empty());
  // More frames than there may be samples.
  options = {};
  options.limits.max_bone_samples = 3;
  CHECK(codes_of(load(test::write_px(artwork), options)) == Codes{"E104"});
  // Many tags of many frames.
  options.limits.max_bone_samples = 1000;
  artwork.tags.assign(300, {"tag", 0, 1, 2});
  CHECK(codes_of(load(test::write_px(artwork), options)) == Codes{"E104"});
  artwork.tags.assign(200, {"tag", 0, 1, 2});
  CHECK(codes_of(load(test::write_px(artwork), options)).empty());
}

TEST_CASE("frames are put together as well when little of their layers can be kept", "[px]") {
  PxArtwork artwork{.width = 64, .height = 64};
  std::vector<PxPixels> pictures(8, PxPixels(64 * 64, kRed));
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    pictures[i][i] = kBlue;
    for (std::size_t pixel = 512; pixel < pictures[i].size(); ++pixel) pictures[i][pixel] = {};
  }
  artwork.add_layer("animated", pictures);
  auto& still = artwork.add_layer("still", {PxPixels(64 * 64, PxColour{0, 64, 0, 64})});
  still.frames.resize(8, still.frames[0]);
  for (PxPixels& page : pictures) page.clear();
  const Character roomy = load(test::write_px(artwork)).value();
  LoadOptions options;
  options.limits.max_image_pixels = 40'000;
  const Character tight = load(test::write_px(artwork), options).value();
  CHECK(roomy.data() == tight.data());
}
