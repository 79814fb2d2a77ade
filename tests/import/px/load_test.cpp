// SPDX-License-Identifier: MIT
// Loading of damaged, unknown and too large artworks, their clips, and the packing of their images.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/px.hpp"
#include "support/px_image.hpp"

#include "import/artwork/artwork.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace px_load_test {
using namespace pchr;
using artwork::PixelSize;
using test::Bytes;
using test::PxArtwork;
using test::PxColor;
using test::PxPixels;
using test::PxType;

namespace {

using Codes = std::vector<std::string>;

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

/// Makes one-pixel frames with a red of 1, 2, 3 and so on, one for each duration.
PxArtwork artwork_of(const std::vector<std::uint32_t>& durations_ms) {
  PxArtwork artwork;
  std::vector<PxPixels> images;
  for (std::size_t i = 0; i < durations_ms.size(); ++i) {
    images.push_back({{static_cast<std::uint8_t>(i + 1), 0, 0, 255}});
  }
  auto& layer = artwork.add_layer("layer", images);
  for (std::size_t i = 0; i < durations_ms.size(); ++i) layer.frames[i].ms = durations_ms[i];
  return artwork;
}

ImportedCharacter loaded(const PxArtwork& artwork, const Codes& codes = {}) {
  auto character = load_character(test::write_px(artwork));
  REQUIRE(character);
  CHECK(codes_of(*character) == codes);
  return *std::move(character);
}

/// Returns the frames that the clip shows as letters, A for the first.
std::string frames_of(const ImportedCharacter& character, ClipId clip) {
  std::string letters;
  for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; ++frame) {
    letters += static_cast<char>('A' + test::image_of(character, clip, frame).rgba[0] - 1);
  }
  return letters;
}

/// Checks that every image is within its page and at least a pixel from all others.
void check_places(const std::vector<PixelSize>& images, const artwork::Atlas& atlas) {
  REQUIRE(atlas.places.size() == images.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    const artwork::AtlasPlace& place = atlas.places[i];
    REQUIRE(place.page < atlas.pages.size());
    CHECK(place.x + images[i].width <= atlas.pages[place.page].width);
    CHECK(place.y + images[i].height <= atlas.pages[place.page].height);
    for (std::size_t j = 0; j < i; ++j) {
      const artwork::AtlasPlace& other = atlas.places[j];
      const bool apart = other.page != place.page || other.x > place.x + images[i].width ||
                         place.x > other.x + images[j].width || other.y > place.y + images[i].height ||
                         place.y > other.y + images[j].height;
      if (!apart) FAIL("image " << i << " is too close to image " << j);
    }
  }
}

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
    CHECK(codes_of(artwork) == (opacity < 0 ? Codes{"W243", "W277"} : Codes{"W243"}));
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

TEST_CASE("an artwork without tags has one looping clip", "[px]") {
  const ImportedCharacter character = loaded(artwork_of({40, 40, 40}));
  REQUIRE(character.clips().size() == 1);
  const Clip& clip = character.clips()[0];
  CHECK(clip.name == "default");
  CHECK(clip.looping);
  CHECK(clip.frames_per_second == 25);
  CHECK(clip.frame_ends.empty());
  CHECK(character.data().frames_per_second == 25);
  CHECK(frames_of(character, ClipId{0}) == "ABC");
  CHECK(character.file.artwork->whole_clip == 0U);
}

TEST_CASE("each tag becomes a clip, plus one clip of all frames", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40, 40});
  artwork.tags = {{"walk", 1, 3, 0}, {"back", 1, 3, 1}, {"swing", 0, 3, 2}, {"", 2, 2, 2}, {"off", 0, 1, 2}};
  artwork.tags[4].enabled = false;
  const ImportedCharacter character = loaded(artwork);
  REQUIRE(character.clips().size() == 6);
  CHECK(frames_of(character, ClipId{0}) == "BCD");
  CHECK(frames_of(character, ClipId{1}) == "DCB");
  CHECK(frames_of(character, ClipId{2}) == "ABCDCB");
  CHECK(frames_of(character, ClipId{3}) == "C");
  CHECK(character.clips()[3].name == "tag 4");
  CHECK(frames_of(character, ClipId{4}) == "AB");
  CHECK_FALSE(character.file.artwork->tags[4].enabled);
  CHECK(character.clips()[5].name == "all");
  CHECK(frames_of(character, ClipId{5}) == "ABCD");
  CHECK(character.find_clip("swing") == ClipId{2});
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(character.file.artwork->tags[i].clip == i);
}

TEST_CASE("the clip of all frames has a unique name", "[px]") {
  PxArtwork artwork = artwork_of({40, 40});
  artwork.tags = {{"all", 0, 0}};
  CHECK(loaded(artwork).clips()[1].name == "all frames");
}

TEST_CASE("frames of different durations keep them to the millisecond", "[px]") {
  PxArtwork artwork = artwork_of({80, 120, 160});
  artwork.tags = {{"back", 0, 2, 1}};
  const ImportedCharacter character = loaded(artwork);
  CHECK(character.clips()[0].frame_ends == std::vector{0.16, 0.28, 0.36});
  CHECK(character.clips()[1].frame_ends == std::vector{0.08, 0.2, 0.36});
  CHECK(character.clips()[1].frames_per_second == Approx(3 / 0.36));
  // Nominal rate for other formats: all durations are multiples of 40 ms.
  CHECK(character.data().frames_per_second == 25);
  CHECK(character.file.artwork->frame_ms == std::vector<std::uint32_t>{80, 120, 160});
}

