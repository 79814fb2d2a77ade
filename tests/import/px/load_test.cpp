// SPDX-License-Identifier: MIT
// Loading of damaged, unknown and too large artworks.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/px.hpp"
#include "support/px_image.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace px_load_test {
using namespace pchr;
using test::Bytes;
using test::PxArtwork;
using test::PxColor;
using test::PxPixels;
using test::PxType;

namespace {

constexpr PxColor kRed{255, 0, 0, 255}, kBlue{0, 0, 255, 255};

/// Makes an artwork with every feature.
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

std::vector<std::string> codes_of(const Expected<Character, LoadError>& character) {
  if (!character) return {std::string(code(character.error().id))};
  std::vector<std::string> codes;
  for (const Diagnostic& warning : character->warnings()) codes.emplace_back(code(warning.id));
  return codes;
}

std::vector<std::string> codes_of(const PxArtwork& artwork) {
  return codes_of(load_character(test::write_px(artwork)));
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("an artwork with every feature loads without warnings", "[px]") {
  const auto character = load_character(test::write_px(full_artwork()));
  CHECK(codes_of(character).empty());
  REQUIRE(character);
  CHECK(character->file.format == "Pixquare PX");
  CHECK(character->file.artwork->layers.size() == 6);
}

TEST_CASE("every prefix of an artwork loads partially or fails with a reason", "[px]") {
  const Bytes whole = test::write_px(full_artwork());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size << " bytes");
    // Allocate the exact size so that sanitizers detect reads past the end.
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto character = load_character(prefix);
    CHECK_FALSE(codes_of(character).empty());
    if (!character) CHECK(character.error().byte_offset.value_or(0) <= size);
    CHECK(character.has_value() == (size >= 108));
  }
}

TEST_CASE("any byte of an artwork can be wrong", "[px]") {
  const Bytes whole = test::write_px(full_artwork());
  ImportOptions options;
  options.limits.max_image_pixels = 1 << 16;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int wrong : {0x00, 0x01, 0x7F, 0xFF}) {
      Bytes bytes = whole;
      bytes[at] = static_cast<std::byte>(wrong);
      if (const auto character = load_character(bytes, options)) CHECK(decode_images(*character));
    }
  }
}

TEST_CASE("fields missing in older files have their defaults", "[px]") {
  // The file ends after its frames' contents: no palette, tags or anything else.
  PxArtwork artwork{.width = 1, .height = 1};
  artwork.add_layer("layer", {{kRed}});
  Bytes bytes = test::write_px(artwork);
  constexpr std::size_t kAfterContents = 8 * 9 + 1 + 32 + 1 + 16 + 28 + 16 + 2;
  bytes.resize(bytes.size() - kAfterContents);
  const std::uint64_t size = bytes.size() - 64;
  std::memcpy(bytes.data(), &size, sizeof(size));
  const auto character = load_character(bytes);
  CHECK(codes_of(character).empty());
  REQUIRE(character);
  CHECK(character->meshes().size() == 1);
}

TEST_CASE("a file with a wrong length in its header loads anyway", "[px]") {
  Bytes bytes = test::write_px(full_artwork());
  bytes.push_back(std::byte{0});
  CHECK(codes_of(load_character(bytes)) == Codes{"W240"});
  bytes[7] = std::byte{0xFF};
  CHECK(codes_of(load_character(bytes)) == Codes{"W240", "W244"});
}

TEST_CASE("an artwork that follows the specification literally loads without warnings", "[px]") {
  PxArtwork artwork = full_artwork();
  artwork.canvas_grid = {8, 8, kRed, kBlue};
  const ImportedCharacter usual = load_character(test::write_px(artwork)).value();
  artwork.by_the_document = true;
  artwork.speeds.clear();
  for (const test::PxGuide& guide : {test::PxGuide{.type = 1, .width = 16, .height = 8, .visible = true},
                                     test::PxGuide{.width = 3}, test::PxGuide{}}) {
    artwork.guide = guide;
    const auto character = load_character(test::write_px(artwork));
    CHECK(codes_of(character).empty());
    REQUIRE(character);
    CHECK(character->data().images == usual.data().images);
    CHECK(character->file.artwork->layers == usual.file.artwork->layers);
    CHECK(character->file.artwork->guide.has_value() == (guide.height > 0));
    CHECK(character->file.artwork->canvas_grid == usual.file.artwork->canvas_grid);
  }
  // Nothing follows the guide's three fields.
  Bytes bytes = test::write_px(artwork);
  bytes.pop_back();
  const std::uint64_t size = bytes.size();
  std::memcpy(bytes.data(), &size, sizeof(size));
  CHECK(codes_of(load_character(bytes)).empty());
}

