// SPDX-License-Identifier: MIT
// Poses out of poses: parts of bodies, one movement on top of another, and bones that the caller moves. All work on
// local transforms. None allocates once its output is large enough.
#pragma once

#include <pchr/character.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// Which bones take part: not 0 for those that do. Empty means all; otherwise one element per bone.
using BoneMask = std::vector<std::uint8_t>;

/// A bone and all that hang from it.
[[nodiscard]] BoneMask mask_of_branch(const Character& character, std::uint32_t bone);
/// The listed bones alone.
[[nodiscard]] BoneMask mask_of_bones(const Character& character, std::span<const std::uint32_t> bones);

/// As `blend` in pose.hpp, for the bones in `mask` alone.
void blend(const PoseView& to, float weight, const BoneMask& mask, Pose& pose);

/// Moves `pose` towards a place in a clip, as `blend` does.
void blend(const Character& character, std::uint32_t clip, FramePosition position, float weight, Pose& pose);

/// Adds to `pose`, for the bones in `mask`, `weight` times the way from `reference` to `layer`: differences of
/// position, scale and opacity (kept within 0..1), and the shorter turn of rotation. Visibility and draw order stay as
/// they are. `weight` is clamped to 0..1.
void add(const PoseView& layer, const PoseView& reference, float weight, const BoneMask& mask, Pose& pose);

/// What the caller wants of one bone, in place of what a clip says. Values left out stay as they are.
struct BoneOverride {
  std::uint32_t bone = 0;  ///< One that does not exist is ignored.
  std::optional<float> x{}, y{};
  std::optional<float> rotation_degrees{};
  std::optional<float> scale_x{}, scale_y{};
  std::optional<bool> visible{};
  std::optional<std::int32_t> z_order{};
  float weight = 1;       ///< From the pose's value, 0, to the given one, 1; visible and z_order from 0.5 on.
  bool relative = false;  ///< Position and rotation are added to the pose's, scale multiplied; z_order added.
};

/// Applies overrides one after the other, between sampling and composing.
void override_bones(std::span<const BoneOverride> overrides, Pose& pose) noexcept;

}  // namespace pchr
