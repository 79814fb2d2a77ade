// SPDX-License-Identifier: MIT
#include "export/sheet_formats.hpp"

#include "platform/file_path.hpp"

#include <pchr/diagnostic.hpp>

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace pchr::exporting {
namespace {

std::string in_quotes(std::string_view text) { return '"' + json_escaped(text) + '"'; }

std::string json_of(const Area& area) {
  return fmt::format(R"({{"x": {}, "y": {}, "w": {}, "h": {}}})", area.x, area.y, area.width, area.height);
}

std::string json_of(const FrameSize& size) { return fmt::format(R"({{"w": {}, "h": {}}})", size.width, size.height); }

std::string frame_json(const SheetCharacter& character, const SheetFrame& frame) {
  const FrameSize& canvas = character.canvas;
  const bool trimmed = frame.source != Area{0, 0, canvas.width, canvas.height};
  return fmt::format(R"("frame": {}, "rotated": false, "trimmed": {}, "spriteSourceSize": {}, "sourceSize": {}, )"
                     R"("duration": {}, "pivot": {{"x": {}, "y": {}}}}})",
                     json_of(frame.place), trimmed, json_of(frame.source), json_of(canvas), frame.milliseconds,
                     character.pivot_x / canvas.width, character.pivot_y / canvas.height);
}

/// Returns JSON in Aseprite's layout for a page: frames, tags, and the pivot as a slice. For other engines, each frame
/// also has the pivot as a fraction of its canvas.
std::string aseprite_json(const Sheet& sheet, std::size_t page, const SheetOptions& options) {
  const bool is_hash = options.layout == SheetOptions::Layout::hash;
  std::string frames, tags, pivots;
  std::size_t count = 0;
  std::optional<std::size_t> character;
  for (const SheetClip& clip : sheet.clips) {
    const std::size_t from = count;
    for (std::size_t i = clip.first_frame; i < clip.first_frame + clip.frame_count; ++i) {
      const SheetFrame& frame = sheet.frames[i];
      if (frame.page != page) continue;
      const SheetCharacter& drawn = sheet.characters[clip.character];
      if (character != clip.character) {
        pivots +=
            fmt::format(R"({}{{"frame": {}, "bounds": {}, "pivot": {{"x": {}, "y": {}}}}})", pivots.empty() ? "" : ", ",
                        count, json_of(Area{0, 0, drawn.canvas.width, drawn.canvas.height}), std::lround(drawn.pivot_x),
                        std::lround(drawn.pivot_y));
        character = clip.character;
      }
      frames += count++ == 0 ? "\n    " : ",\n    ";
      frames += is_hash ? in_quotes(frame.name) + ": {" : "{\"filename\": " + in_quotes(frame.name) + ", ";
      frames += frame_json(drawn, frame);
    }
    if (count == from) continue;
    tags += fmt::format(R"({}{}      {{"name": {}, "from": {}, "to": {}, "direction": "forward"{}}})",
                        tags.empty() ? "" : ",", "\n", in_quotes(clip.name), from, count - 1,
                        clip.looping ? "" : R"(, "repeat": "1")");
  }
  // "scale" relates the canvas on the sheet to the original canvas.
  return fmt::format(R"({{
  "frames": {}{}
  {},
  "meta": {{
    "app": "pchr",
    "version": "1.3",
    "image": {},
    "format": "RGBA8888",
    "size": {},
    "scale": "1",
    "frameTags": [{}
    ],
    "layers": [],
    "slices": [
      {{"name": "pivot", "color": "#0000ffff", "keys": [{}]}}
    ]
  }}
}}
)",
                     is_hash ? '{' : '[', frames, is_hash ? '}' : ']', in_quotes(file_name_of(sheet.pages[page].path)),
                     json_of(sheet.pages[page].size), tags, pivots);
}

}  // namespace

void name_frames(Sheet& sheet, const SheetOptions& /*options*/) {
  for (SheetFrame& frame : sheet.frames) {
    if (frame.name.empty()) frame.name = fmt::format("{} {}", sheet.clips[frame.clip].name, frame.number);
  }
}

std::vector<SheetFile> sheet_files(const Sheet& sheet, const SheetOptions& options) {
  std::vector<SheetFile> files;
  for (std::size_t page = 0; page < sheet.pages.size(); ++page) {
    files.push_back({with_extension(sheet.pages[page].path, ".json"), aseprite_json(sheet, page, options)});
  }
  return files;
}

}  // namespace pchr::exporting