TEST_CASE("an older guide can precede the parts of newer files", "[px]") {
  PxArtwork artwork = full_artwork();
  artwork.by_the_document = true;
  artwork.guide = {.width = 16, .height = 16};
  // No post-processor, no palette organization, two bytes, and a modifier that doubles the speed.
  PxArtwork plain;
  plain.speeds = {2};
  const Bytes whole = test::write_px(plain);
  artwork.after.assign(whole.end() - (8 + 16 + 2 + 8 + 16 + 7 + 1 + 4), whole.end());
  const auto character = load_character(test::write_px(artwork));
  CHECK(codes_of(character) == Codes{});
  CHECK(character->file.artwork->speed == 2);
}

TEST_CASE("an artwork is detected with any identifier length and any unused header bytes", "[px]") {
  PxArtwork artwork = full_artwork();
  for (const std::size_t length : {1, 35, 37, 255}) {
    artwork.id.assign(length, 'x');
    for (const bool by_the_document : {false, true}) {
      artwork.by_the_document = by_the_document;
      Bytes bytes = test::write_px(artwork);
      CHECK(codes_of(load_character(bytes)).empty());
      REQUIRE(load_character(bytes));
      CHECK(load_character(bytes)->file.format == "Pixquare PX");
      bytes[63] = bytes[11] = std::byte{1};
      CHECK(load_character(bytes).has_value());
    }
  }
  Bytes bytes = test::write_px(full_artwork());
  bytes[40] = std::byte{7};
  CHECK(codes_of(load_character(bytes)).empty());
}

TEST_CASE("other files are not detected as artworks", "[px]") {
  const auto is_unknown = [](const Bytes& bytes) { return codes_of(load_character(bytes)) == Codes{"E101"}; };
  PxArtwork artwork = full_artwork();
  artwork.id = "short";
  const Bytes whole = test::write_px(artwork);
  CHECK_FALSE(is_unknown(whole));
  const auto with = [&](std::size_t at, int value) {
    Bytes bytes = whole;
    bytes[at] = static_cast<std::byte>(value);
    return bytes;
  };
  CHECK(is_unknown(with(0, std::to_integer<int>(whole[0]) ^ 1)));  // Wrong file size.
  CHECK(is_unknown(with(64, 0x0A)));                               // No identifier.
  CHECK(is_unknown(with(8, 0)));
  CHECK(is_unknown(with(8, 3)));      // Moves the canvas, which becomes huge.
  CHECK(is_unknown(with(71, 0x7F)));  // Canvas too wide.
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    if (size != whole.size() - 64) CHECK(codes_of(load_character(prefix))[0][0] == 'E');
  }
  CHECK(is_unknown(Bytes(4096)));
  // The right size, but nothing else of an artwork.
  for (const int filler : {0x00, 0x01, 0x20, 0x41, 0xFF}) {
    Bytes bytes(512, static_cast<std::byte>(filler));
    for (const std::uint64_t size : {512, 448}) {
      std::memcpy(bytes.data(), &size, sizeof(size));
      CHECK(is_unknown(bytes));
    }
  }
}

