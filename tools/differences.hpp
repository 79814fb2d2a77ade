// SPDX-License-Identifier: MIT
// What changed between two characters, apart from pixels.
#pragma once

#include <pchr/import/import.hpp>
#include <pchr/image.hpp>
#include <pchr/animator.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pchr::tools {

/// For each part of the first character, the index of its counterpart in the second.
using Counterparts = std::vector<std::optional<std::uint32_t>>;

/// Which parts of two characters belong together: the n-th of a name with the n-th of that name, then the rest by
/// index.
struct Matches {
  Counterparts images, bones, meshes, clips, pictures;
};

[[nodiscard]] Matches match_parts(const Imported& a, const Imported& b);

/// One of the two characters.
struct Side {
  const Imported& imported;
  const Markers& markers;
  std::span<const Bitmap> bitmaps;  ///< One per image, or none where pixels are not to be compared.
};

/// Something that one character has otherwise than the other.
struct StructureDifference {
  std::string kind;    ///< "bone", "mesh", "clip", "image", "picture", "marker", or "character".
  std::string name;    ///< Of the part, in the first character unless only the second has it; of a character the field.
  std::string change;  ///< As words: "only in the first", "8 vertices, then 12".
  std::optional<std::uint32_t> index{};  ///< Of the bone, mesh, clip, image or picture, where `name` is from.
};

/// Compares all that characters are made of but for the positions of bones. How a file stores it does not count: the
/// form, the encoding of images, and which files its clips came from.
[[nodiscard]] std::vector<StructureDifference> compare_structure(const Side& a, const Side& b, const Matches& matches);

/// From a bone's origin, the points that move with it: how far its pose is off is how far the farthest of these is.
inline constexpr float kReachPixels = 100;

/// Where a clip that both have, or the bind pose, is most different.
struct PoseDifference {
  std::optional<ClipId> clip;  ///< Of the first character; absent: the bind pose.
  double pixels = 0;           ///< Of the world: at the bone's origin or 100 pixels along any of its axes.
  std::uint32_t frame = 0;
  std::optional<BoneId> bone{};  ///< Of the first character; absent where nothing differs.
};

/// Compares the bind poses, then each clip that both have, over all frames and bones that both have.
[[nodiscard]] std::vector<PoseDifference> compare_poses(const Character& a, const Character& b, const Matches& matches);

}  // namespace pchr::tools
