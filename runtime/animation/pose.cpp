// SPDX-License-Identifier: MIT
// Sampling, mixing, composing and skinning, in 2D and 3D.
#include "animation/frames.hpp"
#include "character/sine_cosine.hpp"

#include <pchr/3d.hpp>
#include <pchr/clock.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace pchr {
namespace {

bool has_size(const Pose& pose, std::size_t count, bool is_3d) {
  return pose.samples_3d.size() == (is_3d ? count : 0) && pose.x.size() == count && pose.y.size() == count &&
         pose.rotation_degrees.size() == count && pose.scale_x.size() == count && pose.scale_y.size() == count &&
         pose.opacity.size() == count && pose.visible.size() == count && pose.z_order.size() == count;
}

void mix(const BetweenFrames& from, const BetweenFrames* to, float weight, std::size_t bone_count, Pose& out) {
  const bool is_3d = from.frame.samples_3d != nullptr;
  if (!has_size(out, bone_count, is_3d)) {
    out.resize(bone_count);
    out.samples_3d.resize(is_3d ? bone_count : 0);
  }
  kernels().mix(from, to, weight, pointers_into(out), bone_count);
  if (is_3d) mix_3d(from, to, weight, out.samples_3d);
}

// From here on, every double is a whole number.
constexpr double kAllWhole = 0x1p52;

// A separate function, so the common path need not save registers.
PCHR_NOINLINE double wrapped_whole(double frames, std::uint32_t count) {
  return std::isfinite(frames) ? std::fmod(frames, count) : 0.0;
}

// For clips with uneven frame durations or a loop start.
PCHR_NOINLINE ClipTime position_by_clock(const Clip& clip, double seconds, Sampling sampling) noexcept {
  Clock clock(clip);
  clock.advance(seconds);
  return clock.position(sampling);
}

}  // namespace

ClipTime clip_time(const Clip& clip, double seconds, Sampling sampling) noexcept {
  assert(std::isfinite(seconds));
  const std::uint32_t count = clip.frame_count;
  if (count == 0 || clip.frames_per_second <= 0) return {};
  if (!clip.frame_ends.empty() || clip.loop_start > 0) [[unlikely]] {
    return position_by_clock(clip, seconds, sampling);
  }
  double frames = seconds * clip.frames_per_second;
  if (!clip.looping) frames = std::clamp(frames, 0.0, count - 1.0);
  if (!(std::abs(frames) < kAllWhole)) [[unlikely]] {
    frames = wrapped_whole(frames, count);
  }

  auto whole = static_cast<std::int64_t>(frames);
  if (static_cast<double>(whole) > frames) --whole;  // Round toward negative infinity.
  std::uint32_t frame = 0;
  if (whole >= 0 && whole <= 0xFFFFFFFF) [[likely]] {
    frame = static_cast<std::uint32_t>(whole) % count;
  } else {
    const std::int64_t wrapped = whole % count;
    frame = static_cast<std::uint32_t>(wrapped < 0 ? wrapped + count : wrapped);
  }
  std::uint32_t next = frame;
  float factor = 0;
  if (sampling == Sampling::smooth) {
    // A double just below 1 can round up to 1 as a float.
    constexpr float kJustBelowOne = 0x1.fffffep-1F;
    factor = std::min(static_cast<float>(frames - static_cast<double>(whole)), kJustBelowOne);
    if (factor > 0) next = frame + 1 < count ? frame + 1 : 0;
  }
  // Written with one store: the caller loads both with one, and two stores would stall it.
  constexpr bool kLowFirst = std::endian::native == std::endian::little;
  const std::uint64_t both = std::uint64_t{kLowFirst ? next : frame} << 32 | (kLowFirst ? frame : next);
  ClipTime position{0, 0, factor};
  static_assert(offsetof(ClipTime, next) == 4);
  std::memcpy(static_cast<void*>(&position), &both, sizeof(both));
  return position;
}

PoseView view(const Pose& pose) noexcept {
  return {pose.x,       pose.y,       pose.rotation_degrees, pose.scale_x,   pose.scale_y,
          pose.opacity, pose.visible, pose.z_order,          pose.samples_3d};
}

void sample(const Character& character, ClipId clip, ClipTime position, Pose& out) {
  sample(place_of(character, clip, position), character.bones().size(), out);
}

void sample(const Character& character, const PoseRequest& request, Pose& out) {
  if (!(request.fade_weight > 0)) return sample(character, request.clip, request.position, out);
  if (request.fade_weight >= 1) return sample(character, request.fade_clip, request.fade_position, out);
  const BetweenFrames to = place_of(character, request.fade_clip, request.fade_position);
  mix(place_of(character, request.clip, request.position), &to, request.fade_weight, character.bones().size(), out);
}

PoseView frame_pose(const Character& character, ClipId clip, std::uint32_t frame) noexcept {
  const Clip& frames = character.clips()[clip];
  if (frames.frame_count == 0) return character.bind_pose();
  return frames.samples.frame(std::min(frame, frames.frame_count - 1), character.bones().size());
}

void sample_bind_pose(const Character& character, Pose& out) {
  sample({pointers_to(character.bind_pose()), {}, 0}, character.bones().size(), out);
}

