// SPDX-License-Identifier: MIT
// Text files that describe a sprite sheet: JSON of Aseprite, PixiJS and Phaser, and resources of Godot and Unity.
#include "export/sheet.hpp"

#include <pchr/diagnostic.hpp>

#include "platform/checksums.hpp"
#include "platform/file_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace pchr {
namespace exporting {
namespace {

using enum SheetOptions::Format;

/// Returns text in quotes, with the escapes of JSON, which YAML and Godot share.
std::string in_quotes(std::string_view text) { return '"' + json_escaped(text) + '"'; }

/// Returns a clip's name with that of its character.
std::string full_name(const Sheet& sheet, const SheetClip& clip) {
  return sheet.characters.size() > 1 ? clip.name : sheet.characters[clip.character].name + '/' + clip.name;
}

std::string object_of(const Area& area) {
  return fmt::format(R"({{"x": {}, "y": {}, "w": {}, "h": {}}})", area.x, area.y, area.width, area.height);
}

std::string object_of(const FrameSize& size) { return fmt::format(R"({{"w": {}, "h": {}}})", size.width, size.height); }

/// Returns one item per line.
std::string lines_of(std::span<const std::string> items, std::string_view indent) {
  std::string text;
  for (const std::string& item : items) text += fmt::format("{}\n{}{}", text.empty() ? "" : ",", indent, item);
  return text;
}

std::string list_of(std::span<const std::string> items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return '[' + text + ']';
}

/// Returns the members that all formats share.
std::string members_of(const Sheet& sheet, const SheetFrame& frame) {
  const FrameSize& canvas = sheet.character_of(frame).canvas;
  const bool trimmed = frame.source != Area{0, 0, canvas.width, canvas.height};
  return fmt::format(
      R"("frame": {}, "rotated": false, "trimmed": {}, "spriteSourceSize": {}, "sourceSize": {}, "duration": {})",
      object_of(frame.place), trimmed, object_of(frame.source), object_of(canvas), frame.milliseconds);
}

/// Returns the pivot as a fraction of the canvas.
std::string pivot_of(const SheetCharacter& character) {
  return fmt::format(R"({{"x": {}, "y": {}}})", character.pivot_x / character.canvas.width,
                     character.pivot_y / character.canvas.height);
}

// "scale" relates the canvas on the sheet to the original canvas.
std::string meta_of(const SheetPage& page, const SheetOptions& options, std::string_view more) {
  return fmt::format(R"("meta": {{
    "app": "pchr",
    "version": "1.3",
    "image": {},
    "format": "RGBA8888",
    "size": {},
    "scale": "1"{}{}
  }})",
                     in_quotes(file_name_of(page.path)), object_of(page.size),
                     options.premultiply ? ",\n    \"premultiplied\": true" : "", more);
}

std::string object_of(const SheetArea& area) {
  return fmt::format(R"({{"x": {}, "y": {}, "w": {}, "h": {}}})", area.x, area.y, area.width, area.height);
}

