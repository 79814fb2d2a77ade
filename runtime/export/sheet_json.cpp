// SPDX-License-Identifier: MIT
// Writes the JSON of sprite sheets: Aseprite's, and those of Phaser, Pixi and our own for Unity.
#include "export/sheet_formats.hpp"

#include "platform/file_path.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace pchr::exporting {
namespace {

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

}  // namespace

std::string aseprite_json(const Sheet& sheet, std::size_t page, const SheetOptions& options) {
  const bool is_hash = options.layout == SheetOptions::Layout::hash;
  std::vector<std::string> frames, tags, pivots;
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
      const std::string name = in_quotes(frame.name);
      frames.push_back(fmt::format(R"({}{}, "pivot": {}}})", is_hash ? name + ": {" : "{\"filename\": " + name + ", ",
                                   members_of(sheet, frame), pivot_of(drawn)));
    }
    if (frames.size() == first) continue;
    tags.push_back(fmt::format(R"({{"name": {}, "from": {}, "to": {}, "direction": "forward"{}}})",
                               in_quotes(clip.name), first, frames.size() - 1,
                               clip.looping ? "" : R"(, "repeat": "1")"));
  }
  const std::string more = fmt::format(R"(,
    "frameTags": [{}
    ],
    "layers": [],
    "slices": [
      {{"name": "pivot", "color": "#0000ffff", "keys": {}}}
    ])",
                                       lines_of(tags, "      "), list_of(pivots));
  return fmt::format("{{\n  \"frames\": {}{}\n  {},\n  {}\n}}\n", is_hash ? '{' : '[', lines_of(frames, "    "),
                     is_hash ? '}' : ']', meta_of(sheet.pages[page], options, more));
}

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

}  // namespace pchr::exporting