void blend(const PoseView& to, float weight, Pose& pose) { blend(to, weight, {}, pose); }

void blend(const Character& character, ClipId clip, ClipTime position, float weight, Pose& pose) {
  if (!(weight > 0)) return;
  if (weight >= 1) return sample(character, clip, position, pose);
  assert(pose.x.size() == character.bones().size());
  overlay({place_of(character, clip, position), weight}, pose);
}

void deform(std::span<const Vertex> vertices, std::span<const Affine> palette, std::span<Vec2> out) noexcept {
  assert(vertices.size() == out.size());
  kernels().skin(vertices.data(), vertices.size(), palette.data(), palette.size(), out.data());
}

void update(const Character& character, PoseBuffers& out) {
  const std::span<const Bone> bones = character.bones();
  const PoseView pose = view(out.pose);
  out.world.resize(bones.size());
  out.palette.resize(bones.size());
  if (character.is_3d()) {
    out.world_3d.resize(bones.size());
    out.palette_3d.resize(bones.size());
    compose(bones, pose, character.inverse_bind_3d(), out.world_3d, out.palette_3d);
    std::ranges::transform(out.world_3d, out.world.begin(), front_view);
    std::ranges::transform(out.palette_3d, out.palette.begin(), front_view);
  } else {
    compose(bones, pose, character.inverse_bind(), out.world, out.palette);
  }
  build_draw_list(character, pose, out.draw_list);
}

void pose_clip(const Character& character, ClipId clip, double seconds, Sampling sampling, PoseBuffers& out) {
  pose_clip(character, clip, clip_time(character.clips()[clip], seconds, sampling), out);
}

void pose_clip(const Character& character, ClipId clip, ClipTime position, PoseBuffers& out) {
  sample(character, clip, position, out.pose);
  update(character, out);
}

void pose_bind(const Character& character, PoseBuffers& out) {
  sample_bind_pose(character, out.pose);
  update(character, out);
}

void pose_many(const Character& character, std::span<const PoseRequest> requests, std::span<PoseBuffers> out) {
  assert(requests.size() == out.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    sample(character, requests[i], out[i].pose);
    update(character, out[i]);
  }
}

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
  assert(to.x.size() == pose.x.size());
  const BetweenFrames place{pointers_to(to), {}, 0};
  if (weight >= 1 && mask.empty()) return sample(place, to.x.size(), pose);
  assert(mask.empty() || mask.size() == pose.x.size());
  if (weight > 0) overlay({place, weight, nullptr, mask.empty() ? nullptr : mask.data()}, pose);
}

void blend_additive(const PoseView& layer, const PoseView& reference, float weight, const BoneMask& mask, Pose& pose) {
  assert(layer.x.size() == pose.x.size() && reference.x.size() == pose.x.size());
  assert(mask.empty() || mask.size() == pose.x.size());
  if (!(weight > 0)) return;
  const FramePointers from = pointers_to(reference);
  const std::uint8_t* const bones = mask.empty() ? nullptr : mask.data();
  overlay({{pointers_to(layer), {}, 0}, std::min(weight, 1.0F), nullptr, bones, &from}, pose);
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

/// Returns `value` plus the difference between `layer` and `reference`, scaled by `weight`.
BoneSample3D added(const BoneSample3D& value, const BoneSample3D& layer, const BoneSample3D& reference, float weight) {
  const Quat change = concatenate(conjugate(reference.rotation), layer.rotation);
  return {normalized(concatenate(value.rotation, turn_towards({}, change, weight))),
          value.z + (layer.z - reference.z) * weight, value.scale_z + (layer.scale_z - reference.scale_z) * weight};
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

FramePointers frame_of(const Character& character, ClipId id, std::uint32_t frame) noexcept {
  const Clip& clip = character.clips()[id];
  if (clip.frame_count == 0) return pointers_to(character.bind_pose());
  return pointers_to(clip.samples, std::size_t{std::min(frame, clip.frame_count - 1)} * character.bones().size());
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

void sample(const BetweenFrames& place, std::size_t bone_count, Pose& out) { mix(place, nullptr, 0, bone_count, out); }

void overlay(const Overlay& overlay, Pose& pose) {
  const std::size_t bone_count = pose.x.size();
  pose.opacity.resize(bone_count, 1.0F);
  assert(has_size(pose, bone_count, !pose.samples_3d.empty()));
  if (overlay.weight < 1 && overlay.turns == nullptr && overlay.mask == nullptr && overlay.reference == nullptr) {
    kernels().mix({pointers_to(pose, 0), {}, 0}, &overlay.to, overlay.weight, pointers_into(pose), bone_count);
  } else {
    kernels().overlay(overlay, pointers_into(pose), bone_count);
  }
  for (std::size_t i = 0; i < pose.samples_3d.size(); ++i) {
    if (overlay.mask != nullptr && overlay.mask[i] == 0) continue;
    BoneSample3D& value = pose.samples_3d[i];
    const BoneSample3D to = value_of(overlay.to, i);
    if (overlay.reference != nullptr) {
      value = added(value, to, overlay.reference->samples_3d[i], overlay.weight);
    } else {
      value = overlay.weight < 1 ? between(value, to, overlay.weight) : to;
    }
  }
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
