// SPDX-License-Identifier: MIT
// Applies the layers of a rig in order: aims, two-bone inverse kinematics, feet, then springs (springs.cpp). Aims and
// limbs work in the space of the first bone's parent, where the bone's rotation is a plain angle however that space is
// scaled, skewed or mirrored.
#include "animation/rig_parts.hpp"
#include "character/format.hpp"
#include "character/sine_cosine.hpp"

#include <algorithm>
#include <cassert>
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

/// Return why a constraint cannot work, or nothing. Used for every frame, so they do not allocate.
/// @{
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

/// @}

/// Applies an aim. The target is in the character's space.
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

/// Returns the end of a limb in the character's space.
Vec2 end_of(const TwoBoneIk& ik, std::span<const Bone> bones, const Pose& pose) noexcept {
  const bool has_end = is_bone(bones, ik.end);
  const Vec2 local = has_end ? Vec2{pose.x[index(ik.end)], pose.y[index(ik.end)]} : ik.tip;
  return apply(bone_world(bones, view(pose), ik.lower), local);
}

/// Applies a limb. The target is in the character's space.
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

/// Fades a foot toward the ground or away from it, and returns where the end of its limb should be.
Vec2 step_foot(const FootPlant& plant, Vec2 animated, double seconds, RigFoot& foot) noexcept {
  const auto shown = [&] {
    const float eased = foot.fade * foot.fade * (3 - 2 * foot.fade);
    return foot.fade >= 1 ? foot.point : animated + (foot.point - animated) * eased;
  };
  if (foot.planted && !foot.held) {
    // A foot that is still fading out stays where it is shown.
    const bool was_fading = foot.fade > 0;
    foot.point = was_fading ? shown() : animated;
    foot.fade = was_fading ? 1.0F : 0.0F;
  }
  foot.held = foot.planted;
  const float fade_seconds = foot.planted ? plant.fade_in_seconds : plant.fade_out_seconds;
  const float change = fade_seconds > 0 ? static_cast<float>(seconds / static_cast<double>(fade_seconds)) : 1.0F;
  foot.fade = std::clamp(foot.fade + (foot.planted ? change : -change), 0.0F, 1.0F);
  return shown();
}

void apply_constraints(const Rig& rig, const Character& character, double seconds, std::size_t i, RigState& state,
                       Pose& pose) {
  const std::span<const Bone> bones = character.bones();
  RigInstance& instance = state.instances[i];
  const auto inward = inverse(instance.placement);
  /// Returns the target in the character's space.
  const auto target_of = [&](const RigControl& control, BoneId bone) -> std::optional<Vec2> {
    if (control.target) {
      if (!inward) return std::nullopt;
      return apply(*inward, *control.target);
    }
    if (!is_bone(bones, bone)) return std::nullopt;
    return position_of(bone_world(bones, view(pose), bone));
  };
  const auto weight_of = [](float weight, const RigControl& control) {
    return within(weight, 0, 1) * within(control.weight, 0, 1);
  };

  for (std::size_t number = 0; number < rig.aims.size(); ++number) {
    const Aim& aim = rig.aims[number];
    const RigControl& control = state.aims[i * rig.aims.size() + number];
    const float weight = weight_of(aim.weight, control);
    if (!(weight > 0) || find_flaw(aim, bones) != nullptr) continue;
    if (const auto target = target_of(control, aim.target_bone)) apply_aim(aim, bones, weight, *target, pose);
  }
  for (std::size_t number = 0; number < rig.ik.size(); ++number) {
    const TwoBoneIk& ik = rig.ik[number];
    const RigControl& control = state.ik[i * rig.ik.size() + number];
    if (find_flaw(ik, bones) != nullptr) continue;
    std::optional<Vec2> target = target_of(control, ik.target_bone);
    for (std::size_t place = 0; place < rig.feet.size(); ++place) {
      if (rig.feet[place].ik != number) continue;
      RigFoot& foot = state.feet[i * rig.feet.size() + place];
      if (instance.reset || instance.teleport) foot = {foot.planted};
      const Vec2 animated = apply(instance.placement, end_of(ik, bones, pose));
      if (!inward || !std::isfinite(animated.x) || !std::isfinite(animated.y)) continue;
      const Vec2 shown = step_foot(rig.feet[place], animated, seconds, foot);
      if (foot.fade > 0 && !control.target) target = apply(*inward, shown);
    }
    const float weight = weight_of(ik.weight, control);
    if (weight > 0 && target) apply_ik(ik, bones, weight, *target, pose);
  }
}

/// A list of a rig, or the work of its springs, and its limit.
struct RigCount {
  const char* place;
  double count, limit;
};

