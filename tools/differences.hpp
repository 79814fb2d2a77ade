// SPDX-License-Identifier: MIT
// What changed between two characters, apart from pixels.
#pragma once

#include <pchr/image.hpp>
#include <pchr/import/import.hpp>

namespace pchr::tools {

/// For each part of the first character, the index of its counterpart in the second.
using Counterparts = std::vector<std::optional<std::uint32_t>>;

/// The parts of two characters that belong together: the n-th of a name with the n-th of that name, the rest by index.
struct Matches {
  Counterparts images, bones, meshes, clips, pictures;
};

[[nodiscard]] Matches match_parts(const Imported& a, const Imported& b);

struct Side {
  const Imported& imported;
  const Markers& markers;
  std::span<const Bitmap> bitmaps;  ///< One per image, or none where pixels are not to be compared.
};

struct StructureDifference {
  std::string kind;    ///< "bone", "mesh", "clip", "image", "picture", "marker", or "character".
  std::string name;    ///< The part's, in the first character unless only the second has it; a character's field.
  std::string change;  ///< In words: "only in the first", "8 vertices, then 12".
  std::optional<std::uint32_t> index{};  ///< The part's, in the character that `name` is from.
};

/// Compares everything but the positions of bones and how a file stores it: its format, the encoding of images, which
/// files its clips came from.
[[nodiscard]] std::vector<StructureDifference> compare_structure(const Side& a, const Side& b, const Matches& matches);

/// The distance from a bone's origin to the points along its axes where poses are compared.
inline constexpr float kReachPixels = 100;

/// The largest difference of a clip that both have, or of the bind pose.
struct PoseDifference {
  std::optional<ClipId> clip{};  ///< In the first character; absent: the bind pose.
  double pixels = 0;             ///< World pixels, at the bone's origin or at kReachPixels along any of its axes.
  std::uint32_t frame = 0;
  std::optional<BoneId> bone{};  ///< In the first character; absent where nothing differs.
};

/// Compares the bind poses, then each clip that both have, over all frames and bones that both have.
[[nodiscard]] std::vector<PoseDifference> compare_poses(const Character& a, const Character& b, const Matches& matches);

}  // namespace pchr::tools
