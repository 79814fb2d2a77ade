// SPDX-License-Identifier: MIT
// Sampling, composing and skinning in space.
#include "animation/spatial_pose.hpp"

#include <cassert>

namespace pchr {
namespace {

float line(float from, float to, float factor) { return from + (to - from) * factor; }

SpatialSample value_of(const BetweenFrames& place, std::size_t bone) {
  const SpatialSample& value = place.frame.spatial[bone];
  return place.factor == 0 ? value : between(value, place.next.spatial[bone], place.factor);
}

SpatialSample value_of(const BetweenFrames& from, const BetweenFrames* to, float weight, std::size_t bone) {
  const SpatialSample value = value_of(from, bone);
  return to == nullptr ? value : between(value, value_of(*to, bone), weight);
}

float value_of(const float* FramePointers::* values, const BetweenFrames& place, std::size_t bone) {
  const float value = (place.frame.*values)[bone];
  return place.factor == 0 ? value : line(value, (place.next.*values)[bone], place.factor);
}

}  // namespace

SpatialSample between(const SpatialSample& from, const SpatialSample& to, float factor) noexcept {
  return {turn_towards(from.rotation, to.rotation, factor), line(from.z, to.z, factor),
          line(from.scale_z, to.scale_z, factor)};
}

void mix_spatial(const BetweenFrames& from, const BetweenFrames* to, float weight,
                 std::span<SpatialSample> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = value_of(from, to, weight, i);
}

Affine3 spatial_bone_world(std::span<const Bone> bones, const BetweenFrames& from, const BetweenFrames* to,
                           float weight, std::uint32_t bone) noexcept {
  const auto number = [&](const float* FramePointers::* values, std::size_t i) {
    const float value = value_of(values, from, i);
    return to == nullptr ? value : line(value, value_of(values, *to, i), weight);
  };
  Affine3 world = kIdentity3;
  for (auto i = static_cast<std::int32_t>(bone); i >= 0; i = bones[static_cast<std::size_t>(i)].parent) {
    const auto at = static_cast<std::size_t>(i);
    const SpatialSample depth = value_of(from, to, weight, at);
    const Affine3 local =
        transform_of({number(&FramePointers::x, at), number(&FramePointers::y, at), depth.z}, depth.rotation,
                     {number(&FramePointers::scale_x, at), number(&FramePointers::scale_y, at), depth.scale_z});
    world = concatenate(local, world);
  }
  return world;
}

void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine3> inverse_bind,
             std::span<Affine3> world, std::span<Affine3> palette) noexcept {
  assert(pose.spatial.size() == bones.size() && world.size() == bones.size());
  assert(inverse_bind.size() == bones.size() && palette.size() == bones.size());
  compose(bones, pose, world);
  for (std::size_t i = 0; i < bones.size(); ++i) palette[i] = concatenate(world[i], inverse_bind[i]);
}

void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine3> world) noexcept {
  assert(pose.spatial.size() == bones.size() && world.size() == bones.size());
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const SpatialSample& depth = pose.spatial[i];
    const Affine3 local = transform_of({pose.x[i], pose.y[i], depth.z}, depth.rotation,
                                       {pose.scale_x[i], pose.scale_y[i], depth.scale_z});
    const std::int32_t parent = bones[i].parent;
    world[i] = parent < 0 ? local : concatenate(world[static_cast<std::size_t>(parent)], local);
  }
}

void skin(std::span<const Vertex> vertices, std::span<const SpatialVertex> depths, std::span<const Affine3> palette,
          std::span<Vec3> out) noexcept {
  assert(vertices.size() == depths.size() && vertices.size() == out.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vertex& vertex = vertices[i];
    const Vec3 point{vertex.x, vertex.y, depths[i].z};
    out[i] = Vec3{0.0F};
    for (int slot = 0; slot < 4; ++slot) {
      if (vertex.weights[slot] != 0) out[i] += apply(palette[vertex.bones[slot]], point) * vertex.weights[slot];
    }
  }
}

}  // namespace pchr
