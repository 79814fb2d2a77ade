// SPDX-License-Identifier: MIT
// World transforms of single bones.
#include <pchr/pose.hpp>

#include "animation/frames.hpp"
#include "character/sine_cosine.hpp"

#include <algorithm>
#include <cassert>

namespace pchr {
namespace {

Affine local_transform(float x, float y, float rotation_degrees, float scale_x, float scale_y) {
  const SineCosine rotation = sine_cosine_degrees(rotation_degrees);
  return {
      rotation.cosine * scale_x, rotation.sine * scale_x, -rotation.sine * scale_y, rotation.cosine * scale_y, x, y};
}

bool exists(std::span<const Bone> bones, BoneId bone) {
  assert(bone == BoneId::none || index(bone) < bones.size());
  return index(bone) < bones.size();
}

/// Composes from the root down, because compose() does and any other order would give different bits. `local` returns
/// the local transform of a bone.
template <typename Local>
Affine composed(std::span<const Bone> bones, BoneId bone, const Local& local) {
  if (!exists(bones, bone)) return kIdentity;
  const auto parent_of = [&](BoneId child) { return bones[index(child)].parent; };
  std::size_t generations = 1;
  for (BoneId above = parent_of(bone); above != BoneId::none; above = parent_of(above)) ++generations;
  // Bones only know their parents, so collect the path to the root in blocks of a fixed size.
  std::array<BoneId, 64> path;
  Affine world{};
  for (std::size_t done = 0; done < generations;) {
    const std::size_t count = std::min(generations - done, path.size());
    BoneId above = bone;
    for (std::size_t skip = generations - done - count; skip > 0; --skip) above = parent_of(above);
    for (std::size_t place = count; place-- > 0; above = parent_of(above)) path[place] = above;
    for (std::size_t place = 0; place < count; ++place, ++done) {
      const Affine own = local(index(path[place]));
      world = done == 0 ? own : concatenate(world, own);
    }
  }
  return world;
}

FramePointers one_bone(const FramePointers& frame, std::size_t bone) {
  return {frame.x + bone,       frame.y + bone,       frame.rotation_degrees + bone,
          frame.scale_x + bone, frame.scale_y + bone, frame.opacity == nullptr ? nullptr : frame.opacity + bone,
          frame.visible + bone, frame.z_order + bone};
}

BetweenFrames one_bone(const BetweenFrames& place, std::size_t bone) {
  return {one_bone(place.frame, bone), place.factor == 0 ? FramePointers{} : one_bone(place.next, bone), place.factor};
}

/// Returns the world transform of `bone` in `from`, or blended between `from` and `to` if that is not null.
Affine sampled(std::span<const Bone> bones, const BetweenFrames& from, const BetweenFrames* to, float weight,
               BoneId bone) {
  if (from.frame.samples_3d != nullptr && exists(bones, bone))
    return front_view(bone_world_3d(bones, from, to, weight, bone));
  return composed(bones, bone, [&](std::size_t i) {
    float x, y, rotation_degrees, scale_x, scale_y, opacity;
    std::uint8_t visible;
    std::int32_t z_order;
    const PosePointers out{&x, &y, &rotation_degrees, &scale_x, &scale_y, &opacity, &visible, &z_order};
    const BetweenFrames target = to == nullptr ? BetweenFrames{} : one_bone(*to, i);
    // All kernels give the same bits, and the wide ones are no faster for a single bone.
    kScalarKernels.mix(one_bone(from, i), to == nullptr ? nullptr : &target, weight, out, 1);
    return local_transform(x, y, rotation_degrees, scale_x, scale_y);
  });
}

}  // namespace

Affine bone_world(std::span<const Bone> bones, const PoseView& pose, BoneId bone) noexcept {
  assert(pose.x.size() == bones.size());
  if (!pose.samples_3d.empty()) return front_view(bone_world_3d(bones, pose, bone));
  return composed(bones, bone, [&](std::size_t i) {
    return local_transform(pose.x[i], pose.y[i], pose.rotation_degrees[i], pose.scale_x[i], pose.scale_y[i]);
  });
}

Affine bone_world(const Character& character, ClipId clip, ClipTime position, BoneId bone) noexcept {
  return sampled(character.bones(), place_of(character, clip, position), nullptr, 0, bone);
}

Affine bone_world(const Character& character, const PoseRequest& request, BoneId bone) noexcept {
  if (!(request.fade_weight > 0)) return bone_world(character, request.clip, request.position, bone);
  if (request.fade_weight >= 1) return bone_world(character, request.fade_clip, request.fade_position, bone);
  const BetweenFrames to = place_of(character, request.fade_clip, request.fade_position);
  return sampled(character.bones(), place_of(character, request.clip, request.position), &to, request.fade_weight,
                 bone);
}

Affine3 bone_world_3d(std::span<const Bone> bones, const PoseView& pose, BoneId bone) noexcept {
  if (!exists(bones, bone)) return kIdentity3;
  return bone_world_3d(bones, {pointers_to(pose), {}, 0}, nullptr, 0, bone);
}

Affine bind_bone_world(const Character& character, BoneId bone) noexcept {
  return bone_world(character.bones(), character.bind_pose(), bone);
}

float rotation_degrees_of(const Affine& world) noexcept {
  if (!std::isfinite(world[1].x) || !std::isfinite(world[1].y)) return 0;
  return angle_degrees(-static_cast<double>(world[1].x), world[1].y);
}

float rotation_towards(std::span<const Bone> bones, const PoseView& pose, BoneId bone, Vec2 world_target,
                       Vec2 axis) noexcept {
  assert(pose.x.size() == bones.size());
  if (!exists(bones, bone)) return 0;
  const std::size_t i = index(bone);
  const Affine outer = bones[i].parent == BoneId::none ? kIdentity : bone_world(bones, pose, bones[i].parent);
  const Vec2 origin = apply(outer, {pose.x[i], pose.y[i]});
  const double a = outer[0].x, b = outer[0].y, c = outer[1].x, d = outer[1].y;
  const double determinant = a * d - b * c;
  // As for the bind pose, nearly parallel columns do not span a plane.
  const bool flat = !(std::abs(determinant) > 1e-6 * std::hypot(a, b) * std::hypot(c, d));
  const double to_x = static_cast<double>(world_target.x) - origin.x;
  const double to_y = static_cast<double>(world_target.y) - origin.y;
  // Direction to the target in the parent's space, not normalized.
  const double sign = determinant < 0 ? -1 : 1;
  const double x = sign * (d * to_x - c * to_y);
  const double y = sign * (a * to_y - b * to_x);
  // The angle from the scaled axis to that direction, from their cross and dot products.
  const double axis_x = static_cast<double>(axis.x) * pose.scale_x[i];
  const double axis_y = static_cast<double>(axis.y) * pose.scale_y[i];
  const double across = axis_x * y - axis_y * x;
  const double along = axis_x * x + axis_y * y;
  const bool possible = !flat && std::isfinite(across) && std::isfinite(along) && (across != 0 || along != 0);
  return possible ? angle_degrees(across, along) : pose.rotation_degrees[i];
}

}  // namespace pchr
