// SPDX-License-Identifier: MIT
// Loading of Aseprite artworks: every kind of chunk, damage, and what their parts become.
#include "support/aseprite.hpp"
#include "support/catch.hpp"
#include "support/load.hpp"
#include "support/px_image.hpp"

#include <pchr/image.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace aseprite_load_test {
using namespace pchr;
using test::AseArtwork;
using test::AseCel;
using test::AseColor;
using test::AseFields;
using test::AsePixels;
using test::Bytes;

namespace {

using Codes = std::vector<std::string>;

constexpr AseColor kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlue{0, 0, 255, 255}, kNothing{};

Codes codes_of(const Expected<ImportedCharacter, LoadError>& character) {
  if (!character) return {std::string(code(character.error().id))};
  Codes codes;
  for (const Diagnostic& warning : character->warnings()) codes.emplace_back(code(warning.id));
  return codes;
}

Codes codes_of(const AseArtwork& artwork) { return codes_of(load_character(test::write_aseprite(artwork))); }

ImportedCharacter loaded(const AseArtwork& artwork, const ImportOptions& options = {}, const Codes& codes = {}) {
  auto character = load_character(test::write_aseprite(artwork), options);
  REQUIRE(character);
  CHECK(codes_of(character) == codes);
  return *std::move(character);
}

AsePixels pixels_of(const ImportedCharacter& character, std::uint32_t frame = 0) {
  const Bitmap bitmap = test::image_of(character, frame);
  AsePixels pixels;
  for (std::size_t i = 0; i < bitmap.rgba.size(); i += 4) {
    pixels.push_back({bitmap.rgba[i], bitmap.rgba[i + 1], bitmap.rgba[i + 2], bitmap.rgba[i + 3]});
  }
  return pixels;
}
AsePixels pixels_of(const AseArtwork& artwork, std::uint32_t frame = 0) { return pixels_of(loaded(artwork), frame); }

/// Returns the only pixel of two layers of one pixel each.
AseColor blended(int mode, const AseColor& under, const AseColor& over, int opacity = 255, int flags = 1) {
  AseArtwork artwork{.flags = flags};
  artwork.add(test::ase_layer({"under"})).add(test::ase_layer({.name = "over", .blend = mode, .opacity = opacity}));
  artwork.add(test::ase_cel({}, 1, 1, AsePixels{under})).add(test::ase_cel({.layer = 1}, 1, 1, AsePixels{over}));
  return pixels_of(artwork)[0];
}

/// Returns frames of one pixel whose red is 1, 2, 3 and so on.
AseArtwork numbered(int frames, const std::vector<test::AseTag>& tags) {
  AseArtwork artwork;
  artwork.add(test::ase_layer({"layer"})).add(test::ase_tags(tags));
  for (int i = 0; i < frames; ++i) {
    if (i > 0) artwork.frames.emplace_back();
    artwork.add(test::ase_cel({}, 1, 1, AsePixels{{static_cast<std::uint8_t>(i + 1), 0, 0, 255}}));
  }
  return artwork;
}

/// Returns the frames that the clip shows as letters, A for the first.
std::string frames_of(const ImportedCharacter& character, std::uint32_t clip) {
  std::string letters;
  for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; ++frame) {
    letters += static_cast<char>('A' + test::image_of(character, ClipId{clip}, frame).rgba[0] - 1);
  }
  return letters;
}

Bytes bytes(std::initializer_list<int> values) {
  Bytes result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

}  // namespace

