// SPDX-License-Identifier: MIT
// Aims and two-bone inverse kinematics. Both work in the space of the first bone's parent, where the bone's rotation is
// a plain angle however that space is scaled, skewed or mirrored.
#include "animation/rig/parts.hpp"
#include "character/sine_cosine.hpp"

#include <algorithm>
#include <cmath>

namespace pchr {
namespace {

bool is_bone(std::span<const Bone> bones, BoneId bone) noexcept { return index(bone) < bones.size(); }

bool finite_point(Vec2 point) noexcept { return std::isfinite(point.x) && std::isfinite(point.y); }

float angle_of(Vec2 direction) noexcept { return angle_degrees(direction.y, direction.x); }

Vec2 rotated(SineCosine turn, Vec2 point) noexcept {
  return {turn.cosine * point.x - turn.sine * point.y, turn.sine * point.x + turn.cosine * point.y};
}

double length_of(Vec2 v) noexcept { return std::sqrt(static_cast<double>(v.x) * v.x + static_cast<double>(v.y) * v.y); }

/// Returns `value`, slowed down from `range` before `limit` so that it comes near `limit` but never passes it.
template <typename T>
T soften(T value, T limit, T range) noexcept {
  if (value <= limit - range) return value;
  if (!(range > 0)) return limit;
  return limit - range * range / (range + (value - (limit - range)));
}

float limited(const Aim& aim, float turn) noexcept {
  const float low = within(aim.min_degrees, -180, 180);
  const float high = std::max(low, within(aim.max_degrees, -180, 180));
  const float range = within(aim.softness_degrees, 0, (high - low) / 2);
  return turn > (low + high) / 2 ? soften(turn, high, range) : -soften(-turn, -low, range);
}

void turn_toward(float& degrees, float target, float weight) noexcept {
  degrees += turn_between(degrees, target) * weight;
}

}  // namespace

const char* find_flaw(const Aim& aim, std::span<const Bone> bones) noexcept {
  if (!is_bone(bones, aim.bone)) return "names a bone that does not exist";
  for (BoneId bone = aim.target_bone; is_bone(bones, bone); bone = bones[index(bone)].parent) {
    if (bone == aim.bone) return "has a target bone that moves with the bone";
  }
  return nullptr;
}

const char* find_flaw(const TwoBoneIk& ik, std::span<const Bone> bones) noexcept {
  if (!is_bone(bones, ik.upper) || !is_bone(bones, ik.lower)) return "names a bone that does not exist";
  if (bones[index(ik.lower)].parent != ik.upper) return "has a lower bone that is not a child of the upper bone";
  if (is_bone(bones, ik.end) && bones[index(ik.end)].parent != ik.lower) {
    return "has an end bone that is not a child of the lower bone";
  }
  for (BoneId bone = ik.target_bone; is_bone(bones, bone); bone = bones[index(bone)].parent) {
    if (bone == ik.upper) return "has a target bone that moves with the limb";
  }
  return nullptr;
}

void apply_aim(const Aim& aim, std::span<const Bone> bones, float weight, Vec2 target, Pose& pose) noexcept {
  const std::size_t i = index(aim.bone);
  const auto inward = inverse(parent_world(bones, pose, aim.bone));
  if (!inward) return;
  const Vec2 to = apply(*inward, target) - Vec2{pose.x[i], pose.y[i]};
  const SineCosine turn = sine_cosine_degrees(aim.axis_degrees);
  const Vec2 axis{-turn.sine * pose.scale_x[i], turn.cosine * pose.scale_y[i]};
  if (!finite_point(to) || !finite_point(axis) || to == Vec2{0.0F} || axis == Vec2{0.0F}) return;
  const float delta = turn_between(pose.rotation_degrees[i], angle_of(to) - angle_of(axis));
  pose.rotation_degrees[i] += limited(aim, delta) * weight;
}

Vec2 end_of(const TwoBoneIk& ik, std::span<const Bone> bones, const Pose& pose) noexcept {
  const bool has_end = is_bone(bones, ik.end);
  const Vec2 local = has_end ? Vec2{pose.x[index(ik.end)], pose.y[index(ik.end)]} : ik.tip;
  return apply(bone_world(bones, view(pose), ik.lower), local);
}

void apply_ik(const TwoBoneIk& ik, std::span<const Bone> bones, float weight, Vec2 target, Pose& pose) noexcept {
  const std::size_t upper = index(ik.upper), lower = index(ik.lower), end = index(ik.end);
  const auto inward = inverse(parent_world(bones, pose, ik.upper));
  if (!inward) return;
  const Vec2 to = apply(*inward, target) - Vec2{pose.x[upper], pose.y[upper]};
  const bool has_end = is_bone(bones, ik.end);
  const Vec2 tip = has_end ? Vec2{pose.x[end], pose.y[end]} : ik.tip;
  const Vec2 joint{pose.x[lower], pose.y[lower]};
  const Vec2 shank = Vec2{pose.scale_x[lower], pose.scale_y[lower]} * tip;
  const Vec2 scale{pose.scale_x[upper], pose.scale_y[upper]};
  if (!finite_point(to) || !finite_point(joint) || !finite_point(shank) || !finite_point(scale)) return;

  // The end relative to the upper bone, before that rotates, with the lower bone at an angle.
  const auto reach = [&](float degrees) { return scale * (joint + rotated(sine_cosine_degrees(degrees), shank)); };
  const float straight = angle_of(joint) - angle_of(shank);
  const float animated = turn_between(straight, pose.rotation_degrees[lower]);
  const bool left = ik.bend == Bend::as_animated ? animated >= 0 : ik.bend == Bend::counter_clockwise;
  const float side = left ? 1.0F : -1.0F;
  // Returns the last bend for which `holds` is true. Halving intervals also works where the upper bone's scale is not
  // uniform, for which there is no formula.
  const auto last_bend = [&](float from, const auto& holds) {
    float to_bend = 180;
    for (int halving = 0; halving < 24; ++halving) {
      const float middle = (from + to_bend) / 2;
      (holds(straight + side * middle) ? from : to_bend) = middle;
    }
    return from;
  };
  const auto reaches_farther_bent_more = [&](float degrees) {
    const Vec2 at = reach(degrees), change = scale * rotated(sine_cosine_degrees(degrees + side * 90), shank);
    return at.x * change.x + at.y * change.y > 0;
  };
  const bool uniform = std::abs(scale.x) == std::abs(scale.y);
  const float farthest = uniform ? 0 : last_bend(0, reaches_farther_bent_more);
  const double max_reach = length_of(reach(straight + side * farthest));
  double distance = length_of(to);
  const float max_stretch = within(ik.max_stretch, 1, 1000);
  float stretch = 1;
  if (max_stretch > 1 && distance > max_reach && max_reach > 0) {
    stretch = std::min(static_cast<float>(distance / max_reach), max_stretch);
    distance = max_reach;
  } else {
    const double range = within(ik.softness_pixels, 0, static_cast<float>(max_reach));
    distance = soften(distance, max_reach, range);
  }
  const float bent =
      straight + side * last_bend(farthest, [&](float degrees) { return length_of(reach(degrees)) > distance; });
  const Vec2 reached = reach(bent);

  const float end_direction = has_end ? rotation_degrees_of(bone_world(bones, view(pose), ik.end)) : 0;
  turn_toward(pose.rotation_degrees[lower], bent, weight);
  if (to != Vec2{0.0F} && reached != Vec2{0.0F}) {
    turn_toward(pose.rotation_degrees[upper], angle_of(to) - angle_of(reached), weight);
  }
  if (stretch != 1) {
    const float scaled = 1 + (stretch - 1) * weight;
    pose.scale_x[upper] *= scaled, pose.scale_y[upper] *= scaled;
    if (has_end) pose.scale_x[end] /= scaled, pose.scale_y[end] /= scaled;
  }
  if (!has_end) return;
  const Affine outer = bone_world(bones, view(pose), ik.lower);
  const SineCosine kept = sine_cosine_degrees(end_direction);
  const Vec2 ahead = apply(outer, tip) + Vec2{-kept.sine, kept.cosine} * 1024.0F;
  turn_toward(pose.rotation_degrees[end], rotation_towards(bones, view(pose), ik.end, ahead), 1);
}

}  // namespace pchr