/// Returns the members of what an artist attached.
std::string members_of(const SheetNote& note) {
  std::string text;
  const auto& [red, green, blue, alpha] = note.color;
  if (alpha > 0) text += fmt::format(R"(, "color": "#{:02x}{:02x}{:02x}{:02x}")", red, green, blue, alpha);
  if (!note.text.empty()) text += ", \"data\": " + in_quotes(note.text);
  return text;
}

/// Returns a slice with its places in the frames of a page. Their numbers are those on the page.
std::string slice_of(const SheetSlice& slice, std::span<const SheetFrame* const> frames, const Sheet& sheet,
                     std::size_t character) {
  std::vector<std::string> keys;
  const SheetSliceKey* shown = nullptr;
  for (std::size_t number = 0; number < frames.size(); ++number) {
    const SheetFrame& frame = *frames[number];
    const SheetSliceKey* next = nullptr;
    if (sheet.clips[frame.clip].character == character) {
      const auto after = std::ranges::upper_bound(slice.keys, frame.artwork_frame, {}, &SheetSliceKey::first_frame);
      if (after != slice.keys.begin()) next = &*std::prev(after);
    }
    if (next == std::exchange(shown, next)) continue;
    // Without an area, it is hidden.
    constexpr SheetSliceKey kHidden;
    const SheetSliceKey& key = next != nullptr ? *next : kHidden;
    std::string text = fmt::format(R"({{"frame": {}, "bounds": {})", number, object_of(key.bounds));
    if (key.center) text += ", \"center\": " + object_of(*key.center);
    if (key.pivot) text += fmt::format(R"(, "pivot": {{"x": {}, "y": {}}})", (*key.pivot)[0], (*key.pivot)[1]);
    keys.push_back(text + '}');
  }
  return fmt::format(R"({{"name": {}{}, "keys": {}}})", in_quotes(slice.name), members_of(slice.note), list_of(keys));
}

/// Returns a layer with the notes of its cels in the frames of a page.
std::string layer_of(const SheetLayer& layer, std::span<const SheetFrame* const> frames, const Sheet& sheet,
                     std::size_t character) {
  std::string text = "{\"name\": " + in_quotes(layer.name);
  if (!layer.group.empty()) text += ", \"group\": " + in_quotes(layer.group);
  if (layer.opacity) text += fmt::format(R"(, "opacity": {}, "blendMode": "{}")", *layer.opacity, layer.blend_mode);
  text += members_of(layer.note);
  std::vector<std::string> cels;
  for (std::size_t number = 0; number < frames.size() && !layer.cels.empty(); ++number) {
    if (sheet.clips[frames[number]->clip].character != character) continue;
    const std::uint32_t frame = frames[number]->artwork_frame;
    const auto cel = std::ranges::lower_bound(layer.cels, frame, {}, &SheetCel::frame);
    if (cel == layer.cels.end() || cel->frame != frame) continue;
    cels.push_back(fmt::format(R"({{"frame": {}{}}})", number, members_of(cel->note)));
  }
  if (!cels.empty()) text += ", \"cels\": " + list_of(cels);
  return text + '}';
}

/// Returns a page in Aseprite's format: frames, tags, layers, and slices, of which the first is the pivot. For other
/// engines, each frame also has the pivot as a fraction of its canvas.
std::string aseprite_json(const Sheet& sheet, std::size_t page, const SheetOptions& options) {
  const bool is_hash = options.layout == SheetOptions::Layout::hash;
  std::vector<std::string> frames, tags, pivots, layers, slices;
  std::vector<const SheetFrame*> shown;
  std::optional<std::size_t> character;
  for (const SheetClip& clip : sheet.clips) {
    const std::size_t first = frames.size();
    for (const SheetFrame& frame : sheet.frames_of(clip)) {
      if (frame.page != page) continue;
      const SheetCharacter& drawn = sheet.character_of(frame);
      if (character != clip.character) {
        pivots.push_back(fmt::format(R"({{"frame": {}, "bounds": {}, "pivot": {{"x": {}, "y": {}}}}})", frames.size(),
                                     object_of(Area{0, 0, drawn.canvas.width, drawn.canvas.height}),
                                     std::lround(drawn.pivot_x), std::lround(drawn.pivot_y)));
        character = clip.character;
      }
      shown.push_back(&frame);
      const std::string name = in_quotes(frame.name);
      frames.push_back(fmt::format(R"({}{}, "pivot": {}}})", is_hash ? name + ": {" : "{\"filename\": " + name + ", ",
                                   members_of(sheet, frame), pivot_of(drawn)));
    }
    if (frames.size() == first) continue;
    tags.push_back(fmt::format(R"({{"name": {}, "from": {}, "to": {}, "direction": "forward"{}}})",
                               in_quotes(clip.name), first, frames.size() - 1,
                               clip.looping ? "" : R"(, "repeat": "1")"));
  }
  slices.push_back(fmt::format(R"({{"name": "pivot", "color": "#0000ffff", "keys": {}}})", list_of(pivots)));
  for (std::size_t i = 0; i < sheet.characters.size(); ++i) {
    const auto is_of = [&](const SheetFrame* frame) { return sheet.clips[frame->clip].character == i; };
    if (std::ranges::none_of(shown, is_of)) continue;
    for (const SheetSlice& slice : sheet.characters[i].slices) slices.push_back(slice_of(slice, shown, sheet, i));
    for (const SheetLayer& layer : sheet.characters[i].layers) layers.push_back(layer_of(layer, shown, sheet, i));
  }
  const std::string more = fmt::format(R"(,
    "frameTags": [{}
    ],
    "layers": [{}{}],
    "slices": [{}
    ])",
                                       lines_of(tags, "      "), lines_of(layers, "      "),
                                       layers.empty() ? "" : "\n    ", lines_of(slices, "      "));
  return fmt::format("{{\n  \"frames\": {}{}\n  {},\n  {}\n}}\n", is_hash ? '{' : '[', lines_of(frames, "    "),
                     is_hash ? '}' : ']', meta_of(sheet.pages[page], options, more));
}

/// Returns a page for PixiJS, with the names of the other pages.
std::string pixi_json(const Sheet& sheet, std::size_t page, const SheetOptions& options) {
  std::vector<std::string> frames, animations, looping, others;
  for (const SheetClip& clip : sheet.clips) {
    std::vector<std::string> names;
    for (const SheetFrame& frame : sheet.frames_of(clip)) {
      if (frame.page != page) continue;
      names.push_back(in_quotes(frame.name));
      frames.push_back(fmt::format(R"({}: {{{}, "anchor": {}}})", names.back(), members_of(sheet, frame),
                                   pivot_of(sheet.character_of(frame))));
    }
    if (names.empty()) continue;
    animations.push_back(in_quotes(clip.name) + ": " + list_of(names));
    if (clip.looping) looping.push_back(in_quotes(clip.name));
  }
  for (std::size_t other = 0; other < sheet.pages.size(); ++other) {
    if (other != page) others.push_back(in_quotes(file_name_of(sheet_page_path(options.path, other, ".json"))));
  }
  std::string more = ",\n    \"looping\": " + list_of(looping);
  if (!others.empty()) more += ",\n    \"related_multi_packs\": " + list_of(others);
  return fmt::format("{{\n  \"frames\": {{{}\n  }},\n  \"animations\": {{{}\n  }},\n  {}\n}}\n",
                     lines_of(frames, "    "), lines_of(animations, "    "), meta_of(sheet.pages[page], options, more));
}

/// Returns a multi-atlas of Phaser with its animations.
std::string phaser_json(const Sheet& sheet) {
  const std::string texture = in_quotes(stem_of(sheet.pages.front().path));
  std::vector<std::string> textures, animations;
  for (std::size_t page = 0; page < sheet.pages.size(); ++page) {
    std::vector<std::string> frames;
    for (const SheetFrame& frame : sheet.frames) {
      if (frame.page != page) continue;
      frames.push_back(fmt::format(R"({{"filename": {}, {}, "anchor": {}}})", in_quotes(frame.name),
                                   members_of(sheet, frame), pivot_of(sheet.character_of(frame))));
    }
    textures.push_back(fmt::format(R"({{
      "image": {},
      "format": "RGBA8888",
      "size": {},
      "scale": 1,
      "frames": [{}
      ]
    }})",
                                   in_quotes(file_name_of(sheet.pages[page].path)), object_of(sheet.pages[page].size),
                                   lines_of(frames, "        ")));
  }
  for (const SheetClip& clip : sheet.clips) {
    std::vector<std::string> frames;
    std::uint64_t milliseconds = 0;
    for (const SheetFrame& frame : sheet.frames_of(clip)) {
      frames.push_back(fmt::format(R"({{"key": {}, "frame": {}, "duration": {}}})", texture, in_quotes(frame.name),
                                   frame.milliseconds));
      milliseconds += frame.milliseconds;
    }
    // Animations of all sheets share one set of keys.
    animations.push_back(fmt::format(R"({{
      "key": {}, "type": "frame", "duration": {}, "repeat": {},
      "frames": [{}
      ]
    }})",
                                     in_quotes(full_name(sheet, clip)), milliseconds, clip.looping ? -1 : 0,
                                     lines_of(frames, "        ")));
  }
  return fmt::format("{{\n  \"textures\": [{}\n  ],\n  \"anims\": [{}\n  ],\n  \"meta\": {{\"app\": \"pchr\"}}\n}}\n",
                     lines_of(textures, "    "), lines_of(animations, "    "));
}

