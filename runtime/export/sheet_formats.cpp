// SPDX-License-Identifier: MIT
#include "export/sheet_formats.hpp"

#include <pchr/diagnostic.hpp>

#include <fmt/format.h>

#include <utility>

namespace pchr {
namespace exporting {
namespace {

using enum SheetOptions::Format;

std::string frame_name(const Sheet& sheet, const SheetFrame& frame, SheetOptions::Format format) {
  const SheetClip& clip = sheet.clips[frame.clip];
  switch (format) {
    case aseprite:
      break;
    case phaser:
    case godot:
      return fmt::format("{}/{}", clip.name, frame.number);
    // Pixi and Unity keep the frames of all sheets together.
    case pixi:
      return fmt::format("{}/{}", full_name(sheet, clip), frame.number);
    case unity: {
      std::string name = full_name(sheet, clip);
      name[sheet.characters[clip.character].name.size()] = '_';
      return fmt::format("{}_{}", name, frame.number);
    }
  }
  std::unreachable();
}

}  // namespace

std::string in_quotes(std::string_view text) { return '"' + json_escaped(text) + '"'; }

std::string full_name(const Sheet& sheet, const SheetClip& clip) {
  return sheet.characters.size() > 1 ? clip.name : sheet.characters[clip.character].name + '/' + clip.name;
}

void name_frames(Sheet& sheet, const SheetOptions& options) {
  // Phaser looks up the frames of Aseprite's tags by their number on the page.
  std::vector<std::size_t> counts(sheet.pages.size());
  for (SheetFrame& frame : sheet.frames) {
    const std::size_t index = counts[frame.page]++;
    if (!frame.name.empty()) continue;
    frame.name = options.format == aseprite ? std::to_string(index) : frame_name(sheet, frame, options.format);
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