TEST_CASE("data that is not drawn is reported", "[px]") {
  PxArtwork artwork = full_artwork();
  artwork.symmetry_lines = {{.color = kBlue, .x = 1.5F, .y = 2, .radians = 1.5707964F, .segments = 6, .type = 1},
                            {.enabled = false}};
  artwork.canvas_grid = {8, 4, kRed, kBlue};
  artwork.guide = {.type = 1, .width = 16, .height = 12, .color = {0, 128, 0, 128}, .visible = true};
  artwork.references[0] = {.id = "r",
                           .name = "photo",
                           .png = Bytes(3),
                           .left = -2,
                           .top = 5,
                           .width = 30,
                           .height = 20,
                           .radians = 3.1415927F,
                           .flips = 2};
  const auto artwork_of = [](const PxArtwork& from) {
    const auto character = load_character(test::write_px(from));
    CHECK(codes_of(character).empty());
    return character->file.artwork.value();
  };
  const Artwork found = artwork_of(artwork);
  REQUIRE(found.symmetry_lines.size() == 2);
  CHECK(found.symmetry_lines[0].kind == SymmetryKind::rotate);
  CHECK(found.symmetry_lines[0].enabled);
  CHECK(found.symmetry_lines[0].x == 1.5F);
  CHECK(found.symmetry_lines[0].y == 2);
  CHECK(found.symmetry_lines[0].rotation_degrees == Approx(90));
  CHECK(found.symmetry_lines[0].segments == 6);
  CHECK(found.symmetry_lines[0].color == Rgba{0, 0, 255, 255});
  CHECK(found.symmetry_lines[1].kind == SymmetryKind::mirror);
  CHECK_FALSE(found.symmetry_lines[1].enabled);
  CHECK(found.canvas_grid == ArtworkCanvasGrid{8, 4, {255, 0, 0, 255}, {0, 0, 255, 255}});
  CHECK(found.guide == ArtworkGuide{GuideKind::isometric, 16, 12, {0, 255, 0, 128}, {}, true});
  REQUIRE(found.layers[0].reference);
  CHECK(found.layers[0].reference->left == -2);
  CHECK(found.layers[0].reference->top == 5);
  CHECK(found.layers[0].reference->width == 30);
  CHECK(found.layers[0].reference->height == 20);
  CHECK(found.layers[0].reference->rotation_degrees == Approx(180));
  CHECK_FALSE(found.layers[0].reference->flipped_horizontally);
  CHECK(found.layers[0].reference->flipped_vertically);
  CHECK_FALSE(found.layers[1].reference);
  artwork.guide = {.type = 2, .xs = {1, 2}, .ys = {3, 4}, .lines = {5, 6}, .colors = {kRed, kBlue}};
  CHECK(artwork_of(artwork).guide ==
        ArtworkGuide{
            GuideKind::perspective, 0, 0, {}, {{1, 3, 5, {255, 0, 0, 255}}, {2, 4, 6, {0, 0, 255, 255}}}, false});
  artwork.guide = {};
  artwork.canvas_grid = {};
  CHECK_FALSE(artwork_of(artwork).guide);
  CHECK_FALSE(artwork_of(artwork).canvas_grid);
}

TEST_CASE("too many small parts of an artwork are skipped with a warning", "[px]") {
  PxArtwork artwork{.width = 1, .height = 1};
  artwork.add_layer("layer", {{kRed}});
  artwork.tags.assign(65535, {"", 0, 0});
  const auto character = load_character(test::write_px(artwork));
  CHECK(codes_of(character) == Codes{"W240"});
  CHECK(character->clips().size() == 65535);
}

TEST_CASE("empty and huge canvases are rejected", "[px]") {
  PxArtwork artwork;
  for (const auto& [width, height] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {0, 1}, {1, 0}, {16385, 1}, {1, 0xFFFFFFFF}, {16384, 16384}}) {
    artwork.width = width;
    artwork.height = height;
    CHECK(codes_of(artwork) == Codes{"E145"});
  }
  artwork.width = artwork.height = 300;
  ImportOptions options;
  options.limits.max_image_pixels = 300 * 300 - 1;
  CHECK(codes_of(load_character(test::write_px(artwork), options)) == Codes{"E104"});
}

TEST_CASE("damaged, missing or excess pixels leave their frame empty", "[px]") {
  for (const Bytes& deflated :
       {Bytes{}, Bytes(3), Bytes{std::byte{0x78}, std::byte{0x9C}, std::byte{0xFF}}, test::px_deflated(PxPixels(3)),
        test::px_deflated(PxPixels(5)), test::px_deflated(PxPixels(1 << 20))}) {
    PxArtwork artwork{.width = 2, .height = 2};
    artwork.add_layer("layer", {PxPixels(4, kRed), PxPixels(4, kBlue)});
    artwork.contents[0].deflated = deflated;
    const auto character = load_character(test::write_px(artwork));
    CHECK(codes_of(character) == Codes{"W241"});
    REQUIRE(character);
    CHECK(character->meshes().size() == 1);
    CHECK(test::image_of(*character, 1).rgba[2] == 255);
  }
}

TEST_CASE("pixels can have a checksum after them or no header before them", "[px]") {
  PxArtwork artwork{.width = 2, .height = 2};
  artwork.add_layer("layer", {PxPixels(4, kRed)});
  Bytes& deflated = artwork.contents[0].deflated;
  deflated.insert(deflated.end(), {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}});
  CHECK(codes_of(artwork).empty());
  deflated.erase(deflated.begin(), deflated.begin() + 2);
  CHECK(codes_of(artwork).empty());
}

TEST_CASE("frames can name no pixels, but not missing ones", "[px]") {
  PxArtwork artwork = full_artwork();
  artwork.layers[0].frames[0].content.clear();
  CHECK(codes_of(artwork).empty());
  artwork.layers[0].frames[0].content = "nothing";
  CHECK(codes_of(artwork) == Codes{"W241"});
  artwork = full_artwork();
  artwork.tilemaps[0].tileset = "nothing";
  CHECK(codes_of(artwork) == Codes{"W241"});
}

