// SPDX-License-Identifier: MIT
// Frames of bone values as the kernels take them, and their third dimension.
#pragma once

#include "character/kernels.hpp"

#include <pchr/pose.hpp>

namespace pchr {

/// Points to the values of `samples` from element `first` on.
[[nodiscard]] FramePointers pointers_to(const BoneSamples& samples, std::size_t first) noexcept;

/// Returns a place of a clip, or the bind pose where the clip has no frames.
[[nodiscard]] BetweenFrames place_of(const Character& character, ClipId clip, ClipTime position) noexcept;

/// Does what PoseKernels::mix does to the third dimension. `out` has one element per bone.
void mix_3d(const BetweenFrames& from, const BetweenFrames* to, float weight, std::span<BoneSample3D> out) noexcept;

/// Goes part of the way from one bone's values to another's.
[[nodiscard]] BoneSample3D between(const BoneSample3D& from, const BoneSample3D& to, float factor) noexcept;

/// Returns the world transform of a bone in `from`, or between `from` and `to` where that is not null.
[[nodiscard]] Affine3 bone_world_3d(std::span<const Bone> bones, const BetweenFrames& from, const BetweenFrames* to,
                                    float weight, BoneId bone) noexcept;

}  // namespace pchr
