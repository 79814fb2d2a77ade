// SPDX-License-Identifier: MIT
// Small characters of every format, made by the test helpers.
#include "scenes.hpp"

#include "support/aseprite.hpp"
#include "support/bmp.hpp"
#include "support/image_files.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/px.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>
#include <pchr/import/save.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace pchr::mutate {
namespace {

namespace fs = std::filesystem;
using test::Bytes;

constexpr std::array<std::uint8_t, 16> kPixels{255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 64, 9, 9, 9, 0};

Bytes bytes_of_text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Bytes small_png() { return test::png_of(2, 2, kPixels); }

/// 2 x 2 pixels: one run and two single pixels.
Bytes small_tga() {
  constexpr std::array<std::uint8_t, 29> kBytes{0, 0,  10,   0,    0, 0, 0, 0,    0, 0, 0, 0, 2, 0, 2,
                                                0, 24, 0x20, 0x81, 9, 8, 7, 0x01, 1, 2, 3, 4, 5, 6};
  const auto bytes = std::as_bytes(std::span(kBytes));
  return {bytes.begin(), bytes.end()};
}

/// Markers for the first clip.
SceneFile markers_for(const Character& character) {
  std::string text = R"({"markers": [)";
  if (!character.clips().empty() && character.clips()[0].frame_count > 0) {
    text += R"({"clip": ")" + character.clips()[0].name + R"(", "frame": 0, "name": "tap"})";
  }
  return {"input.markers.json", bytes_of_text(text + "]}\n")};
}

/// Reduces `character` to images of 2 x 2 pixels and its first two clips.
Character lightened(const Character& character) {
  CharacterData data = character.data();
  for (Image& image : data.images) image = {"small " + image.name, 2, 2, ImageEncoding::png, small_png()};
  data.clips.resize(std::min<std::size_t>(data.clips.size(), 2));
  return Character::build(std::move(data)).value();
}

void add_forms(const Character& character, const std::string& prefix, std::uint64_t share, std::vector<Scene>& scenes) {
  struct Known {
    Format form;
    const char* name;
  };
  for (const auto& [form, name] :
       {Known{Format::v1, "v1"}, Known{Format::json, "json"}, Known{Format::packed, "packed"}}) {
    auto saved = save(character, form, "input", {.lossy = true});
    if (!saved) continue;
    Scene& scene = scenes.emplace_back(prefix + name);
    scene.share = share;
    scene.files.push_back({saved->file.name, std::move(saved->file.bytes)});
    for (SavedFile& image : saved->images) scene.files.push_back({image.name, std::move(image.bytes)});
    scene.files.push_back(markers_for(character));
  }
}

Scene unreal_mesh() {
  const std::vector<test::PskBox> boxes{
      {"skin", {0, 0, 0}, {1, 1, 2}}, {"cloth", {0, 0, 2}, {1, 1, 3}, 1}, {"hair", {0, 0, 3}, {1, 1, 4}, 1}};
  return {"mesh",
          {{"input.psk", test::bytes_of(test::boxes_psk(boxes))},
           {"input.psa", test::bytes_of(test::small_psa())},
           {"input.config", bytes_of_text("[AnimSet]\nbAnimRotationOnly=1\n[UseTranslationBoneNames]\ntip\n"
                                          "[RemoveTracks]\nturn.1=rot\n")},
           {"skin.tga", small_tga()},
           {"cloth.mat", bytes_of_text("Normal=cloth_n\nDiffuse=cloth_d\n")},
           {"cloth_d.bmp", test::bmp_of({.width = 1, .height = 1, .pixels = {1, 2, 3, 0}})},
           {"hair.png", small_png()}}};
}

Scene pomyu_character() {
  const std::vector<std::uint8_t> palette{0, 0, 0, 0, 250, 30, 90, 0, 20, 200, 40, 0, 255, 255, 255, 0};
  return {"pomyu",
          {{"input.chp", bytes_of_text("#CharBMP sheet.bmp\r\n#CharTex second.bmp\r\n#Anime 100\r\n#Size 4 2\r\n"
                                       "#Wait 1\r\n#Data 16\r\n#01 0 0 2 2\r\n#02 2 0 2 2\r\n#03 1 0 2 2\r\n"
                                       "#Patern 1 01020103\r\n#Patern 2 0102\r\n#Texture 2 0102\r\n#Loop 2 1\r\n")},
           {"sheet.bmp", test::bmp_of({.width = 4, .height = 2, .pixels = {9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                                                           9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9}})},
           {"second.bmp", test::bmp_of({.width = 4,
                                        .height = 2,
                                        .bits = 8,
                                        .compression = 1,
                                        .colors = 4,
                                        .after_header = palette,
                                        .pixels = {4, 1, 0, 0, 2, 2, 2, 3, 0, 1}})}}};
}

Scene pomyu_character_of_other_images() {
  const std::vector<std::uint8_t> rgb(24, 200), indices{0, 1, 2, 3, 3, 2, 1, 0};
  std::vector<std::uint8_t> rgba;
  for (std::size_t pixel = 0; pixel < 8; ++pixel) rgba.insert(rgba.end(), kPixels.begin(), kPixels.begin() + 4);
  return {"pomyu images",
          {{"input.chp", bytes_of_text("#CharBMP a.jpg\r\n#CharTex b.gif\r\n#CharFace c.webp\r\n#SelectCG d.tga\r\n"
                                       "#Data 16\r\n#02 0 0 2 2\r\n#Patern 1 0202\r\n#Texture 1 0202\r\n")},
           {"a.jpg", test::jpeg_of(4, 2, rgb, {})},
           {"b.gif", test::gif_of(4, 2, indices)},
           {"c.webp", test::webp_of(4, 2, rgba, true)},
           {"d.tga", small_tga()}}};
}

Scene pixel_artwork() {
  const test::PxPixels blue(16, {20, 40, 200, 255}), clear(16, {0, 0, 0, 0});
  test::PxArtwork artwork{.width = 4, .height = 4};
  artwork.add_layer("back", {blue, blue});
  artwork.add_layer("front", {clear, blue});
  artwork.palette = {{20, 40, 200, 255}, {255, 255, 255, 255}};
  artwork.tags = {{.name = "breathe", .first = 0, .last = 1}};
  return {"artwork",
          {{"input.px", test::write_px(artwork)},
           {"input.rig.json",
            bytes_of_text(R"({"markers": [{"clip": "breathe", "frame": 1, "name": "out"}], "wind": [1, 2]})")}}};
}

Scene aseprite_artwork() { return {"aseprite", {{"input.aseprite", test::write_aseprite(test::full_aseprite())}}}; }
Scene keyed_skeleton() {
  constexpr const char* kSkeleton =
      R"({"version":"5.5","frameRate":8,"armature":[{"name":"flag","bone":[{"name":"pole","length":4},{"name":"cloth",)"
      R"("parent":"pole","length":4,"transform":{"x":4,"skX":30}},{"name":"wind","transform":{"x":6,"y":2}}],)"
      R"("ik":[{"name":"blow","bone":"cloth","target":"wind","chain":1}],"slot":[{"name":"cloth","parent":"cloth"},)"
      R"({"name":"kid","parent":"pole"}],"skin":[{"slot":[{"name":"cloth","display":[{"name":"white","type":"mesh",)"
      R"("vertices":[0,0,4,0,4,4],"uvs":[0,0,1,0,1,1],"triangles":[0,1,2],"slotPose":[1,0,0,1,0,0],)"
      R"("bonePose":[0,1,0,0,1,0,0,1,1,0,0,1,4,0],"weights":[1,0,1,2,0,0.5,1,0.5,1,1,1]}]},{"name":"kid","display":)"
      R"([{"name":"kid","type":"armature"}]}]}],"animation":[{"name":"wave","duration":4,"playTimes":0,"bone":)"
      R"([{"name":"wind","translateFrame":[{"duration":4,"curve":[0.2,0,0.5,1]},{"duration":0,"y":9}]}],"slot":)"
      R"([{"name":"cloth","colorFrame":[{"duration":4,"tweenEasing":0},{"color":{"aM":9}}]}],"zOrder":{"frame":)"
      R"([{"duration":2},{"duration":2,"zOrder":[0,1]}]}}]},{"name":"kid","bone":[{"name":"r"}],"slot":[{"name":"s",)"
      R"("parent":"r"}],"skin":[{"slot":[{"name":"s","display":[{"name":"white"}]}]}],"animation":[{"name":"spin",)"
      R"("duration":3,"playTimes":0,"bone":[{"name":"r","rotateFrame":[{"duration":3,"tweenEasing":0},)"
      R"({"duration":0,"rotate":90}]}]}]}]})";
  constexpr const char* kAtlas =
      R"({"imagePath":"input_tex.png","SubTexture":[{"name":"white","width":1,"height":1,"rotated":true}]})";
  return {"skeleton",
          {{"input_ske.json", bytes_of_text(kSkeleton)},
           {"input_tex.json", bytes_of_text(kAtlas)},
           {"input_tex.png", small_png()}}};
}

}  // namespace

std::vector<Scene> all_scenes(const fs::path& file) {
  constexpr std::uint64_t kShare = 10;
  const auto character = load_character(file);
  if (!character) {
    std::fprintf(stderr, "%s\n", describe(character.error(), file.string()).c_str());
    std::exit(2);
  }
  std::vector<Scene> scenes{unreal_mesh(),   pomyu_character(),  pomyu_character_of_other_images(),
                            pixel_artwork(), aseprite_artwork(), keyed_skeleton()};
  add_forms(lightened(*character), "", 1, scenes);
  add_forms(*character, "whole ", kShare, scenes);
  return scenes;
}

}  // namespace pchr::mutate