TEST_CASE("an Aseprite artwork with every kind of chunk loads without warnings", "[aseprite]") {
  const ImportedCharacter character = loaded(test::full_aseprite());
  CHECK(character.file.format == "Aseprite");
  const Artwork& artwork = character.file.artwork.value();
  CHECK(artwork.frame_ms == std::vector<std::uint32_t>{100, 50, 100});
  CHECK(artwork.user_text == "whole");
  CHECK(artwork.user_color == Rgba{0, 255, 0, 128});
  CHECK(artwork.palette.size() == 3);
  REQUIRE(artwork.layers.size() == 5);
  CHECK(artwork.layers[0].name == "photo");
  CHECK(artwork.layers[0].kind == LayerKind::reference);
  CHECK_FALSE(artwork.layers[0].drawn);
  CHECK(artwork.layers[1].kind == LayerKind::tilemap);
  CHECK(artwork.layers[2].kind == LayerKind::group);
  CHECK(artwork.layers[2].blend == BlendMode::multiply);
  CHECK(artwork.layers[3].parent == 2);
  CHECK(artwork.layers[4].user_text == "note");
  CHECK(artwork.layers[4].tag_color == Rgba{0, 0, 255, 255});
  REQUIRE(artwork.tilesets.size() == 1);
  CHECK(artwork.tilesets[0].user_text == "set");
  CHECK(artwork.tilesets[0].image);
  REQUIRE(artwork.tags.size() == 2);
  CHECK(artwork.tags[0].user_text == "fast");
  CHECK(artwork.tags[0].color == Rgba{255, 0, 0, 255});
  CHECK(artwork.tags[1].direction == TagDirection::ping_pong_backward);
  REQUIRE(artwork.slices.size() == 1);
  CHECK(artwork.slices[0].user_text == "hit");
  REQUIRE(artwork.slices[0].keys.size() == 2);
  CHECK(artwork.slices[0].keys[1].first_frame == 2);
  CHECK(artwork.slices[0].keys[1].area == ArtworkArea{1, 2, 3, 2});
  CHECK(artwork.slices[0].keys[1].center == ArtworkArea{1, 0, 1, 1});
  REQUIRE(artwork.cel_notes.size() == 1);
  CHECK(artwork.cel_notes[0] == ArtworkCelNote{4, 0, "cel", {0, 255, 0, 128}});
}

TEST_CASE("every prefix of an Aseprite artwork loads partially or fails with a reason", "[aseprite]") {
  const Bytes whole = test::write_aseprite(test::full_aseprite());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size << " bytes");
    // Allocate the exact size so that sanitizers detect reads past the end.
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto character = load_character(prefix);
    CHECK_FALSE(codes_of(character).empty());
    CHECK(character.has_value() == (size >= 128));
    if (!character && size >= 14) CHECK(code(character.error().id) == "E103");
  }
}

TEST_CASE("any byte of an Aseprite artwork can be wrong", "[aseprite]") {
  const Bytes whole = test::write_aseprite(test::full_aseprite());
  ImportOptions options;
  options.limits.max_image_pixels = 1 << 16;
  options.layers = {LayerChoice::Which::all, {}, {{0, true}}};
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int wrong : {0x00, 0x01, 0x7F, 0xFF}) {
      Bytes damaged = whole;
      damaged[at] = static_cast<std::byte>(wrong);
      if (const auto character = load_character(damaged, options)) CHECK(decode_images(*character));
    }
  }
}

TEST_CASE("pixels of each color depth become colors", "[aseprite]") {
  AseArtwork gray{.width = 2, .depth = 16};
  gray.add(test::ase_layer({"layer"})).add(test::ase_cel({}, 2, 1, bytes({90, 255, 7, 100})));
  CHECK(pixels_of(gray) == AsePixels{{90, 90, 90, 255}, {7, 7, 7, 100}});

  AseArtwork indexed{.width = 4, .depth = 8, .transparent_index = 1};
  indexed.add(test::ase_palette({kRed, kGreen, {0, 0, 255, 50}})).add(test::ase_layer({"layer"}));
  indexed.add(test::ase_cel({}, 4, 1, bytes({0, 1, 2, 9})));
  CHECK(pixels_of(indexed) == AsePixels{kRed, kNothing, {0, 0, 255, 50}, kNothing});
  CHECK(loaded(indexed).file.artwork->indexed);

  // The transparent index is a color in a background.
  indexed.frames[0].chunks[1] = test::ase_layer({.name = "layer", .flags = 9});
  CHECK(pixels_of(indexed)[1] == kGreen);
}