TEST_CASE("a repeating tag plays that many times, then ends", "[px]") {
  PxArtwork artwork = artwork_of({40, 40});
  artwork.tags = {{"once", 0, 1, 0, 1}, {"thrice", 0, 1, 0, 3}, {"ever", 0, 1, 0, 0}};
  const ImportedCharacter character = loaded(artwork);
  CHECK(frames_of(character, ClipId{0}) == "AB");
  CHECK_FALSE(character.clips()[0].looping);
  CHECK(frames_of(character, ClipId{1}) == "ABABAB");
  CHECK_FALSE(character.clips()[1].looping);
  CHECK(character.clips()[2].looping);
  artwork.tags = {{"long", 0, 1, 0, 513}};
  const ImportedCharacter limited = loaded(artwork, {"W247"});
  CHECK(frames_of(limited, ClipId{0}) == "AB");
  CHECK_FALSE(limited.clips()[0].looping);
}

TEST_CASE("a speed modifier changes the rate", "[px]") {
  PxArtwork artwork = artwork_of({40, 40});
  artwork.speeds = {2, 0.25F};
  CHECK(loaded(artwork).clips()[0].frames_per_second == 12.5);
  CHECK(loaded(artwork).file.artwork->speed == 0.5);
  artwork.layers[0].frames[1].ms = 80;
  CHECK(loaded(artwork).clips()[0].frame_ends == std::vector{0.08, 0.24});
  artwork.speeds = {0};
  CHECK(loaded(artwork, {"W243"}).clips()[0].frame_ends == std::vector{0.04, 0.12});
}

TEST_CASE("layers that disagree on a frame's duration cause a warning, and the first wins", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40});
  auto& other = artwork.add_layer("other", {{{0, 0, 0, 0}}, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}});
  for (std::size_t i = 0; i < 4; ++i) other.frames[i].ms = i == 1 ? 80 : 40;
  const ImportedCharacter character = loaded(artwork, {"W249"});
  CHECK(character.file.artwork->frame_ms == std::vector<std::uint32_t>{40, 40, 40, 40});
  CHECK(character.warnings()[0].name == "other");
  CHECK_THAT(character.warnings()[0].detail,
             test::contains("shows frame 1 for 80 ms, but an earlier layer shows it for 40 ms"));
  other.frames[1].ms = 40;
  loaded(artwork);
}

TEST_CASE("a frame without a duration lasts 100 ms", "[px]") {
  CHECK(loaded(artwork_of({0, 100}), {"W243"}).clips()[0].frames_per_second == 10);
}

TEST_CASE("tags are clamped to existing frames", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40});
  artwork.tags = {{"swapped", 2, 1}, {"beyond", 1, 9}, {"far", 8, 9}};
  const ImportedCharacter character = loaded(artwork, {"W243", "W243", "W243"});
  CHECK(frames_of(character, ClipId{0}) == "BC");
  CHECK(frames_of(character, ClipId{1}) == "BC");
  CHECK(frames_of(character, ClipId{2}) == "C");
}

TEST_CASE("smooth playback does not move alternating images", "[px]") {
  PxArtwork artwork{.width = 3, .height = 1};
  const test::PxColor red{255, 0, 0, 255}, blue{0, 0, 255, 255}, none{};
  artwork.add_layer("layer", {{red, none, none}, {none, blue, none}, {none, none, red}, {none, blue, none}});
  const ImportedCharacter character = loaded(artwork);
  const std::size_t bones = character.bones().size();
  REQUIRE(bones == 2);
  const Clip& clip = character.clips()[0];
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    const PoseView now = clip.samples.frame(frame, bones), next = clip.samples.frame((frame + 1) % 4, bones);
    for (std::size_t bone = 0; bone < bones; ++bone) {
      if (now.visible[bone] != 0) CHECK(now.x[bone] == next.x[bone]);
    }
  }
}

TEST_CASE("the bind pose shows the first frame of the first clip", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40});
  artwork.tags = {{"last", 2, 2}, {"rest", 1, 1}};
  const ImportedCharacter character = loaded(artwork);
  CHECK(character.bind_pose_source().clip == ClipId{0});
  CHECK(character.bind_pose().visible[2] == 1);
}

TEST_CASE("images are packed with gaps into a roughly square page", "[px]") {
  std::minstd_rand random(1);
  std::vector<PixelSize> images;
  std::uint64_t area = 0;
  for (int i = 0; i < 300; ++i) {
    images.push_back({1 + static_cast<std::uint32_t>(random() % 60), 1 + static_cast<std::uint32_t>(random() % 60)});
    area += std::uint64_t{images.back().width + 1} * (images.back().height + 1);
  }
  const artwork::Atlas atlas = artwork::pack(images);
  check_places(images, atlas);
  REQUIRE(atlas.pages.size() == 1);
  const PixelSize& page = atlas.pages[0];
  CHECK(std::uint64_t{page.width} * page.height < area * 5 / 4);
  CHECK(page.height < page.width * 2);
}

TEST_CASE("a single image gets a page of its size, and no images no page", "[px]") {
  const artwork::Atlas atlas = artwork::pack(std::vector<PixelSize>{{5, 3}});
  REQUIRE(atlas.pages.size() == 1);
  CHECK(atlas.pages[0].width == 5);
  CHECK(atlas.pages[0].height == 3);
  CHECK(artwork::pack({}).pages.empty());
}

TEST_CASE("pages are at most 4096 pixels wide and high, except for larger images", "[px]") {
  std::vector<PixelSize> images(70, {1000, 1000});
  const artwork::Atlas atlas = artwork::pack(images);
  check_places(images, atlas);
  CHECK(atlas.pages.size() == 5);
  for (const PixelSize& page : atlas.pages) CHECK(std::max(page.width, page.height) <= 4096);
  images = {{10, 9000}, {9000, 10}, {10, 10}};
  check_places(images, artwork::pack(images));
}

}  // namespace px_load_test
