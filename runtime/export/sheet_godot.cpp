// SPDX-License-Identifier: MIT
// Writes a SpriteFrames resource of Godot 4.
#include "export/sheet_formats.hpp"

#include "platform/file_path.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pchr::exporting {
namespace {

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

}  // namespace

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

}  // namespace pchr::exporting
