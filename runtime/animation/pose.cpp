// SPDX-License-Identifier: MIT
// Sampling, composing and skinning.
#include <pchr/clock.hpp>

#include "animation/frames.hpp"

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

double seconds_of_frame(const Clip& clip, std::uint32_t frame) noexcept {
  if (clip.frames_per_second <= 0 || frame == 0) return 0;
  if (!clip.frame_ends.empty()) return clip.frame_ends[std::min<std::size_t>(frame, clip.frame_ends.size()) - 1];
  double seconds = frame / clip.frames_per_second;
  while (std::floor(seconds * clip.frames_per_second) < frame) seconds = std::nextafter(seconds, HUGE_VAL);
  return seconds;
}

PoseView view(const Pose& pose) noexcept {
  return {pose.x,       pose.y,       pose.rotation_degrees, pose.scale_x,   pose.scale_y,
          pose.opacity, pose.visible, pose.z_order,          pose.samples_3d};
}

void sample(const Character& character, ClipId clip, ClipTime position, Pose& out) {
  mix(place_of(character, clip, position), nullptr, 0, character.bones().size(), out);
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
  mix({pointers_to(character.bind_pose()), {}, 0}, nullptr, 0, character.bones().size(), out);
}

void blend(const PoseView& to, float weight, Pose& pose) {
  assert(to.x.size() == pose.x.size());
  if (!(weight > 0)) return;
  const BetweenFrames target{pointers_to(to), {}, 0};
  if (weight >= 1) return mix(target, nullptr, 0, to.x.size(), pose);
  pose.opacity.resize(pose.x.size(), 1.0F);
  assert(has_size(pose, to.x.size(), !to.samples_3d.empty()));
  mix({pointers_to(pose, 0), {}, 0}, &target, weight, to.x.size(), pose);
}

void blend(const Character& character, ClipId clip, ClipTime position, float weight, Pose& pose) {
  if (!(weight > 0)) return;
  if (weight >= 1) return sample(character, clip, position, pose);
  const std::size_t bone_count = character.bones().size();
  pose.opacity.resize(bone_count, 1.0F);
  assert(has_size(pose, bone_count, character.is_3d() && bone_count > 0));
  const BetweenFrames target = place_of(character, clip, position);
  mix({pointers_to(pose, 0), {}, 0}, &target, weight, bone_count, pose);
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

}  // namespace pchr