TEST_CASE("palettes of older programs count only without a newer one", "[aseprite]") {
  AseArtwork artwork{.depth = 8, .transparent_index = 9};
  artwork.add(test::ase_old_palette({{1, 2, 3, 0}})).add(test::ase_layer({"layer"}));
  artwork.add(test::ase_cel({}, 1, 1, bytes({0})));
  CHECK(pixels_of(artwork)[0] == AseColor{1, 2, 3, 255});
  // Programs write 11, the specification has 0x11.
  for (const int type : {0x000B, 0x0011}) {
    artwork.frames[0].chunks[0] = test::ase_old_palette({{63, 32, 1, 0}}, type);
    CHECK(pixels_of(artwork)[0] == AseColor{255, 130, 4, 255});
  }
  artwork.add(test::ase_palette({kBlue})).add(test::ase_old_palette({kRed}));
  CHECK(pixels_of(artwork)[0] == kBlue);
}

TEST_CASE("a palette in a later frame changes the colors from there on", "[aseprite]") {
  AseArtwork artwork{.depth = 8, .transparent_index = 9};
  artwork.add(test::ase_palette({kRed, kGreen})).add(test::ase_layer({"layer"}));
  artwork.add(test::ase_cel({}, 1, 1, bytes({1})));
  for (int frame = 0; frame < 2; ++frame) {
    artwork.frames.emplace_back();
    if (frame == 1) artwork.add(test::ase_palette({kBlue}, 1));
    artwork.add(test::ase_link({}, 0));
  }
  const ImportedCharacter character = loaded(artwork);
  CHECK(pixels_of(character, 1)[0] == kGreen);
  CHECK(pixels_of(character, 2)[0] == kBlue);
}

TEST_CASE("normal pixels blend in bytes", "[aseprite]") {
  CHECK(blended(0, {10, 20, 30, 255}, {200, 100, 50, 128}) == AseColor{105, 60, 40, 255});
  CHECK(blended(0, kNothing, {200, 100, 50, 128}, 128) == AseColor{200, 100, 50, 64});
  CHECK(blended(0, {10, 20, 30, 100}, {200, 100, 50, 100}) == AseColor{128, 69, 42, 161});
  // Without the flag in the header, layers are opaque.
  CHECK(blended(0, kRed, kBlue, 0, 0) == kBlue);
}

TEST_CASE("the modes that only Aseprite has work on bytes", "[aseprite]") {
  CHECK(blended(16, {200, 100, 0, 255}, {100, 100, 7, 255}) == AseColor{255, 200, 7, 255});
  CHECK(blended(17, {200, 100, 0, 255}, {100, 130, 7, 255}) == AseColor{100, 0, 0, 255});
  CHECK(blended(18, {100, 0, 30, 255}, {200, 0, 10, 255}) == AseColor{128, 0, 255, 255});
}

TEST_CASE("a mode fades where the backdrop is translucent", "[aseprite]") {
  for (int mode = 0; mode < static_cast<int>(kBlendModes); ++mode) {
    INFO("mode " << mode);
    // Nothing to blend with: the layer's own color, whatever the mode.
    CHECK(blended(mode, kNothing, {200, 100, 50, 128}) == AseColor{200, 100, 50, 128});
    const AseColor opaque = blended(mode, {40, 80, 120, 255}, {200, 100, 50, 255});
    const AseColor faint = blended(mode, {40, 80, 120, 1}, {200, 100, 50, 255});
    CHECK(opaque[3] == 255);
    CHECK(std::abs(faint[0] - 200) <= 2);
  }
}

TEST_CASE("grays have no hue, saturation, color or luminosity", "[aseprite]") {
  for (const int mode : {12, 13, 14, 15}) {
    AseArtwork artwork{.depth = 16};
    artwork.add(test::ase_layer({"under"})).add(test::ase_layer({.name = "over", .blend = mode}));
    artwork.add(test::ase_cel({}, 1, 1, bytes({50, 255}))).add(test::ase_cel({.layer = 1}, 1, 1, bytes({99, 255})));
    CHECK(pixels_of(artwork)[0] == AseColor{99, 99, 99, 255});
  }
}

