// SPDX-License-Identifier: MIT
#include "overlays/trail.hpp"

#include <pchr/bone.hpp>
#include <pchr/pose.hpp>

namespace pchr::player {

void find_trail(Trail& trail, const Character& character, std::uint32_t clip, std::uint32_t bone, std::uint32_t file) {
  const Clip* of = &character.clips()[clip];
  if (trail.clip == of && trail.bone == bone && trail.file == file) return;
  trail = {.points = std::move(trail.points), .clip = of, .bone = bone, .file = file};
  trail.points.clear();
  Pose pose;
  const auto joint = [&]() -> Vec3 {
    if (character.is_spatial()) return spatial_bone_world(character.bones(), view(pose), bone)[3];
    return {bone_world(character.bones(), view(pose), bone)[2], 0.0F};
  };
  for (std::uint32_t frame = 0; frame < of->frame_count; ++frame) {
    sample(character, clip, {.frame = frame, .next = frame}, pose);
    trail.points.push_back(joint());
  }
}

}  // namespace pchr::player
