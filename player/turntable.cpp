// SPDX-License-Identifier: MIT
// Rotations towards who looks.
#include "turntable.hpp"

#include <pchr/bounds.hpp>
#include <pchr/orbit_camera.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace pchr::player {
namespace {

struct Angles {
  float yaw_degrees, pitch_degrees;
};

constexpr std::array<Angles, 6> kSides{{{0, 0}, {90, 0}, {0, 90}, {180, 0}, {-90, 0}, {0, -90}}};

void include(Box& box, const Box& other) noexcept {
  if (other.empty()) return;
  box.include(other.min);
  box.include(other.max);
}

/// `rect` with the depth of `depth`.
Box deep(const Rect& rect, const Box& depth) noexcept {
  Box box;
  if (rect.empty()) return box;
  box.include({rect.min, depth.empty() ? 0.0F : depth.min.z});
  box.include({rect.max, depth.empty() ? 0.0F : depth.max.z});
  return box;
}

}  // namespace

Turntable limited(Turntable turntable) noexcept {
  if (!std::isfinite(turntable.yaw_degrees)) turntable.yaw_degrees = 0;
  if (!std::isfinite(turntable.pitch_degrees)) turntable.pitch_degrees = 0;
  turntable.yaw_degrees -= std::ceil((turntable.yaw_degrees - 180.0F) / 360.0F) * 360.0F;
  turntable.pitch_degrees = std::clamp(turntable.pitch_degrees, -90.0F, 90.0F);
  turntable.quarter_turns %= 4;
  return turntable;
}

Turntable seen_from(Turntable turntable, Side side) noexcept {
  const Angles& angles = kSides[static_cast<std::size_t>(side)];
  turntable.yaw_degrees = angles.yaw_degrees;
  turntable.pitch_degrees = angles.pitch_degrees;
  return turntable;
}

bool is_seen_from(const Turntable& turntable, Side side) noexcept { return seen_from(turntable, side) == turntable; }

Affine3 upright(const Turntable& turntable) noexcept {
  constexpr std::array<float, 4> kSines{0, 1, 0, -1};
  const float sine = kSines[turntable.quarter_turns % 4];
  const float cosine = kSines[(turntable.quarter_turns + 1) % 4];
  const Affine3 around{cosine, 0, -sine, 0, 1, 0, sine, 0, cosine, 0, 0, 0};
  // What is read has its file's z up and -y towards who looks.
  constexpr Affine3 kYUp{1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0};
  return turntable.up == UpAxis::y ? concatenate(around, kYUp) : around;
}

Affine3 turned(const Turntable& turntable, Vec3 pivot) noexcept {
  const OrbitCamera camera{.yaw_degrees = turntable.yaw_degrees, .pitch_degrees = turntable.pitch_degrees};
  const glm::mat3 to_view = scene_view(camera).world_to_view;
  Affine3 turn{to_view[0], to_view[1], to_view[2], Vec3{0.0F}};
  turn[3] = pivot - apply_to_direction(turn, pivot);
  return turn;
}

Affine3 turn_of(const Turntable& turntable, Vec3 pivot) noexcept {
  const Affine3 stand = upright(turntable);
  return concatenate(turned(turntable, apply(stand, pivot)), stand);
}

void turn(const Affine3& by, PosedCharacter& posed) noexcept {
  for (Affine3& bone : posed.spatial_world) bone = concatenate(by, bone);
  for (Affine3& bone : posed.spatial_palette) bone = concatenate(by, bone);
  std::ranges::transform(posed.spatial_world, posed.world.begin(), front_view);
  std::ranges::transform(posed.spatial_palette, posed.palette.begin(), front_view);
}

Box turned_box(const Affine3& by, const Box& box) noexcept {
  Box result;
  if (box.empty()) return result;
  for (unsigned corner = 0; corner < 8; ++corner) {
    result.include(apply(by, {(corner & 1U) != 0 ? box.max.x : box.min.x, (corner & 2U) != 0 ? box.max.y : box.min.y,
                              (corner & 4U) != 0 ? box.max.z : box.min.z}));
  }
  return result;
}

Rect front_of(const Box& box) noexcept {
  if (box.empty()) return {};
  return {{box.min.x, box.min.y}, {box.max.x, box.max.y}};
}

Box clip_box(const Character& character, std::uint32_t clip) {
  const Rect front = clip_bounds(character, clip);
  Box depth;
  if (!character.is_spatial()) return deep(front, depth);
  constexpr std::uint32_t kMostFrames = 32;
  const std::uint32_t frames = character.clips()[clip].frame_count;
  const std::uint32_t step = frames / kMostFrames + 1;
  PosedCharacter posed;
  for (std::uint32_t frame = 0; frame < frames; frame += step) {
    pose_clip(character, clip, {frame, frame, 0}, posed);
    include(depth, box_of(character, posed));
  }
  return deep(front, depth);
}

Box character_box(const Character& character) {
  Box box;
  for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) include(box, clip_box(character, clip));
  if (!box.empty()) return box;
  Box depth;
  PosedCharacter posed;
  pose_bind(character, posed);
  if (character.is_spatial()) depth = box_of(character, posed);
  return deep(bounds(character, posed), depth);
}

Vec3 pivot_of(const Character& character) {
  if (!character.is_spatial()) return Vec3{0.0F};
  PosedCharacter posed;
  pose_bind(character, posed);
  return box_of(character, posed).centre();
}

}  // namespace pchr::player