TEST_CASE("a group has an opacity and a mode only with the flag in the header", "[aseprite]") {
  AseArtwork artwork{.flags = 1};
  artwork.add(test::ase_layer({"back"})).add(test::ase_layer({.name = "group", .type = 1, .opacity = 128}));
  artwork.add(test::ase_layer({.name = "inside", .level = 1}));
  artwork.add(test::ase_cel({}, 1, 1, AsePixels{kRed})).add(test::ase_cel({.layer = 2}, 1, 1, AsePixels{kBlue}));
  CHECK(pixels_of(artwork)[0] == kBlue);
  artwork.flags = 3;
  CHECK(pixels_of(artwork)[0] == AseColor{127, 0, 128, 255});
  artwork.frames[0].chunks[1] = test::ase_layer({.name = "group", .type = 1, .flags = 0});
  CHECK(pixels_of(artwork)[0] == kRed);
  artwork.flags = 1;
  CHECK(pixels_of(artwork)[0] == kRed);
}

TEST_CASE("a z-index moves a cel by layers", "[aseprite]") {
  const auto top_of = [](const std::vector<int>& z_indices, int flags) {
    AseArtwork artwork{.flags = flags};
    artwork.add(test::ase_layer({"a"})).add(test::ase_layer({"b"})).add(test::ase_layer({.name = "g", .type = 1}));
    artwork.add(test::ase_layer({.name = "c", .level = 1})).add(test::ase_layer({"d"}));
    const std::vector<int> layers{0, 1, 3, 4};
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const AsePixels pixel{{static_cast<std::uint8_t>(i), 0, 0, 255}};
      artwork.add(test::ase_cel({.layer = layers[i], .z_index = z_indices[i]}, 1, 1, pixel));
    }
    return "abcd"[pixels_of(artwork)[0][0]];
  };
  CHECK(top_of({0, 0, 0, 0}, 1) == 'd');
  // Layer 0 moves to 3, below layer 4; then to the place of layer 4, where the larger z-index wins.
  CHECK(top_of({3, 0, 0, 0}, 1) == 'd');
  CHECK(top_of({4, 0, 0, 0}, 1) == 'a');
  CHECK(top_of({0, 0, 0, -2}, 1) == 'c');
  // A background stays behind everything.
  AseArtwork artwork;
  artwork.add(test::ase_layer({.name = "back", .flags = 9})).add(test::ase_layer({"front"}));
  artwork.add(test::ase_cel({.z_index = 5}, 1, 1, AsePixels{kRed}));
  artwork.add(test::ase_cel({.layer = 1, .z_index = -5}, 1, 1, AsePixels{kBlue}));
  CHECK(pixels_of(artwork)[0] == kBlue);
  // Composed groups count as one layer.
  CHECK(top_of({3, 0, 0, 0}, 3) == 'a');
  CHECK(top_of({0, 0, 9, 0}, 3) == 'd');
}

TEST_CASE("cels can be raw, linked, and partly or wholly outside of the canvas", "[aseprite]") {
  AseArtwork artwork{.width = 2, .height = 2};
  artwork.add(test::ase_layer({"layer"}));
  artwork.add(test::ase_cel({.left = -1, .top = -1}, 2, 2, test::ase_bytes({kRed, kRed, kRed, kGreen}), false));
  artwork.frames.emplace_back();
  // The place and opacity of a linked cel are those of the other.
  artwork.add(test::ase_link({.left = 1, .opacity = 3}, 0));
  artwork.frames.emplace_back();
  artwork.add(test::ase_cel({.left = 1, .top = 1, .opacity = 128}, 5, 1, AsePixels(5, kBlue)));
  artwork.frames.emplace_back();
  artwork.add(test::ase_cel({.left = 2}, 2, 2, AsePixels(4, kBlue)));
  const ImportedCharacter character = loaded(artwork);
  CHECK(pixels_of(character, 0) == AsePixels{kGreen, kNothing, kNothing, kNothing});
  CHECK(pixels_of(character, 1) == pixels_of(character, 0));
  CHECK(pixels_of(character, 2) == AsePixels{kNothing, kNothing, kNothing, {0, 0, 255, 128}});
  CHECK(pixels_of(character, 3) == AsePixels(4, kNothing));
}

