// SPDX-License-Identifier: MIT
// The bones of an Unreal mesh as a character's: parents first, y up.
#pragma once

#include "formats/psk/mesh.hpp"

#include <pchr/character.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace pchr::psk {

/// From the file's space, where z is up, to a character's, where y is. It only turns, so that a character that faces
/// its file's -y faces who looks at it.
[[nodiscard]] constexpr Vec3 to_y_up(Vec3 point) noexcept { return {point.x, point.z, -point.y}; }
[[nodiscard]] constexpr Quat to_y_up(const Quat& turn) noexcept { return {turn.x, turn.z, -turn.y, turn.w}; }

/// One bone's local transform, y up.
struct LocalTransform {
  Vec3 position{0.0F};
  Quat rotation{};
  Vec3 scale{1.0F};
};

/// What is stored of a bone as a transform: of a root the rotation counts as it is, of others its conjugate.
[[nodiscard]] LocalTransform local_transform(Vec3 position, const Quat& rotation, bool is_root) noexcept;
[[nodiscard]] bool is_finite(const LocalTransform& transform) noexcept;

void put(BoneSamples& samples, std::size_t sample, const LocalTransform& transform) noexcept;

/// Bones in a character's order.
struct Skeleton {
  std::vector<pchr::Bone> bones;
  std::vector<std::uint32_t> number_of;  ///< Per bone of the file: which of `bones` it is.
  std::vector<LocalTransform> bind;      ///< Per bone.
};

/// Bone 0 is a root, and so is every bone whose parent does not exist. One that is its own ancestor becomes one. Of no
/// bones at all one is made, for a mesh that has none.
[[nodiscard]] Skeleton make_skeleton(std::span<const Bone> bones, Remarks& remarks);

}  // namespace pchr::psk
