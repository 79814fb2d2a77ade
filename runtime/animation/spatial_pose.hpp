// SPDX-License-Identifier: MIT
// The third dimension of poses.
#pragma once

#include "animation/kernels.hpp"

#include <pchr/pose.hpp>

#include <span>

namespace pchr {

/// As PoseKernels::mix, but for what only spatial characters have. `out` has one element per bone.
void mix_spatial(const BetweenFrames& from, const BetweenFrames* to, float weight,
                 std::span<SpatialSample> out) noexcept;

/// Part of the way from one bone's values to another's.
[[nodiscard]] SpatialSample between(const SpatialSample& from, const SpatialSample& to, float factor) noexcept;

/// World transform of one bone, whose values and whose ancestors' are those of `from`, or between `from` and `to` where
/// that is not null.
[[nodiscard]] Affine3 spatial_bone_world(std::span<const Bone> bones, const BetweenFrames& from,
                                         const BetweenFrames* to, float weight, std::uint32_t bone) noexcept;

}  // namespace pchr
