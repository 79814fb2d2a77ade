// SPDX-License-Identifier: MIT
// Text files that describe a sprite sheet to engines.
#pragma once

#include "export/sheet_data.hpp"

namespace pchr::exporting {

/// Names the frames that have no name yet, in the way that suits the format.
void name_frames(Sheet& sheet, const SheetOptions& options);

/// Text file next to the pages.
struct SheetFile {
  std::string path, text;
};

/// Returns the files that describe a sheet.
[[nodiscard]] std::vector<SheetFile> sheet_files(const Sheet& sheet, const SheetOptions& options);

/// Returns a page in Aseprite's format: frames, tags, and the pivot as a slice. For other engines, each frame also has
/// the pivot as a fraction of its canvas.
[[nodiscard]] std::string aseprite_json(const Sheet& sheet, std::size_t page, const SheetOptions& options);
/// Returns a page for PixiJS, with the names of the other pages.
[[nodiscard]] std::string pixi_json(const Sheet& sheet, std::size_t page, const SheetOptions& options);
/// Returns a multi-atlas of Phaser with its animations.
[[nodiscard]] std::string phaser_json(const Sheet& sheet);
/// Returns a SpriteFrames resource of Godot 4, with the pivots as its metadata.
[[nodiscard]] std::string godot_resource(const Sheet& sheet);
/// Returns the import settings with which Unity cuts a page into sprites.
[[nodiscard]] std::string unity_meta(const Sheet& sheet, std::size_t page, const SheetOptions& options);
/// Returns the sprites and durations of each clip, for which Unity's import settings have no place.
[[nodiscard]] std::string unity_json(const Sheet& sheet);

/// Returns text in quotes, with the escapes of JSON, which YAML and Godot share.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// Returns a clip's name with that of its character.
[[nodiscard]] std::string full_name(const Sheet& sheet, const SheetClip& clip);

}  // namespace pchr::exporting