TEST_CASE("tiles can be mirrored and turned", "[aseprite]") {
  constexpr AseColor kWhite{255, 255, 255, 255};
  constexpr std::uint32_t kX = 0x20000000, kY = 0x40000000, kSwap = 0x80000000;
  struct Case {
    std::uint32_t bits;
    AsePixels pixels;
  };
  // The tile is red, green / blue, white.
  const std::vector<Case> cases{{0, {kRed, kGreen, kBlue, kWhite}},
                                {kX, {kGreen, kRed, kWhite, kBlue}},
                                {kY, {kBlue, kWhite, kRed, kGreen}},
                                {kX | kY, {kWhite, kBlue, kGreen, kRed}},
                                {kSwap, {kRed, kBlue, kGreen, kWhite}},
                                {kSwap | kX, {kBlue, kRed, kWhite, kGreen}},  // a quarter turn clockwise
                                {kSwap | kY, {kGreen, kWhite, kRed, kBlue}},
                                {kSwap | kX | kY, {kWhite, kGreen, kBlue, kRed}}};
  for (const Case& expected : cases) {
    INFO("bits " << (expected.bits >> 29));
    AseArtwork artwork{.width = 2, .height = 2};
    artwork.add(test::ase_tileset(7, 6, 2, 2, 2, test::ase_bytes({{}, {}, {}, {}, kRed, kGreen, kBlue, kWhite})));
    artwork.add(test::ase_layer({.name = "map", .type = 2, .tileset = 7}));
    artwork.add(test::ase_tiles({}, 1, 1, {1 | expected.bits}));
    CHECK(pixels_of(artwork) == expected.pixels);
  }
  // An early version had no empty tile.
  AseArtwork early{.width = 4, .height = 2};
  early.add(test::ase_tileset(0, 2, 1, 2, 2, test::ase_bytes({kRed, kGreen, kBlue, kWhite})));
  early.add(test::ase_layer({.name = "map", .type = 2})).add(test::ase_tiles({}, 2, 1, {0xFFFFFFFF, 0}));
  CHECK(pixels_of(early) == AsePixels{{}, {}, kRed, kGreen, {}, {}, kBlue, kWhite});
}

TEST_CASE("tags become clips with their direction and repeats", "[aseprite]") {
  struct Case {
    int direction, repeats;
    std::string frames;
    bool looping;
  };
  const std::vector<Case> cases{{0, 0, "BCD", true},   {1, 0, "DCB", true},     {2, 0, "BCDC", true},
                                {3, 0, "DCBC", true},  {0, 2, "BCDBCD", false}, {1, 1, "DCB", false},
                                {2, 1, "BCD", false},  {2, 2, "BCDCB", false},  {2, 3, "BCDCBCD", false},
                                {3, 2, "DCBCD", false}};
  for (const Case& expected : cases) {
    INFO("direction " << expected.direction << ", " << expected.repeats << " repeats");
    const ImportedCharacter character = loaded(numbered(4, {{"tag", 1, 3, expected.direction, expected.repeats}}));
    CHECK(frames_of(character, 0) == expected.frames);
    CHECK(character.clips()[0].looping == expected.looping);
    CHECK(frames_of(character, 1) == "ABCD");
  }
}

TEST_CASE("frames keep their durations, and those without one have that of the header", "[aseprite]") {
  AseArtwork artwork = numbered(3, {});
  artwork.speed = 70;
  artwork.frames[0].ms = 200;
  artwork.frames[1].ms = 0;
  const ImportedCharacter character = loaded(artwork);
  CHECK(character.file.artwork->frame_ms == std::vector<std::uint32_t>{200, 70, 100});
  CHECK(character.clips().size() == 1);
  CHECK(character.clips()[0].name == "default");
}

TEST_CASE("the pivot of a slice becomes the origin", "[aseprite]") {
  AseArtwork artwork{.width = 4, .height = 4};
  artwork.add(test::ase_layer({"layer"})).add(test::ase_cel({}, 4, 4, AsePixels(16, kRed)));
  CHECK(loaded(artwork).vertices()[0].x == -2);
  CHECK(loaded(artwork).vertices()[0].y == 2);
  artwork.add(test::ase_chunk(0x2022, AseFields{}.dword(1).dword(0).zeros(4).string("no pivot").zeros(20).bytes));
  AseFields slice;
  slice.dword(1).dword(2).zeros(4).string("feet").dword(0).dword(1).dword(1).dword(2).dword(3).dword(0).dword(2);
  artwork.add(test::ase_chunk(0x2022, slice.bytes));
  const ImportedCharacter character = loaded(artwork);
  CHECK(character.file.artwork->origin_x == 1);
  CHECK(character.file.artwork->origin_y == 3);
  CHECK(character.vertices()[0].x == -1);
  CHECK(character.vertices()[0].y == 3);
  CHECK(pixels_of(character) == AsePixels(16, kRed));
}

