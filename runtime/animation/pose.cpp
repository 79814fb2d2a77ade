// SPDX-License-Identifier: MIT
// Sampling, composing and skinning.
#include <pchr/pose.hpp>

#include "animation/sine_cosine.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pchr {
namespace {

void copy(const PoseView& from, Pose& to) {
  const auto assign = [](const auto& source, auto& target) { target.assign(source.begin(), source.end()); };
  assign(from.x, to.x);
  assign(from.y, to.y);
  assign(from.rotation_degrees, to.rotation_degrees);
  assign(from.scale_x, to.scale_x);
  assign(from.scale_y, to.scale_y);
  assign(from.visible, to.visible);
  assign(from.z_order, to.z_order);
  if (from.opacity.empty()) {
    to.opacity.assign(from.x.size(), 1.0F);
  } else {
    assign(from.opacity, to.opacity);
  }
}

void move_towards(std::span<const float> target, float factor, std::span<float> values) {
  for (std::size_t i = 0; i < target.size(); ++i) values[i] += (target[i] - values[i]) * factor;
}

void turn_towards(std::span<const float> target, float factor, std::span<float> degrees) {
  for (std::size_t i = 0; i < target.size(); ++i) {
    const float difference = target[i] - degrees[i];
    const float shortest = difference - 360.0F * std::ceil(difference / 360.0F - 0.5F);
    degrees[i] += shortest * factor;
  }
}

}  // namespace

FramePosition frame_position(const Clip& clip, double seconds, Sampling sampling) noexcept {
  assert(std::isfinite(seconds));
  const double count = clip.frame_count;
  if (count == 0 || clip.frames_per_second <= 0) return {};
  double frames = seconds * clip.frames_per_second;
  if (!clip.looping) {
    frames = std::clamp(frames, 0.0, count - 1);
  } else {
    // Splitting before wrapping keeps floor(seconds * rate) exact for whole frames.
    const double whole = std::floor(frames);
    double wrapped = std::fmod(whole, count);
    if (wrapped < 0) wrapped += count;
    frames = std::isfinite(frames) ? wrapped + (frames - whole) : 0.0;
  }
  const double whole = std::floor(frames);
  const auto frame = static_cast<std::uint32_t>(whole);
  const auto factor = static_cast<float>(frames - whole);
  if (sampling == Sampling::step || !(factor > 0)) return {frame, frame, 0};
  const std::uint32_t next = frame + 1 < clip.frame_count ? frame + 1 : 0;
  // A double just below 1 rounds up to a whole float.
  return {frame, next, std::min(factor, std::nextafter(1.0F, 0.0F))};
}

double seconds_of_frame(const Clip& clip, std::uint32_t frame) noexcept {
  if (clip.frames_per_second <= 0) return 0;
  double seconds = frame / clip.frames_per_second;
  while (std::floor(seconds * clip.frames_per_second) < frame) seconds = std::nextafter(seconds, HUGE_VAL);
  return seconds;
}

void sample(const Character& character, std::uint32_t clip_index, FramePosition position, Pose& out) {
  assert(clip_index < character.clips().size());
  const Clip& clip = character.clips()[clip_index];
  const std::size_t bone_count = character.bones().size();
  if (clip.frame_count == 0) return sample_bind_pose(character, out);
  assert(position.frame < clip.frame_count && position.next < clip.frame_count);
  copy(clip.samples.frame(position.frame, bone_count), out);
  if (position.factor == 0) return;
  const PoseView next = clip.samples.frame(position.next, bone_count);
  move_towards(next.x, position.factor, out.x);
  move_towards(next.y, position.factor, out.y);
  turn_towards(next.rotation_degrees, position.factor, out.rotation_degrees);
  move_towards(next.scale_x, position.factor, out.scale_x);
  move_towards(next.scale_y, position.factor, out.scale_y);
  move_towards(next.opacity, position.factor, out.opacity);
}

void sample_bind_pose(const Character& character, Pose& out) { copy(character.bind_pose(), out); }

void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept {
  assert(pose.x.size() == bones.size() && world.size() == bones.size());
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const SineCosine turn = sine_cosine_degrees(pose.rotation_degrees[i]);
    const Affine local{turn.cosine * pose.scale_x[i],
                       turn.sine * pose.scale_x[i],
                       -turn.sine * pose.scale_y[i],
                       turn.cosine * pose.scale_y[i],
                       pose.x[i],
                       pose.y[i]};
    const std::int32_t parent = bones[i].parent;
    world[i] = parent < 0 ? local : concatenate(world[static_cast<std::size_t>(parent)], local);
  }
}

void build_palette(std::span<const Affine> world, std::span<const Affine> inverse_bind,
                   std::span<Affine> palette) noexcept {
  assert(world.size() == inverse_bind.size() && world.size() == palette.size());
  for (std::size_t i = 0; i < world.size(); ++i) palette[i] = concatenate(world[i], inverse_bind[i]);
}

void skin(std::span<const Vertex> vertices, std::span<const Affine> palette, std::span<Vec2> out) noexcept {
  assert(vertices.size() == out.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vertex& vertex = vertices[i];
    Vec2 sum{0.0F};
    for (int slot = 0; slot < 4; ++slot) {
      if (vertex.weights[slot] == 0) continue;
      sum += apply(palette[vertex.bones[slot]], {vertex.x, vertex.y}) * vertex.weights[slot];
    }
    out[i] = sum;
  }
}

void update(const Character& character, PosedCharacter& out) {
  const std::size_t bone_count = character.bones().size();
  const PoseView pose = out.pose.frame(0, bone_count);
  out.world.resize(bone_count);
  out.palette.resize(bone_count);
  compose(character.bones(), pose, out.world);
  build_palette(out.world, character.inverse_bind(), out.palette);
  build_draw_list(character, pose, out.draw_list);
}

void pose_clip(const Character& character, std::uint32_t clip, FramePosition position, PosedCharacter& out) {
  sample(character, clip, position, out.pose);
  update(character, out);
}

void pose_bind(const Character& character, PosedCharacter& out) {
  sample_bind_pose(character, out.pose);
  update(character, out);
}

Rect bounds(const Character& character, const PosedCharacter& posed) {
  Rect result;
  std::vector<Vec2> points;
  for (const DrawItem& item : posed.draw_list) {
    const auto vertices = character.vertices(character.meshes()[item.mesh]);
    points.resize(vertices.size());
    skin(vertices, posed.palette, points);
    for (const Vec2 point : points) {
      if (std::isfinite(point.x) && std::isfinite(point.y)) result.include(point);
    }
  }
  return result;
}

Rect clip_bounds(const Character& character, std::uint32_t clip) {
  Rect result;
  PosedCharacter posed;
  // Without bones all frames are alike, and a file may claim any number of them at no cost.
  const std::uint32_t most = character.bones().empty() ? 1 : 0xFFFFFFFF;
  for (std::uint32_t frame = 0; frame < std::min(character.clips()[clip].frame_count, most); ++frame) {
    pose_clip(character, clip, {frame, frame, 0}, posed);
    result.include(bounds(character, posed));
  }
  return result;
}

Rect character_bounds(const Character& character) {
  Rect result;
  for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) result.include(clip_bounds(character, clip));
  if (!result.empty()) return result;
  PosedCharacter posed;
  pose_bind(character, posed);
  return bounds(character, posed);
}

}  // namespace pchr
