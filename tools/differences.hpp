// SPDX-License-Identifier: MIT
// What changed between two characters, apart from pixels.
#pragma once

#include <pchr/character.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace pchr::tools {

/// Something that one character has otherwise than the other.
struct StructureDifference {
  std::string kind;  ///< "bone", "mesh" or "clip".
  std::string name;
  std::string change;  ///< As words: "only in the first", "8 vertices, then 12".
};

/// What differs in bones, meshes and clips, which are found by their names, the first of each.
[[nodiscard]] std::vector<StructureDifference> compare_structure(const Character& a, const Character& b);

/// From a bone's origin, the points that move with it: how far its pose is off is how far the farthest of these is.
inline constexpr float kReachPixels = 100;

/// Where a clip that both have is most different.
struct PoseDifference {
  std::string clip;
  double pixels = 0;  ///< Of the world: at the bone's origin or 100 pixels along either of its axes.
  std::uint32_t frame = 0;
  std::string bone;  ///< Empty where nothing differs.
};

/// For each clip of a name that both have: over all frames and bones that both have.
[[nodiscard]] std::vector<PoseDifference> compare_poses(const Character& a, const Character& b);

}  // namespace pchr::tools
