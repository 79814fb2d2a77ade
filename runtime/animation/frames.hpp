// SPDX-License-Identifier: MIT
// Frames of bone values in the kernels' layout, and their 3D part.
#pragma once

#include "character/kernels.hpp"

#include <pchr/pose.hpp>

namespace pchr {

/// Returns pointers to the values of `samples`, starting at element `first`.
[[nodiscard]] FramePointers pointers_to(const BoneSamples& samples, std::size_t first) noexcept;

/// Returns the values of a frame of a clip, or the bind pose if the clip has no frames.
[[nodiscard]] FramePointers frame_of(const Character& character, ClipId clip, std::uint32_t frame) noexcept;

/// Returns the values at a position in a clip, or the bind pose if the clip has no frames.
[[nodiscard]] BetweenFrames place_of(const Character& character, ClipId clip, ClipTime position) noexcept;

/// Returns pointers to the values of `samples`, starting at element `first`, to write them.
[[nodiscard]] PosePointers pointers_into(BoneSamples& samples, std::size_t first = 0) noexcept;

/// Samples a position between two frames, in 2D or 3D.
void sample(const BetweenFrames& place, std::size_t bone_count, Pose& out);

/// Samples a 2D character.
void sample(const Character& character, const PoseRequest& request, const PosePointers& out) noexcept;

/// Blends or adds `overlay` over a pose, in 2D or 3D.
void overlay(const Overlay& overlay, Pose& pose);

/// Does for the 3D part what PoseKernels::mix does for the rest. `out` has one element per bone.
void mix_3d(const BetweenFrames& from, const BetweenFrames* to, float weight, std::span<BoneSample3D> out) noexcept;

/// Interpolates between the values of two bones.
[[nodiscard]] BoneSample3D between(const BoneSample3D& from, const BoneSample3D& to, float factor) noexcept;

/// Returns the world transform of a bone in `from`, or blended between `from` and `to` if that is not null.
[[nodiscard]] Affine3 bone_world_3d(std::span<const Bone> bones, const BetweenFrames& from, const BetweenFrames* to,
                                    float weight, BoneId bone) noexcept;

}  // namespace pchr