std::string real(double number) {
  std::string text = fmt::format("{}", number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// Returns a clip's frames per second, in which frames that are equally long, but for rounding, last 1.
double speed_of(std::span<const SheetFrame> frames) {
  std::uint64_t milliseconds = 0;
  for (const SheetFrame& frame : frames) milliseconds += frame.milliseconds;
  return 1000.0 * static_cast<double>(frames.size()) / static_cast<double>(std::max<std::uint64_t>(milliseconds, 1));
}

bool equally_long(std::span<const SheetFrame> frames) {
  const auto [shortest, longest] = std::ranges::minmax(frames, {}, &SheetFrame::milliseconds);
  return longest.milliseconds - shortest.milliseconds <= 1;
}

/// Returns a SpriteFrames resource of Godot 4, with the pivots as its metadata.
std::string godot_resource(const Sheet& sheet) {
  std::string text;
  for (std::size_t page = 0; page < sheet.pages.size(); ++page) {
    // The path is relative to the resource.
    text += fmt::format("\n[ext_resource type=\"Texture2D\" path={} id=\"{}\"]\n",
                        in_quotes(file_name_of(sheet.pages[page].path)), page + 1);
  }
  std::string animations, pivots;
  std::size_t id = 0;
  for (const SheetClip& clip : sheet.clips) {
    const SheetCharacter& character = sheet.characters[clip.character];
    const std::span<const SheetFrame> frames = sheet.frames_of(clip);
    const double speed = speed_of(frames);
    const bool equal = equally_long(frames);
    std::string shown;
    for (const SheetFrame& frame : frames) {
      const Area &place = frame.place, &source = frame.source;
      text += fmt::format(R"(
[sub_resource type="AtlasTexture" id="AtlasTexture_{}"]
atlas = ExtResource("{}")
region = Rect2({}, {}, {}, {})
margin = Rect2({}, {}, {}, {})
filter_clip = true
)",
                          ++id, frame.page + 1, place.x, place.y, place.width, place.height, source.x, source.y,
                          character.canvas.width - source.width, character.canvas.height - source.height);
      shown += fmt::format("{}{{\n\"duration\": {},\n\"texture\": SubResource(\"AtlasTexture_{}\")\n}}",
                           shown.empty() ? "" : ", ", real(equal ? 1 : speed * frame.milliseconds / 1000), id);
    }
    // Godot's text has the escapes of JSON.
    const std::string name = '&' + in_quotes(clip.name);
    const char* const comma = animations.empty() ? "" : ", ";
    animations += fmt::format("{}{{\n\"frames\": [{}],\n\"loop\": {},\n\"name\": {},\n\"speed\": {}\n}}", comma, shown,
                              clip.looping, name, real(speed));
    pivots += fmt::format("{}{}: Vector2({}, {})", comma, name, real(character.pivot_x), real(character.pivot_y));
  }
  return fmt::format("[gd_resource type=\"SpriteFrames\" load_steps={} format=3]\n", sheet.pages.size() + id + 1) +
         text + fmt::format("\n[resource]\nanimations = [{}]\nmetadata/pivots = {{{}}}\n", animations, pivots);
}

// Identifiers depend on names only, so that references to sprites stay valid when a sheet is written again.
std::string image_id(std::string_view name) {
  return fmt::format("{:016x}{:016x}", fnv1a(name, fnv1a("image 1 ")), fnv1a(name, fnv1a("image 2 ")));
}

std::string sprite_id(std::string_view name) {
  return fmt::format("{:016x}{:016x}", fnv1a(name, fnv1a("sprite 1 ")), fnv1a(name, fnv1a("sprite 2 ")));
}

/// Returns a number that is not 0.
std::int64_t number_of(std::string_view name) { return static_cast<std::int64_t>(fnv1a(name, fnv1a("sprite ")) | 1); }

/// Returns the import settings with which Unity cuts a page into sprites.
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

/// Returns the sprites and durations of each clip, for which Unity's import settings have no place.
std::string unity_json(const Sheet& sheet) {
  std::vector<std::string> clips;
  for (const SheetClip& clip : sheet.clips) {
    std::vector<std::string> frames;
    for (const SheetFrame& frame : sheet.frames_of(clip)) {
      frames.push_back(
          fmt::format(R"({{"sprite": {}, "milliseconds": {}}})", in_quotes(frame.name), frame.milliseconds));
    }
    clips.push_back(fmt::format(R"({{
      "name": {}, "loop": {},
      "frames": [{}
      ]
    }})",
                                in_quotes(clip.name), clip.looping, lines_of(frames, "        ")));
  }
  return fmt::format("{{\n  \"version\": 1,\n  \"clips\": [{}\n  ]\n}}\n", lines_of(clips, "    "));
}

}  // namespace

