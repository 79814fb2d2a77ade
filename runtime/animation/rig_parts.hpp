// SPDX-License-Identifier: MIT
// What the layers of a rig share.
#pragma once

#include <pchr/rig.hpp>

#include <algorithm>
#include <cmath>

namespace pchr {

/// The poses of all instances of a state.
struct RigPoses {
  Pose* one = nullptr;
  std::span<PoseBuffers> many{};
  [[nodiscard]] std::size_t size() const noexcept { return one != nullptr ? 1 : many.size(); }
  [[nodiscard]] Pose& operator[](std::size_t i) const noexcept { return one != nullptr ? *one : many[i].pose; }
};

/// Returns `value` within the limits, or the lower one for NaN.
[[nodiscard]] inline float within(float value, float low, float high) noexcept {
  return !(value > low) ? low : value < high ? value : high;
}

/// Returns the time step of the springs, also of a rig that does not have a valid one.
[[nodiscard]] inline double spring_step(const Rig& rig) noexcept {
  return std::isfinite(rig.step_seconds) ? std::clamp(rig.step_seconds, 0.001, 0.1) : 0.1;
}

/// Returns the world transform of a bone's parent.
[[nodiscard]] inline Affine parent_world(std::span<const Bone> bones, const Pose& pose, BoneId bone) noexcept {
  const BoneId parent = bones[index(bone)].parent;
  return parent == BoneId::none ? kIdentity : bone_world(bones, view(pose), parent);
}

/// Returns why a chain cannot work, or nothing. Used for every frame, so it does not allocate.
[[nodiscard]] const char* find_flaw(const SpringChain& chain, std::span<const Bone> bones) noexcept;

/// Sizes the values of the springs.
void prepare_springs(const Rig& rig, RigState& state);
/// Advances the springs of all instances and applies them. The state must fit.
void apply_springs(const Rig& rig, std::span<const Bone> bones, double seconds, RigState& state, const RigPoses& poses);

}  // namespace pchr
