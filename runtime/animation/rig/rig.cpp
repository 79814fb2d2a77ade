// SPDX-License-Identifier: MIT
// Applies the layers of a rig in order.
#include "animation/rig/parts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pchr {
namespace {

bool contains(std::span<const Bone> bones, BoneId bone) noexcept { return index(bone) < bones.size(); }

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
    if (!contains(bones, bone)) return std::nullopt;
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

void apply_all(const Rig& rig, const Character& character, double seconds, RigState& state, const RigPoses& poses) {
  assert(state.instances.size() == poses.size());
  if (character.is_3d() || state.instances.size() != poses.size()) return;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (poses[i].x.size() != character.bones().size()) return;
  }
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
