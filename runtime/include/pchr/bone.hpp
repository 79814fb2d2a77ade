// SPDX-License-Identifier: MIT
// Where single bones are, without posing the rest: to hang a sword on a hand, aim a camera, turn a head. Each function
// visits the bone and its ancestors alone and allocates nothing.
#pragma once

#include <pchr/character.hpp>
#include <pchr/geometry.hpp>
#include <pchr/pose.hpp>
#include <pchr/spatial.hpp>

#include <cstdint>
#include <span>

namespace PCHR_API pchr {

/// World transform of `bone` in `pose`: what `compose` gives, to the bit. `pose` has one value per bone.
[[nodiscard]] Affine bone_world(std::span<const Bone> bones, const PoseView& pose, std::uint32_t bone) noexcept;

/// The same where a clip is at `position`, to the bit as if the whole clip were sampled. A clip without frames gives
/// the bind pose.
[[nodiscard]] Affine bone_world(const Character& character, std::uint32_t clip, FramePosition position,
                                std::uint32_t bone) noexcept;

/// The same for a clip or a crossfade.
[[nodiscard]] Affine bone_world(const Character& character, const PoseRequest& request, std::uint32_t bone) noexcept;

/// World transform of `bone` in a pose of a spatial character, of which the functions above give what is seen from the
/// front.
[[nodiscard]] Affine3 spatial_bone_world(std::span<const Bone> bones, const PoseView& pose,
                                         std::uint32_t bone) noexcept;

/// World transform of `bone` in the bind pose. A bone that cannot be inverted there is skinned from another moment;
/// this is still the bind pose's own.
[[nodiscard]] Affine bind_bone_world(const Character& character, std::uint32_t bone) noexcept;

/// Where a bone's origin is, world pixels.
[[nodiscard]] constexpr Vec2 position_of(const Affine& world) noexcept { return world[2]; }

/// Which way a bone points: the angle from world +Y, counter-clockwise, to its own +Y, along which it lies; above -180
/// to 180 degrees. A bone that only turns points by as much as it is turned. 0 for one whose +Y has no length.
[[nodiscard]] float rotation_degrees_of(const Affine& world) noexcept;

/// The local rotation, above -180 to 180 degrees, with which `bone` points at `world_target` while everything else of
/// `pose` stays as it is; right beneath parents that are turned, flipped, scaled or sheared, too. The bone's own
/// rotation in `pose` where no rotation can: the target is at its origin, or an ancestor or its own scale along +Y
/// flattens it.
[[nodiscard]] float rotation_towards(std::span<const Bone> bones, const PoseView& pose, std::uint32_t bone,
                                     Vec2 world_target) noexcept;

}  // namespace pchr
