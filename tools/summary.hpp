// SPDX-License-Identifier: MIT
// What has to be worked out about a character before it can be reported.
#pragma once

#include <pchr/bake.hpp>
#include <pchr/pose.hpp>
#include <pchr/spatial.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pchr::tools {

/// A part of a v1 file.
struct FileSection {
  std::string name;
  std::uint64_t offset = 0;  ///< From the start of the file, in bytes.
  std::uint64_t bytes = 0;
};

struct ClipSummary {
  Rect bounds;                      ///< Of everything visible in any frame.
  bool changes_visibility = false;  ///< Some mesh is visible in one frame and not in another.
  bool changes_order = false;       ///< Two meshes change places.
};

struct Summary {
  std::optional<std::uint64_t> file_bytes;
  std::vector<FileSection> sections;  ///< Of a v1 file; empty for other forms.
  Rect bind_bounds;
  Rect all_bounds;
  Box bind_box;  ///< Of a spatial character.
  std::vector<ClipSummary> clips;
  std::vector<std::uint32_t> bone_depths;  ///< 1 for a root.
  std::vector<int> influences;             ///< Per mesh: the most slots that any of its vertices uses.
  std::uint64_t memory_bytes = 0;          ///< As loaded, images encoded.
  std::uint64_t graphics_bytes = 0;        ///< Textures with mipmaps, vertices and index lists.
  std::uint64_t palette_bytes = 0;         ///< Uploaded per instance and frame where it is posed.
  std::uint64_t baked_bytes = 0;           ///< Palettes of all clips.
  BakeCost bake;
};

[[nodiscard]] Summary summarize(const Character& character, const std::string& file);

}  // namespace pchr::tools
