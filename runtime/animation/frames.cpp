// SPDX-License-Identifier: MIT
// Frames of bone values; sampling, composing and skinning in 3D.
#include "animation/frames.hpp"

#include <cassert>

namespace pchr {
namespace {

float line(float from, float to, float factor) { return from + (to - from) * factor; }

BoneSample3D value_of(const BetweenFrames& place, std::size_t bone) {
  const BoneSample3D& value = place.frame.samples_3d[bone];
  return place.factor == 0 ? value : between(value, place.next.samples_3d[bone], place.factor);
}

BoneSample3D value_of(const BetweenFrames& from, const BetweenFrames* to, float weight, std::size_t bone) {
  const BoneSample3D value = value_of(from, bone);
  return to == nullptr ? value : between(value, value_of(*to, bone), weight);
}

float value_of(const float* FramePointers::* values, const BetweenFrames& place, std::size_t bone) {
  const float value = (place.frame.*values)[bone];
  return place.factor == 0 ? value : line(value, (place.next.*values)[bone], place.factor);
}

}  // namespace

FramePointers pointers_to(const BoneSamples& samples, std::size_t first) noexcept {
  return {samples.x.data() + first,
          samples.y.data() + first,
          samples.rotation_degrees.data() + first,
          samples.scale_x.data() + first,
          samples.scale_y.data() + first,
          samples.opacity.empty() ? nullptr : samples.opacity.data() + first,
          samples.visible.data() + first,
          samples.z_order.data() + first,
          samples.samples_3d.empty() ? nullptr : samples.samples_3d.data() + first};
}

PosePointers pointers_into(BoneSamples& samples, std::size_t first) noexcept {
  return {samples.x.data() + first,       samples.y.data() + first,       samples.rotation_degrees.data() + first,
          samples.scale_x.data() + first, samples.scale_y.data() + first, samples.opacity.data() + first,
          samples.visible.data() + first, samples.z_order.data() + first};
}

BetweenFrames place_of(const Character& character, ClipId id, ClipTime position) noexcept {
  const Clip& clip = character.clips()[id];
  const bool plays = clip.frame_count != 0;
  assert(!plays || (position.frame < clip.frame_count && position.next < clip.frame_count));
  const auto pointers_at = [&](std::uint32_t frame) {
    return pointers_to(clip.samples, std::size_t{std::min(frame, clip.frame_count - 1)} * character.bones().size());
  };
  // Everything is built in the result. A copy would read pointers two at a time that were just written one by one, and
  // wait for them to reach the cache.
  return {plays ? pointers_at(position.frame) : pointers_to(character.bind_pose()),
          plays && position.factor != 0 ? pointers_at(position.next) : FramePointers{}, plays ? position.factor : 0};
}

void sample(const Character& character, const PoseRequest& request, const PosePointers& out) noexcept {
  const float weight = request.fade_weight;
  const BetweenFrames from = weight >= 1 ? place_of(character, request.fade_clip, request.fade_position)
                                         : place_of(character, request.clip, request.position);
  const std::size_t bones = character.bones().size();
  if (!(weight > 0) || weight >= 1) return kernels().mix(from, nullptr, 0, out, bones);
  const BetweenFrames to = place_of(character, request.fade_clip, request.fade_position);
  kernels().mix(from, &to, weight, out, bones);
}

BoneSample3D between(const BoneSample3D& from, const BoneSample3D& to, float factor) noexcept {
  return {turn_towards(from.rotation, to.rotation, factor), line(from.z, to.z, factor),
          line(from.scale_z, to.scale_z, factor)};
}

void mix_3d(const BetweenFrames& from, const BetweenFrames* to, float weight, std::span<BoneSample3D> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = value_of(from, to, weight, i);
}

Affine3 bone_world_3d(std::span<const Bone> bones, const BetweenFrames& from, const BetweenFrames* to, float weight,
                      BoneId bone) noexcept {
  const auto number = [&](const float* FramePointers::* values, std::size_t i) {
    const float value = value_of(values, from, i);
    return to == nullptr ? value : line(value, value_of(values, *to, i), weight);
  };
  Affine3 world = kIdentity3;
  for (; bone != BoneId::none; bone = bones[index(bone)].parent) {
    const std::size_t at = index(bone);
    const BoneSample3D depth = value_of(from, to, weight, at);
    const Affine3 local =
        transform_of({number(&FramePointers::x, at), number(&FramePointers::y, at), depth.z}, depth.rotation,
                     {number(&FramePointers::scale_x, at), number(&FramePointers::scale_y, at), depth.scale_z});
    world = concatenate(local, world);
  }
  return world;
}

void deform(std::span<const Vertex> vertices, std::span<const Vertex3D> depths, std::span<const Affine3> palette,
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
