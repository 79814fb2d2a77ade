// SPDX-License-Identifier: MIT
// Reads Spine skeletons (.json and .skel of 3.8 to 4.3) with their texture atlases. Written from the public
// descriptions of the formats alone.
#pragma once

#include "import/json/tree.hpp"
#include "import/rig/rig.hpp"

#include <pchr/load.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::spine {

/// Returns whether a file has a version where a .skel file has it.
[[nodiscard]] bool looks_like_binary(std::span<const std::byte> bytes) noexcept;

/// Decodes a .skel file into the tree that a JSON file of the same version has. The offsets of its nodes are those of
/// their bytes.
[[nodiscard]] Expected<JsonTree, Diagnostic> read_binary(std::span<const std::byte> bytes);

struct AtlasPage {
  std::string file;              ///< Name of its image.
  double width = 0, height = 0;  ///< Size that regions refer to; 0 means that of the image.
  bool is_premultiplied = false;
};

/// A texture atlas without its images.
struct Atlas {
  std::vector<AtlasPage> pages;
  std::vector<rig::Region> regions;   ///< Region::page is an element of `pages`.
  std::vector<std::int32_t> indices;  ///< Place of each region in a sequence, or -1.
};

/// Returns whether a text looks like an .atlas file.
[[nodiscard]] bool looks_like_atlas(std::string_view text);

/// Reads an .atlas file, in the old and the new dialect.
[[nodiscard]] Expected<Atlas, Diagnostic> read_atlas(std::string_view text);

/// What a skeleton file holds.
struct Skeleton {
  rig::Model model;                ///< With one armature, without pages.
  std::vector<std::string> skins;  ///< The first is the default.
};

/// Reads a skeleton with the skin `skin`, or with the default one if it is empty. `file_bytes` is the size of the file,
/// which limits the memory.
[[nodiscard]] Expected<Skeleton, Diagnostic> read_skeleton(const JsonTree& tree, const Atlas& atlas,
                                                           const std::string& skin, std::uint64_t file_bytes,
                                                           Warnings& warnings);

}  // namespace pchr::spine
