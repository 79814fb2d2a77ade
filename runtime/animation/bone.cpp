// SPDX-License-Identifier: MIT
// Single bones.
#include <pchr/bone.hpp>

#include "animation/arc_tangent.hpp"
#include "animation/frames.hpp"
#include "animation/kernels.hpp"
#include "animation/sine_cosine.hpp"
#include "animation/spatial_pose.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace pchr {
namespace {

Affine local_transform(float x, float y, float rotation_degrees, float scale_x, float scale_y) {
  const SineCosine turn = sine_cosine_degrees(rotation_degrees);
  return {turn.cosine * scale_x, turn.sine * scale_x, -turn.sine * scale_y, turn.cosine * scale_y, x, y};
}

/// Composes from the root down, as compose does: another order would give other bits. `local` yields a bone's local
/// transform.
template <typename Local>
Affine composed(std::span<const Bone> bones, std::uint32_t bone, const Local& local) {
  assert(bone < bones.size());
  std::size_t generations = 1;
  for (std::int32_t i = bones[bone].parent; i >= 0; i = bones[static_cast<std::size_t>(i)].parent) ++generations;
  // Bones know their parents only, so the way down is noted, as much of it at a time as fits.
  std::array<std::uint32_t, 64> way;
  Affine world{};
  for (std::size_t done = 0; done < generations;) {
    const std::size_t count = std::min(generations - done, way.size());
    auto i = static_cast<std::int32_t>(bone);
    for (std::size_t skip = generations - done - count; skip > 0; --skip) i = bones[static_cast<std::size_t>(i)].parent;
    for (std::size_t place = count; place-- > 0; i = bones[way[place]].parent) {
      way[place] = static_cast<std::uint32_t>(i);
    }
    for (std::size_t place = 0; place < count; ++place, ++done) {
      world = done == 0 ? local(way[place]) : concatenate(world, local(way[place]));
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

/// `bone` in `from`, or between `from` and `to` where that is not null.
Affine sampled(std::span<const Bone> bones, const BetweenFrames& from, const BetweenFrames* to, float weight,
               std::uint32_t bone) {
  if (from.frame.spatial != nullptr) return front_view(spatial_bone_world(bones, from, to, weight, bone));
  return composed(bones, bone, [&](std::uint32_t i) {
    float x, y, rotation_degrees, scale_x, scale_y, opacity;
    std::uint8_t visible;
    std::int32_t z_order;
    const PosePointers out{&x, &y, &rotation_degrees, &scale_x, &scale_y, &opacity, &visible, &z_order};
    const BetweenFrames target = to == nullptr ? BetweenFrames{} : one_bone(*to, i);
    // All kernels give the same bits, and the wide ones gain nothing on one bone.
    kScalarKernels.mix(one_bone(from, i), to == nullptr ? nullptr : &target, weight, out, 1);
    return local_transform(x, y, rotation_degrees, scale_x, scale_y);
  });
}

}  // namespace

Affine bone_world(std::span<const Bone> bones, const PoseView& pose, std::uint32_t bone) noexcept {
  assert(pose.x.size() == bones.size());
  if (!pose.spatial.empty()) return front_view(spatial_bone_world(bones, pose, bone));
  return composed(bones, bone, [&](std::uint32_t i) {
    return local_transform(pose.x[i], pose.y[i], pose.rotation_degrees[i], pose.scale_x[i], pose.scale_y[i]);
  });
}

Affine bone_world(const Character& character, std::uint32_t clip, FramePosition position, std::uint32_t bone) noexcept {
  return sampled(character.bones(), place_of(character, clip, position), nullptr, 0, bone);
}

Affine bone_world(const Character& character, const PoseRequest& request, std::uint32_t bone) noexcept {
  if (!(request.fade_weight > 0)) return bone_world(character, request.clip, request.position, bone);
  if (request.fade_weight >= 1) return bone_world(character, request.fade_clip, request.fade_position, bone);
  const BetweenFrames to = place_of(character, request.fade_clip, request.fade_position);
  return sampled(character.bones(), place_of(character, request.clip, request.position), &to, request.fade_weight,
                 bone);
}

Affine3 spatial_bone_world(std::span<const Bone> bones, const PoseView& pose, std::uint32_t bone) noexcept {
  return spatial_bone_world(bones, {pointers_to(pose), {}, 0}, nullptr, 0, bone);
}

Affine bind_bone_world(const Character& character, std::uint32_t bone) noexcept {
  return bone_world(character.bones(), character.bind_pose(), bone);
}

float rotation_degrees_of(const Affine& world) noexcept {
  if (!std::isfinite(world[1].x) || !std::isfinite(world[1].y)) return 0;
  return angle_degrees(-static_cast<double>(world[1].x), world[1].y);
}

float rotation_towards(std::span<const Bone> bones, const PoseView& pose, std::uint32_t bone,
                       Vec2 world_target) noexcept {
  assert(bone < bones.size() && pose.x.size() == bones.size());
  const std::int32_t parent = bones[bone].parent;
  const Affine outer = parent < 0 ? kIdentity : bone_world(bones, pose, static_cast<std::uint32_t>(parent));
  const Vec2 origin = apply(outer, {pose.x[bone], pose.y[bone]});
  const double a = outer[0].x, b = outer[0].y, c = outer[1].x, d = outer[1].y;
  const double determinant = a * d - b * c;
  // As in the bind pose, columns that are parallel to within rounding leave no plane to turn in.
  const bool flat = !(std::abs(determinant) > 1e-6 * std::hypot(a, b) * std::hypot(c, d));
  const double to_x = static_cast<double>(world_target.x) - origin.x;
  const double to_y = static_cast<double>(world_target.y) - origin.y;
  // Towards the target in the parent's space, but for its length.
  const double sign = (determinant < 0) == (pose.scale_y[bone] < 0) ? 1 : -1;
  const double x = sign * (d * to_x - c * to_y);
  const double y = sign * (a * to_y - b * to_x);
  const bool possible = !flat && pose.scale_y[bone] != 0 && std::isfinite(x) && std::isfinite(y) && (x != 0 || y != 0);
  return possible ? angle_degrees(-x, y) : pose.rotation_degrees[bone];
}

}  // namespace pchr