TEST_CASE("a reference layer is drawn only if it is chosen, scaled to its bounds", "[aseprite]") {
  AseArtwork artwork{.width = 4, .height = 1};
  artwork.add(test::ase_layer({.name = "photo", .flags = 65})).add(test::ase_cel({}, 2, 1, AsePixels{kRed, kBlue}));
  AseFields extra;
  extra.dword(1).dword(0).dword(0).dword(4 << 16).dword(1 << 16).zeros(16);
  artwork.add(test::ase_chunk(0x2006, extra.bytes));
  CHECK(pixels_of(loaded(artwork, {}, {"W277"})) == AsePixels(4, kNothing));
  ImportOptions options;
  options.layers = {LayerChoice::Which::named, {"photo"}, {}};
  CHECK(pixels_of(loaded(artwork, options)) == AsePixels{kRed, kRed, kBlue, kBlue});
}

TEST_CASE("what cannot be read or drawn of an Aseprite artwork is a warning", "[aseprite]") {
  const auto with = [](const Bytes& chunk) {
    AseArtwork artwork;
    artwork.add(test::ase_layer({"layer"})).add(test::ase_cel({}, 1, 1, AsePixels{kRed})).add(chunk);
    return codes_of(artwork);
  };
  CHECK(with(test::ase_chunk(0x2016, {})).empty());
  CHECK(with(test::ase_chunk(0x7777, {})) == Codes{"W244"});
  CHECK(with(test::ase_chunk(0x2005, {})) == Codes{"W240"});
  CHECK(with(test::ase_layer({.name = "mode", .blend = 19})) == Codes{"W244"});
  CHECK(with(test::ase_layer({.name = "type", .type = 3})) == Codes{"W244"});
  CHECK(with(test::ase_cel({.layer = 5}, 1, 1, AsePixels{kRed})) == Codes{"W242"});
  CHECK(with(test::ase_cel({}, 1, 1, AsePixels{kBlue})) == Codes{"W242"});
  const auto with_cel = [](const Bytes& cel) {
    AseArtwork artwork;
    return codes_of(artwork.add(test::ase_layer({"layer"})).add(cel));
  };
  CHECK(with_cel(test::ase_cel({}, 2, 2, AsePixels{kRed})) == Codes{"W241", "W277"});
  CHECK(with_cel(test::ase_cel({}, 60000, 60000, AsePixels{kRed})) == Codes{"W241", "W277"});
  CHECK(with_cel(test::ase_link({}, 0)) == Codes{"W241", "W277"});
  CHECK(with(test::ase_tiles({}, 1, 1, {0})) == Codes{"W242"});
  CHECK(with(test::ase_tags({{"tag", 0, 5}})) == Codes{"W243"});
  CHECK(with(test::ase_tags({{"tag", 0, 0, 9}})) == Codes{"W244"});
  CHECK(with(test::ase_tileset(0, 1, 1, 8, 8, {})) == Codes{"W238"});
  CHECK(with(test::ase_chunk(0x2008, AseFields{}.dword(1).zeros(8).dword(1).byte(0).zeros(7).string("a.gpl").bytes)) ==
        Codes{"W238"});
  CHECK(with(test::ase_chunk(0x2007, AseFields{}.word(2).zeros(14).dword(3).zeros(3).bytes)) == Codes{"W237"});
  CHECK(with(test::ase_chunk(0x2007, AseFields{}.word(1).word(1).dword(0x10000).zeros(8).bytes)) == Codes{"W237"});
  CHECK(with(test::ase_palette({kRed}, 65535)) == Codes{"W240"});

  CHECK(codes_of(AseArtwork{.pixel_ratio = {2, 1}, .frames = {}}) == Codes{"W236", "W248"});
  CHECK(codes_of(AseArtwork{.width = 0}) == Codes{"E145"});
  CHECK(codes_of(AseArtwork{.depth = 24}) == Codes{"E146"});
  AseArtwork missing = numbered(2, {});
  missing.frame_count = 3;
  CHECK(codes_of(missing) == Codes{"W240"});
  Bytes longer = test::write_aseprite(numbered(2, {}));
  longer.resize(longer.size() + 5);
  CHECK(codes_of(load_character(longer)) == Codes{"W244"});
}

