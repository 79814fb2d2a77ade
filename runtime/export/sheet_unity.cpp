// SPDX-License-Identifier: MIT
// Writes the import settings with which Unity cuts a page into sprites.
#include "export/sheet_formats.hpp"

#include "platform/file_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace pchr::exporting {
namespace {

/// FNV-1a.
std::uint64_t hash_of(std::string_view kind, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string_view part : {kind, name}) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

// Identifiers depend on names only, so that references to sprites stay valid when a sheet is written again.
std::string image_id(std::string_view name) {
  return fmt::format("{:016x}{:016x}", hash_of("image 1 ", name), hash_of("image 2 ", name));
}

std::string sprite_id(std::string_view name) {
  return fmt::format("{:016x}{:016x}", hash_of("sprite 1 ", name), hash_of("sprite 2 ", name));
}

/// Returns a number that is not 0.
std::int64_t number_of(std::string_view name) { return static_cast<std::int64_t>(hash_of("sprite ", name) | 1); }

}  // namespace

std::string unity_meta(const Sheet& sheet, std::size_t page, const SheetOptions& options) {
  const SheetPage& image = sheet.pages[page];
  std::string table, sprites, numbers;
  for (const SheetFrame& frame : sheet.frames) {
    if (frame.page != page) continue;
    const SheetCharacter& character = sheet.character_of(frame);
    const std::string name = in_quotes(frame.name);
    const std::int64_t number = number_of(frame.name);
    const Area &place = frame.place, &source = frame.source;
    table += fmt::format("\n  - first:\n      213: {}\n    second: {}", number, name);
    numbers += fmt::format("\n      {}: {}", name, number);
    // The y axis points up. A pivot is a fraction of the trimmed frame.
    sprites += fmt::format(R"(
    - serializedVersion: 2
      name: {}
      rect:
        serializedVersion: 2
        x: {}
        y: {}
        width: {}
        height: {}
      alignment: 9
      pivot: {{x: {}, y: {}}}
      border: {{x: 0, y: 0, z: 0, w: 0}}
      outline: []
      physicsShape: []
      tessellationDetail: 0
      bones: []
      spriteID: {}
      internalID: {}
      vertices: []
      indices:
      edges: []
      weights: [])",
                           name, place.x, image.size.height - place.y - place.height, place.width, place.height,
                           (character.pivot_x - source.x) / source.width,
                           1 - (character.pivot_y - source.y) / source.height, sprite_id(frame.name), number);
  }
  // By default, Unity shrinks images to 2048 pixels.
  const std::uint32_t max_size = std::max(std::bit_ceil(std::max(image.size.width, image.size.height)), 32U);
  return fmt::format(R"(fileFormatVersion: 2
guid: {}
TextureImporter:
  internalIDToNameTable:{}
  externalObjects: {{}}
  serializedVersion: 13
  mipmaps:
    mipMapMode: 0
    enableMipMap: 0
    sRGBTexture: 1
  isReadable: 0
  maxTextureSize: {}
  textureSettings:
    serializedVersion: 2
    filterMode: 1
    aniso: 1
    mipBias: 0
    wrapU: 1
    wrapV: 1
    wrapW: 1
  nPOTScale: 0
  spriteMode: 2
  spriteExtrude: 1
  spriteMeshType: 0
  alignment: 0
  spritePivot: {{x: 0.5, y: 0.5}}
  spritePixelsToUnits: 100
  spriteBorder: {{x: 0, y: 0, z: 0, w: 0}}
  spriteGenerateFallbackPhysicsShape: 0
  alphaUsage: 1
  alphaIsTransparency: {}
  textureType: 8
  textureShape: 1
  platformSettings:
  - serializedVersion: 3
    buildTarget: DefaultTexturePlatform
    maxTextureSize: {}
    resizeAlgorithm: 0
    textureFormat: -1
    textureCompression: 0
    compressionQuality: 50
    crunchedCompression: 0
    allowsAlphaSplitting: 0
    overridden: 0
  spriteSheet:
    serializedVersion: 2
    sprites:{}
    outline: []
    physicsShape: []
    bones: []
    spriteID:
    internalID: 0
    vertices: []
    indices:
    edges: []
    weights: []
    nameFileIdTable:{}
)",
                     image_id(file_name_of(image.path)), table, max_size, options.premultiply ? 0 : 1, max_size,
                     sprites, numbers);
}

}  // namespace pchr::exporting
