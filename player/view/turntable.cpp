// SPDX-License-Identifier: MIT
// Rotations towards who looks.

#include "view/turntable.hpp"

#include <pchr/queries.hpp>

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace pchr::player {
namespace {

struct Angles {
  float yaw_degrees, pitch_degrees;
};

constexpr std::array<Angles, 6> kSideAngles{{{0, 0}, {90, 0}, {0, 90}, {180, 0}, {-90, 0}, {0, -90}}};

void include(Box& box, const Box& other) noexcept {
  if (other.empty()) return;
  box.include(other.min);
  box.include(other.max);
}

Box box_around(std::span<const Vec3> points, const Affine3& turn = kIdentity3) noexcept {
  Box box;
  for (const Vec3 point : points) box.include(apply(turn, point));
  return box;
}

/// The points that reach furthest: along the axes, and along directions spread evenly between them.
class Furthest {
 public:
  Furthest() {
    for (int axis = 0; axis < 3; ++axis) {
      for (const float sign : {-1.0F, 1.0F}) {
        Vec3 direction{0.0F};
        direction[axis] = sign;
        found_.push_back({direction});
      }
    }
    // A spiral from pole to pole, turning by the golden angle.
    constexpr int kMore = 90;
    constexpr float kGoldenAngle = 2.39996323F;
    for (int i = 0; i < kMore; ++i) {
      const float y = 1.0F - (2.0F * static_cast<float>(i) + 1.0F) / kMore;
      const float radius = std::sqrt(1.0F - y * y);
      const float angle = kGoldenAngle * static_cast<float>(i);
      found_.push_back({{radius * std::cos(angle), y, radius * std::sin(angle)}});
    }
  }

  void include(const Character& character, const PoseBuffers& posed) {
    for (const DrawItem& item : posed.draw_list) {
      const Mesh& mesh = character.meshes()[item.mesh];
      points_.resize(mesh.vertex_count);
      deform(character.vertices(mesh), character.vertices_3d().subspan(mesh.first_vertex, mesh.vertex_count),
             posed.palette_3d, points_);
      for (const Vec3 point : points_) include(point);
    }
  }

  std::vector<Vec3> take() && {
    std::vector<Vec3> points;
    for (const Direction& direction : found_) {
      if (direction.reach > kNowhere) points.push_back(direction.point);
    }
    return points;
  }

 private:
  static constexpr float kNowhere = std::numeric_limits<float>::lowest();
  struct Direction {
    Vec3 along;
    float reach = kNowhere;
    Vec3 point{0.0F};
  };

  void include(Vec3 point) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z)) return;
    for (Direction& direction : found_) {
      const float reach = glm::dot(direction.along, point);
      if (reach > direction.reach) {
        direction.reach = reach;
        direction.point = point;
      }
    }
  }

  std::vector<Direction> found_;
  std::vector<Vec3> points_;
};

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
  const Angles& angles = kSideAngles[static_cast<std::size_t>(side)];
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

void turn(const Affine3& by, PoseBuffers& posed) noexcept {
  for (Affine3& bone : posed.world_3d) bone = concatenate(by, bone);
  for (Affine3& bone : posed.palette_3d) bone = concatenate(by, bone);
  std::ranges::transform(posed.world_3d, posed.world.begin(), front_view);
  std::ranges::transform(posed.palette_3d, posed.palette.begin(), front_view);
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

Extent clip_extent(const Character& character, ClipId clip) {
  const Rect front = compute_clip_bounds(character, clip);
  if (!character.is_3d()) return {deep(front, {}), {}};
  constexpr std::uint32_t kMaxFrames = 16;
  const std::uint32_t frames = character.clips()[clip].frame_count;
  const std::uint32_t step = frames / kMaxFrames + 1;
  Furthest furthest;
  PoseBuffers posed;
  for (std::uint32_t frame = 0; frame < frames; frame += step) {
    pose_clip(character, clip, {frame, frame, 0}, posed);
    furthest.include(character, posed);
  }
  std::vector<Vec3> corners = std::move(furthest).take();
  return {deep(front, box_around(corners)), std::move(corners)};
}

Extent character_extent(const Character& character) {
  Extent all;
  for (const ClipId clip : character.clips().ids()) {
    const Extent extent = clip_extent(character, clip);
    include(all.box, extent.box);
    all.corners.insert(all.corners.end(), extent.corners.begin(), extent.corners.end());
  }
  if (!all.box.empty()) return all;
  PoseBuffers posed;
  pose_bind(character, posed);
  Furthest furthest;
  if (character.is_3d()) furthest.include(character, posed);
  std::vector<Vec3> corners = std::move(furthest).take();
  return {deep(bounds(character, posed), box_around(corners)), std::move(corners)};
}

Rect seen_bounds(const Affine3& turn, const Extent& extent) noexcept {
  const bool turned = !extent.corners.empty() && turn != kIdentity3;
  const Box seen = turned ? box_around(extent.corners, turn) : extent.box;
  return seen.empty() ? Rect{} : Rect{{seen.min.x, seen.min.y}, {seen.max.x, seen.max.y}};
}

Vec3 pivot_of(const Character& character) {
  if (!character.is_3d()) return Vec3{0.0F};
  PoseBuffers posed;
  pose_bind(character, posed);
  return box_of(character, posed).center();
}

}  // namespace pchr::player