void name_frames(Sheet& sheet, const SheetOptions& options) {
  // Phaser looks up the frames of Aseprite's tags by their number on the page.
  std::vector<std::size_t> counts(sheet.pages.size());
  for (SheetFrame& frame : sheet.frames) {
    const std::size_t index = counts[frame.page]++;
    if (!frame.name.empty()) continue;
    const SheetClip& clip = sheet.clips[frame.clip];
    switch (options.format) {
      case aseprite:
        frame.name = std::to_string(index);
        break;
      case phaser:
      case godot:
        frame.name = fmt::format("{}/{}", clip.name, frame.number);
        break;
      // Pixi and Unity keep the frames of all sheets together.
      case pixi:
        frame.name = fmt::format("{}/{}", full_name(sheet, clip), frame.number);
        break;
      case unity:
        frame.name = fmt::format("{}_{}", full_name(sheet, clip), frame.number);
        frame.name[sheet.characters[clip.character].name.size()] = '_';
        break;
    }
  }
}

std::vector<SheetFile> sheet_files(const Sheet& sheet, const SheetOptions& options) {
  std::vector<SheetFile> files;
  const auto add_pages = [&](const std::string& extension, const auto& text_of) {
    for (std::size_t page = 0; page < sheet.pages.size(); ++page) {
      files.push_back({sheet_page_path(options.path, page, extension), text_of(page)});
    }
  };
  switch (options.format) {
    case aseprite:
      add_pages(".json", [&](std::size_t page) { return aseprite_json(sheet, page, options); });
      break;
    case pixi:
      add_pages(".json", [&](std::size_t page) { return pixi_json(sheet, page, options); });
      break;
    case phaser:
      files.push_back({sheet_file_path(options), phaser_json(sheet)});
      break;
    case godot:
      files.push_back({sheet_file_path(options), godot_resource(sheet)});
      break;
    case unity:
      files.push_back({sheet_file_path(options), unity_json(sheet)});
      add_pages(".png.meta", [&](std::size_t page) { return unity_meta(sheet, page, options); });
      break;
  }
  return files;
}

}  // namespace exporting

std::string sheet_file_path(const SheetOptions& options) {
  return sheet_page_path(options.path, 0, options.format == SheetOptions::Format::godot ? ".tres" : ".json");
}

}  // namespace pchr