TEST_CASE("unusable tiles are skipped", "[px]") {
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

TEST_CASE("an invalid opacity is replaced", "[px]") {
  for (const float opacity : {-1.0F, 1.5F, 3.0F, std::numeric_limits<float>::quiet_NaN()}) {
    PxArtwork artwork{.width = 1, .height = 1};
    artwork.add_layer("layer", {{kRed}}).frames[0].opacity = opacity;
    const auto character = load_character(test::write_px(artwork));
    CHECK(codes_of(character) == Codes{"W243"});
    CHECK(test::image_of(character.value(), 0).rgba[3] == 255);
    artwork.layers[0].frames[0].opacity = 2;
    artwork.layers[0].opacity = opacity;
    CHECK(codes_of(artwork) == Codes{"W243"});
  }
}

TEST_CASE("unknown values are named in warnings", "[px]") {
  const auto detail = [](const PxArtwork& artwork, const std::string& expected) {
    const auto character = load_character(test::write_px(artwork));
    CHECK(codes_of(character) == Codes{expected});
    return character->warnings()[0].detail;
  };
  PxArtwork artwork = full_artwork();
  artwork.entries.push_back({static_cast<PxType>(9), "id"});
  CHECK_THAT(detail(artwork, "W244"), test::contains("entry of unknown type 9"));
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

TEST_CASE("invalid UTF-8 in names is replaced", "[px]") {
  PxArtwork artwork = full_artwork();
  artwork.groups[0].name = "gr\xFFup\xC3";
  const auto character = load_character(test::write_px(artwork));
  REQUIRE(character);
  CHECK(character->file.artwork->layers[2].name == "gr\xEF\xBF\xBDup\xEF\xBF\xBD");
}

TEST_CASE("an artwork without frames loads without clips", "[px]") {
  PxArtwork artwork;
  CHECK(codes_of(artwork) == Codes{"W248"});
  CHECK(load_character(test::write_px(artwork))->clips().empty());
}

TEST_CASE("artworks that would take too much time or memory are rejected", "[px]") {
  ImportOptions options;
  options.limits.max_image_pixels = 1 << 12;
  // A thousand full-canvas masks in distinct frames.
  PxArtwork artwork{.width = 64, .height = 64};
  artwork.add_layer("layer", {PxPixels(64 * 64, kRed)});
  artwork.add_layer("mask", {PxPixels(64 * 64, kBlue)});
  artwork.layers[0].clipping.assign(1000, {PxType::layer, "id of mask"});
  CHECK(codes_of(load_character(test::write_px(artwork), options)) == Codes{"E104"});
  CHECK(codes_of(artwork).empty());
  // Images that exceed the limit together.
  artwork = {.width = 64, .height = 64};
  artwork.add_layer("layer", {PxPixels(64 * 64, kRed), PxPixels(64 * 64, kBlue)});
  CHECK(codes_of(load_character(test::write_px(artwork), options)) == Codes{"E104"});
  CHECK(codes_of(artwork).empty());
  // More frames than samples are allowed.
  options = {};
  options.limits.max_bone_samples = 3;
  CHECK(codes_of(load_character(test::write_px(artwork), options)) == Codes{"E104"});
  // Many tags of many frames.
  options.limits.max_bone_samples = 1000;
  artwork.tags.assign(300, {"tag", 0, 1, 2});
  CHECK(codes_of(load_character(test::write_px(artwork), options)) == Codes{"E104"});
  artwork.tags.assign(200, {"tag", 0, 1, 2});
  CHECK(codes_of(load_character(test::write_px(artwork), options)).empty());
}

TEST_CASE("frames are composed correctly when few cels can be cached", "[px]") {
  PxArtwork artwork{.width = 64, .height = 64};
  std::vector<PxPixels> images(8, PxPixels(64 * 64, kRed));
  for (std::size_t i = 0; i < images.size(); ++i) {
    images[i][i] = kBlue;
    for (std::size_t pixel = 512; pixel < images[i].size(); ++pixel) images[i][pixel] = {};
  }
  artwork.add_layer("animated", images);
  auto& still = artwork.add_layer("still", {PxPixels(64 * 64, PxColor{0, 64, 0, 64})});
  still.frames.resize(8, still.frames[0]);
  for (PxPixels& page : images) page.clear();
  const ImportedCharacter roomy = load_character(test::write_px(artwork)).value();
  ImportOptions options;
  options.limits.max_image_pixels = 40'000;
  const ImportedCharacter tight = load_character(test::write_px(artwork), options).value();
  CHECK(roomy.data() == tight.data());
}

}  // namespace px_load_test
