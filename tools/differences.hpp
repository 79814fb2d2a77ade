// SPDX-License-Identifier: MIT
// Differences between two characters, except in their pixels.
#pragma once

#include <pchr/image.hpp>
#include <pchr/import/import.hpp>

namespace pchr::tools {

/// For each part of the first character, the index of its counterpart in the second.
using Counterparts = std::vector<std::optional<std::uint32_t>>;

/// The corresponding parts of two characters: the n-th of a name with the n-th of that name, the rest by index.
struct Matches {
  Counterparts images, bones, meshes, clips, menu_images;
};

[[nodiscard]] Matches match_parts(const Imported& a, const Imported& b);

struct Side {
  const Imported& imported;
  const Sidecar& sidecar;
  std::span<const Bitmap> bitmaps;  ///< One per image; empty to compare no pixels.
};

struct StructureDifference {
  std::string kind;  ///< "bone", "mesh", "clip", "image", "menu image", "marker" or "character".
  std::string name;  ///< Name of the part, from the second character if only that has it; or a field of the character.
  std::string change;                    ///< Description of the change: "only in the first", "8 vertices, then 12".
  std::optional<std::uint32_t> index{};  ///< Index of the part, in the character that `name` is from.
};

/// Compares everything except bone positions and how it is stored: the file format, the encoding of images and the
/// files that clips came from.
[[nodiscard]] std::vector<StructureDifference> compare_structure(const Side& a, const Side& b, const Matches& matches);

/// Distance from a bone's origin to the points on its axes at which poses are compared.
inline constexpr float kReachPixels = 100;

/// The largest pose difference in a clip of both characters, or in the bind pose.
struct PoseDifference {
  std::optional<ClipId> clip{};  ///< Clip in the first character, or none for the bind pose.
  double pixels = 0;             ///< Distance in world pixels, at the bone's origin or at kReachPixels along an axis.
  std::uint32_t frame = 0;
  std::optional<BoneId> bone{};  ///< Bone in the first character, or none if nothing differs.
};

/// Compares the bind poses, then all common frames and bones of each common clip.
[[nodiscard]] std::vector<PoseDifference> compare_poses(const Character& a, const Character& b, const Matches& matches);

}  // namespace pchr::tools
