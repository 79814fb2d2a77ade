// SPDX-License-Identifier: MIT
// Where a bone's joint goes over a clip. Knows nothing of the window.
#pragma once

#include <pchr/character.hpp>
#include <pchr/spatial.hpp>

#include <cstdint>
#include <vector>

namespace pchr::player {

/// Of one bone over one clip of one file, kept until another is asked for.
struct Trail {
  std::vector<Vec3> points{};  ///< World, one for each frame; of a planar character in its plane.
  const Clip* clip = nullptr;  ///< What the points are of.
  std::uint32_t bone = 0;
  std::uint32_t file = 0;
};

/// Brings `trail` up to date with the joint of `bone` in `clip`, of the `file`-th file that was opened. Does nothing
/// where it is so already.
void find_trail(Trail& trail, const Character& character, std::uint32_t clip, std::uint32_t bone, std::uint32_t file);

}  // namespace pchr::player
