// SPDX-License-Identifier: MIT
// Frames of bone values as the kernels take them.
#include "animation/frames.hpp"

#include <cassert>

namespace pchr {

FramePointers pointers_to(const BoneSamples& samples, std::size_t first) noexcept {
  return {samples.x.data() + first,
          samples.y.data() + first,
          samples.rotation_degrees.data() + first,
          samples.scale_x.data() + first,
          samples.scale_y.data() + first,
          samples.opacity.empty() ? nullptr : samples.opacity.data() + first,
          samples.visible.data() + first,
          samples.z_order.data() + first,
          samples.spatial.empty() ? nullptr : samples.spatial.data() + first};
}

FramePointers pointers_to(const PoseView& view) noexcept {
  return {view.x.data(),       view.y.data(),       view.rotation_degrees.data(),
          view.scale_x.data(), view.scale_y.data(), view.opacity.empty() ? nullptr : view.opacity.data(),
          view.visible.data(), view.z_order.data(), view.spatial.data()};
}

BetweenFrames place_of(const Character& character, std::uint32_t clip_index, FramePosition position) noexcept {
  assert(clip_index < character.clips().size());
  const Clip& clip = character.clips()[clip_index];
  if (clip.frame_count == 0) return {pointers_to(character.bind_pose()), {}, 0};
  assert(position.frame < clip.frame_count && position.next < clip.frame_count);
  const std::size_t bone_count = character.bones().size();
  BetweenFrames place{pointers_to(clip.samples, position.frame * bone_count), {}, position.factor};
  if (position.factor != 0) place.next = pointers_to(clip.samples, position.next * bone_count);
  return place;
}

}  // namespace pchr