TEST_CASE("a color profile is named in its warning, however it stores its name", "[aseprite]") {
  const auto named = [](const Bytes& description) {
    AseFields profile;
    // One tag, right after the list of tags; numbers are big-endian.
    profile.zeros(128).raw(bytes({0, 0, 0, 1, 'd', 'e', 's', 'c', 0, 0, 0, 144, 0, 0, 0, 40})).raw(description);
    AseArtwork artwork;
    AseFields chunk;
    chunk.word(2).zeros(14).dword(static_cast<std::uint32_t>(profile.bytes.size())).raw(profile.bytes);
    const ImportedCharacter character = loaded(artwork.add(test::ase_chunk(0x2007, chunk.bytes)), {}, {"W237", "W277"});
    return character.warnings()[0].detail;
  };
  const Bytes ascii = bytes({'d', 'e', 's', 'c', 0, 0, 0, 0, 0, 0, 0, 5, 'W', 'a', 'r', 'm', 0});
  const Bytes localized = bytes({'m', 'l', 'u', 'c', 0, 0, 0, 0, 0, 0,  0, 1,   0, 0,   0, 12,  'e', 'n',
                                 'U', 'S', 0,   0,   0, 8, 0, 0, 0, 28, 0, 'C', 0, 'o', 0, 'l', 0,   'd'});
  CHECK(named(ascii).find("\"Warm\"") != std::string::npos);
  CHECK(named(localized).find("\"Cold\"") != std::string::npos);
  CHECK(named({}).find("\"\"") != std::string::npos);
}

TEST_CASE("an Aseprite artwork cannot make many frames from few bytes", "[aseprite]") {
  AseArtwork artwork;
  for (int layer = 0; layer < 500; ++layer) artwork.add(test::ase_layer({"layer"}));
  artwork.frames.resize(3000);
  for (int layer = 0; layer < 500; ++layer) artwork.add(test::ase_cel({.layer = layer}, 1, 1, AsePixels{kRed}));
  CHECK(codes_of(artwork) == Codes{"E104"});
}

TEST_CASE("groups of an Aseprite artwork can be nested without limit", "[aseprite]") {
  for (const int flags : {1, 3}) {
    AseArtwork artwork{.flags = flags};
    for (int level = 0; level < 100; ++level) artwork.add(test::ase_layer({.name = "g", .type = 1, .level = level}));
    artwork.add(test::ase_layer({.name = "inside", .level = 100}));
    artwork.add(test::ase_cel({.layer = 100}, 1, 1, AsePixels{kRed}));
    CHECK(pixels_of(loaded(artwork, {}, Codes(16, "W242")))[0] == kRed);
  }
}

TEST_CASE("an artwork in which nothing is ever visible says why", "[aseprite]") {
  const auto reason_of = [](const AseArtwork& artwork, const ImportOptions& options = {}) {
    const ImportedCharacter character = loaded(artwork, options, {"W277"});
    return character.warnings().empty() ? std::string() : describe(character.warnings()[0]);
  };
  const std::string start = "no pixel is visible in 1 frame: ";
  AseArtwork artwork{.depth = 8};
  CHECK(reason_of(artwork) == start + "the artwork has no layers");
  artwork.add(test::ase_layer({"layer"}));
  CHECK(reason_of(artwork) == start + "the layers have no pixels");
  artwork.add(test::ase_cel({}, 1, 1, bytes({1})));
  CHECK(reason_of(artwork) == start + "the artwork is indexed and has no colors");
  artwork.add(test::ase_palette({kRed, {}}));
  CHECK(reason_of(artwork) == start + "all pixels of the visible layers are transparent or damaged");
  artwork.frames[0].chunks[0] = test::ase_layer({.name = "layer", .flags = 0});
  CHECK(reason_of(artwork) == start + "all layers are hidden");
}

}  // namespace aseprite_load_test
