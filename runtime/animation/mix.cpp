// SPDX-License-Identifier: MIT
// Masks, additive layers and bone overrides.
#include <pchr/pose.hpp>

#include "character/sine_cosine.hpp"
#include "animation/frames.hpp"

#include <algorithm>
#include <cassert>

namespace pchr {
namespace {

float towards(float from, float to, float weight) noexcept { return weight < 1 ? from + (to - from) * weight : to; }

float rotated_towards(float from_degrees, float to_degrees, float weight) noexcept {
  return weight < 1 ? from_degrees + turn_between(from_degrees, to_degrees) * weight : to_degrees;
}

/// Returns a rotation in the plane that the front view shows.
Quat front_rotation(float degrees) {
  const SineCosine half = sine_cosine_degrees(degrees / 2);
  return {0, 0, half.sine, half.cosine};
}

/// Returns `value` plus the difference between `layer` and `reference`, scaled by `weight`.
BoneSample3D added(const BoneSample3D& value, const BoneSample3D& layer, const BoneSample3D& reference, float weight) {
  const Quat change = concatenate(conjugate(reference.rotation), layer.rotation);
  return {normalized(concatenate(value.rotation, turn_towards({}, change, weight))),
          value.z + (layer.z - reference.z) * weight, value.scale_z + (layer.scale_z - reference.scale_z) * weight};
}

}  // namespace

BoneMask mask_of_subtree(const Character& character, BoneId bone) {
  const auto bones = character.bones();
  BoneMask mask(bones.size());
  assert(bone == BoneId::none || bones.contains(bone));
  if (!bones.contains(bone)) return mask;
  mask[index(bone)] = 1;
  for (std::size_t i = index(bone) + 1; i < bones.size(); ++i) {
    if (bones[i].parent != BoneId::none) mask[i] = mask[index(bones[i].parent)];
  }
  return mask;
}

BoneMask mask_of_bones(const Character& character, std::span<const BoneId> bones) {
  BoneMask mask(character.bones().size());
  for (const BoneId bone : bones) {
    assert(bone == BoneId::none || index(bone) < mask.size());
    if (index(bone) < mask.size()) mask[index(bone)] = 1;
  }
  return mask;
}

void blend(const PoseView& to, float weight, const BoneMask& mask, Pose& pose) {
  if (mask.empty()) return blend(to, weight, pose);
  assert(mask.size() == pose.x.size() && to.x.size() == pose.x.size());
  if (!(weight > 0)) return;
  pose.opacity.resize(pose.x.size(), 1.0F);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] == 0) continue;
    pose.x[i] = towards(pose.x[i], to.x[i], weight);
    pose.y[i] = towards(pose.y[i], to.y[i], weight);
    pose.rotation_degrees[i] = rotated_towards(pose.rotation_degrees[i], to.rotation_degrees[i], weight);
    pose.scale_x[i] = towards(pose.scale_x[i], to.scale_x[i], weight);
    pose.scale_y[i] = towards(pose.scale_y[i], to.scale_y[i], weight);
    pose.opacity[i] = towards(pose.opacity[i], to.opacity.empty() ? 1.0F : to.opacity[i], weight);
    if (!pose.samples_3d.empty()) {
      pose.samples_3d[i] = weight < 1 ? between(pose.samples_3d[i], to.samples_3d[i], weight) : to.samples_3d[i];
    }
    if (weight < 0.5F) continue;
    pose.visible[i] = to.visible[i];
    pose.z_order[i] = to.z_order[i];
  }
}

void blend_additive(const PoseView& layer, const PoseView& reference, float weight, const BoneMask& mask, Pose& pose) {
  assert(layer.x.size() == pose.x.size() && reference.x.size() == pose.x.size());
  assert(mask.empty() || mask.size() == pose.x.size());
  if (!(weight > 0)) return;
  weight = std::min(weight, 1.0F);
  pose.opacity.resize(pose.x.size(), 1.0F);
  const auto opacity_in = [](const PoseView& view, std::size_t i) {
    return view.opacity.empty() ? 1.0F : view.opacity[i];
  };
  for (std::size_t i = 0; i < pose.x.size(); ++i) {
    if (!mask.empty() && mask[i] == 0) continue;
    pose.x[i] += (layer.x[i] - reference.x[i]) * weight;
    pose.y[i] += (layer.y[i] - reference.y[i]) * weight;
    pose.rotation_degrees[i] += turn_between(reference.rotation_degrees[i], layer.rotation_degrees[i]) * weight;
    pose.scale_x[i] += (layer.scale_x[i] - reference.scale_x[i]) * weight;
    pose.scale_y[i] += (layer.scale_y[i] - reference.scale_y[i]) * weight;
    if (!pose.samples_3d.empty()) {
      pose.samples_3d[i] = added(pose.samples_3d[i], layer.samples_3d[i], reference.samples_3d[i], weight);
    }
    const float opacity = pose.opacity[i] + (opacity_in(layer, i) - opacity_in(reference, i)) * weight;
    pose.opacity[i] = std::clamp(opacity, 0.0F, 1.0F);
  }
}

void override_bones(std::span<const BoneOverride> overrides, Pose& pose) noexcept {
  for (const BoneOverride& change : overrides) {
    const std::size_t bone = index(change.bone);
    if (bone >= pose.x.size() || !(change.weight > 0)) continue;
    const float weight = std::min(change.weight, 1.0F);
    const auto move = [&](float& value, std::optional<float> given) {
      if (given) value = change.relative ? value + *given * weight : towards(value, *given, weight);
    };
    const auto stretch = [&](float& value, std::optional<float> given) {
      if (given) value = towards(value, change.relative ? value * *given : *given, weight);
    };
    move(pose.x[bone], change.x);
    move(pose.y[bone], change.y);
    if (change.rotation_degrees) {
      float& rotation = pose.rotation_degrees[bone];
      const float given = *change.rotation_degrees;
      rotation = change.relative ? rotation + given * weight : rotated_towards(rotation, given, weight);
      if (!pose.samples_3d.empty()) {
        Quat& rotation_3d = pose.samples_3d[bone].rotation;
        rotation_3d = change.relative ? normalized(concatenate(front_rotation(given * weight), rotation_3d))
                                      : turn_towards(rotation_3d, front_rotation(given), weight);
      }
    }
    stretch(pose.scale_x[bone], change.scale_x);
    stretch(pose.scale_y[bone], change.scale_y);
    if (weight < 0.5F) continue;
    if (change.visible) pose.visible[bone] = *change.visible ? 1 : 0;
    if (change.z_order) {
      const std::int64_t order = *change.z_order + (change.relative ? std::int64_t{pose.z_order[bone]} : 0);
      pose.z_order[bone] = static_cast<std::int32_t>(std::clamp<std::int64_t>(order, INT32_MIN, INT32_MAX));
    }
  }
}

}  // namespace pchr