/// Returns the first count that exceeds its limit. Used for every frame, so it does not allocate.
std::optional<RigCount> find_excess(const Rig& rig) noexcept {
  std::size_t spring_bones = 0;
  for (const SpringChain& chain : rig.springs) spring_bones += chain.bones.size();
  const auto count = [](const char* place, const auto& list, std::size_t limit) {
    return RigCount{place, static_cast<double>(list.size()), static_cast<double>(limit)};
  };
  const RigCount counts[] = {count("aim", rig.aims, kMaxRigAims),
                             count("ik", rig.ik, kMaxRigLimbs),
                             count("feet", rig.feet, kMaxRigFeet),
                             count("springs", rig.springs, kMaxRigSprings),
                             {"step", static_cast<double>(spring_bones) / spring_step(rig), kMaxRigSpringSteps}};
  for (const RigCount& each : counts) {
    // Steps per second are not exact: 1000 bones with a step of 0.001 are within the limit.
    if (each.count > each.limit * (1 + 1e-9)) return each;
  }
  return std::nullopt;
}

void apply_all(const Rig& rig, const Character& character, double seconds, RigState& state, const RigPoses& poses) {
  assert(state.instances.size() == poses.size());
  if (character.is_3d() || state.instances.size() != poses.size()) return;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (poses[i].x.size() != character.bones().size()) return;
  }
  if (find_excess(rig)) return;
  prepare(rig, state);
  seconds = std::isfinite(seconds) ? std::abs(seconds) : 0;
  for (std::size_t i = 0; i < poses.size(); ++i) apply_constraints(rig, character, seconds, i, state, poses[i]);
  apply_springs(rig, character.bones(), seconds, state, poses);
  for (RigInstance& instance : state.instances) {
    instance.teleport = instance.reset = false;
    instance.last_placement = instance.placement;
  }
}

Diagnostic rig_error(const char* list, std::size_t number, const std::string& name, std::string detail) {
  Diagnostic diagnostic{DiagnosticId::value_out_of_range,
                        std::string(list) + "[" + std::to_string(number) + "]",
                        name,
                        {},
                        std::move(detail)};
  return diagnostic;
}

}  // namespace

std::optional<Diagnostic> find_rig_error(const Rig& rig, const Character& character) {
  const std::span<const Bone> bones = character.bones();
  std::optional<Diagnostic> found;
  if (const auto excess = find_excess(rig)) {
    const bool is_list = std::string_view(excess->place) != "step";
    found.emplace();
    found->id = DiagnosticId::rig_limit;
    found->path = excess->place;
    found->detail =
        is_list ? format_text("has {} elements, but at most {} are allowed", static_cast<std::uint64_t>(excess->count),
                              static_cast<std::uint64_t>(excess->limit))
                : format_text(
                      "is {}, with which springs move bones {} times per second, but at most {} "
                      "are allowed",
                      spring_step(rig), static_cast<std::uint64_t>(std::round(excess->count)),
                      static_cast<std::uint64_t>(excess->limit));
    return found;
  }
  const auto check = [&](const char* list, const auto& constraints) {
    for (std::size_t i = 0; i < constraints.size() && !found; ++i) {
      if (const char* flaw = find_flaw(constraints[i], bones)) found = rig_error(list, i, constraints[i].name, flaw);
    }
  };
  check("aim", rig.aims);
  check("ik", rig.ik);
  for (std::size_t i = 0; i < rig.feet.size() && !found; ++i) {
    if (rig.feet[i].ik >= rig.ik.size())
      found = rig_error("feet", i, rig.feet[i].name, "names a limb that does not exist");
  }
  check("springs", rig.springs);
  return found;
}

std::vector<BoneId> chain_from(const Character& character, BoneId bone) {
  std::vector<BoneId> chain;
  const Table<BoneId, Bone> bones = character.bones();
  assert(bone == BoneId::none || bones.contains(bone));
  if (!bones.contains(bone)) return chain;
  chain.push_back(bone);
  for (std::size_t next = index(bone) + 1; next < bones.size(); ++next) {
    if (bones[next].parent == chain.back()) chain.push_back(BoneId(next));
  }
  return chain;
}

void prepare(const Rig& rig, RigState& state) {
  const std::size_t count = state.instances.size();
  const auto resize = [&](auto& values, std::size_t constraints) {
    if (values.size() == constraints * count) return;
    // Those of a single instance keep their places.
    if (count != 1) values.clear();
    values.resize(constraints * count);
  };
  resize(state.aims, rig.aims.size());
  resize(state.ik, rig.ik.size());
  resize(state.feet, rig.feet.size());
  prepare_springs(rig, state);
}

RigControl* find_control(const Rig& rig, RigState& state, std::string_view name, std::size_t instance) noexcept {
  const auto find = [&](const auto& constraints, std::vector<RigControl>& controls) -> RigControl* {
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const std::size_t place = instance * constraints.size() + i;
      if (constraints[i].name == name) return place < controls.size() ? &controls[place] : nullptr;
    }
    return nullptr;
  };
  RigControl* const aim = find(rig.aims, state.aims);
  return aim != nullptr ? aim : find(rig.ik, state.ik);
}

void apply_rig(const Rig& rig, const Character& character, double seconds, RigState& state, Pose& pose) {
  apply_all(rig, character, seconds, state, {&pose, {}});
}

void apply_rig_many(const Rig& rig, const Character& character, double seconds, RigState& state,
                    std::span<PoseBuffers> poses) {
  apply_all(rig, character, seconds, state, {nullptr, poses});
}

}  // namespace pchr
