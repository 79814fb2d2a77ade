// SPDX-License-Identifier: MIT
#include "document/turntable.hpp"

#include <pchr/queries.hpp>

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

/// Yaw and pitch in degrees, indexed by Side.
constexpr Vec2 kSideAngles[] = {{0, 0}, {90, 0}, {0, 90}, {180, 0}, {-90, 0}, {0, -90}};

Box box_around(std::span<const Vec3> points, const Affine3& rotation = kIdentity3) noexcept {
  Box box;
  for (const Vec3 point : points) box.include(apply(rotation, point));
  return box;
}

/// Returns `rect` with the depth of `depth`.
Box deep(const Rect& rect, const Box& depth) noexcept {
  Box box;
  if (rect.empty()) return box;
  box.include({rect.min, depth.empty() ? 0.0F : depth.min.z});
  box.include({rect.max, depth.empty() ? 0.0F : depth.max.z});
  return box;
}

struct Furthest {
  Vec3 direction;
  float reach = std::numeric_limits<float>::lowest();
  Vec3 point{0.0F};  ///< The furthest point in `direction` so far.
};

/// Returns directions along the axes and others spread evenly between them.
std::vector<Furthest> spread_directions() {
  std::vector<Furthest> found;
  for (const float sign : {-1.0F, 1.0F}) {
    for (int axis = 0; axis < 3; ++axis) found.emplace_back().direction[axis] = sign;
  }
  // A spiral from pole to pole that advances by the golden angle.
  constexpr int kMore = 90;
  constexpr float kGoldenAngle = 2.39996323F;
  for (int i = 0; i < kMore; ++i) {
    const float y = 1.0F - (2.0F * static_cast<float>(i) + 1.0F) / kMore;
    const float radius = std::sqrt(1.0F - y * y);
    const float angle = kGoldenAngle * static_cast<float>(i);
    found.push_back({{radius * std::cos(angle), y, radius * std::sin(angle)}});
  }
  return found;
}

void include(std::vector<Furthest>& furthest, Vec3 point) {
  if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z)) return;
  for (Furthest& found : furthest) {
    const float reach = glm::dot(found.direction, point);
    if (reach > found.reach) found = {found.direction, reach, point};
  }
}

void include(std::vector<Furthest>& furthest, const Character& character, const PoseBuffers& posed) {
  std::vector<Vec3> points;
  for (const DrawItem& item : posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    points.resize(mesh.vertex_count);
    deform(character.vertices(mesh), character.vertices_3d().subspan(mesh.first_vertex, mesh.vertex_count),
           posed.palette_3d, points);
    for (const Vec3 point : points) include(furthest, point);
  }
}

/// Returns the extent of a 3D character with the bounds `front` from the front.
Extent extent_of(const Rect& front, const std::vector<Furthest>& furthest) {
  Extent extent;
  for (const Furthest& found : furthest) {
    if (found.reach > std::numeric_limits<float>::lowest()) extent.corners.push_back(found.point);
  }
  extent.box = deep(front, box_around(extent.corners));
  return extent;
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

Turntable viewed_from(Turntable turntable, Side side) noexcept {
  const Vec2 angles = kSideAngles[static_cast<std::size_t>(side)];
  turntable.yaw_degrees = angles.x;
  turntable.pitch_degrees = angles.y;
  return turntable;
}

bool is_viewed_from(const Turntable& turntable, Side side) noexcept {
  return viewed_from(turntable, side) == turntable;
}

Affine3 upright(const Turntable& turntable) noexcept {
  constexpr std::array<float, 4> kSines{0, 1, 0, -1};
  const float sine = kSines[turntable.quarter_turns % 4];
  const float cosine = kSines[(turntable.quarter_turns + 1) % 4];
  const Affine3 around{cosine, 0, -sine, 0, 1, 0, sine, 0, cosine, 0, 0, 0};
  // Readers convert to y up with the file's z up and its -y towards the viewer.
  constexpr Affine3 kYUp{1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0};
  return turntable.up == UpAxis::y ? concatenate(around, kYUp) : around;
}

Affine3 rotated(const Turntable& turntable, Vec3 pivot) noexcept {
  const OrbitCamera camera{.yaw_degrees = turntable.yaw_degrees, .pitch_degrees = turntable.pitch_degrees};
  const glm::mat3 to_view = scene_view(camera).world_to_view;
  Affine3 rotation{to_view[0], to_view[1], to_view[2], Vec3{0.0F}};
  rotation[3] = pivot - apply_to_direction(rotation, pivot);
  return rotation;
}

Affine3 rotation_of(const Turntable& turntable, Vec3 pivot) noexcept {
  const Affine3 stand = upright(turntable);
  return concatenate(rotated(turntable, apply(stand, pivot)), stand);
}

void pose_clip_or_bind(const Character& character, ClipId clip, ClipTime time, PoseBuffers& out) {
  clip != ClipId::none ? pose_clip(character, clip, time, out) : pose_bind(character, out);
}

void rotate(const Affine3& by, PoseBuffers& posed) noexcept {
  for (Affine3& bone : posed.world_3d) bone = concatenate(by, bone);
  for (Affine3& bone : posed.palette_3d) bone = concatenate(by, bone);
  std::ranges::transform(posed.world_3d, posed.world.begin(), front_view);
  std::ranges::transform(posed.palette_3d, posed.palette.begin(), front_view);
}

Box rotated_box(const Affine3& by, const Box& box) noexcept {
  Box result;
  if (box.empty()) return result;
  for (unsigned corner = 0; corner < 8; ++corner) {
    result.include(apply(by, {(corner & 1U) != 0 ? box.max.x : box.min.x, (corner & 2U) != 0 ? box.max.y : box.min.y,
                              (corner & 4U) != 0 ? box.max.z : box.min.z}));
  }
  return result;
}

Extent clip_extent(const Character& character, ClipId clip) {
  const Rect front = compute_clip_bounds(character, clip, thread_executor());
  if (!character.is_3d()) return {deep(front, {}), {}};
  constexpr std::uint32_t kMaxFrames = 16;
  const std::uint32_t frames = character.clips()[clip].frame_count;
  const std::uint32_t step = frames / kMaxFrames + 1;
  std::vector<Furthest> furthest = spread_directions();
  PoseBuffers posed;
  for (std::uint32_t frame = 0; frame < frames; frame += step) {
    pose_clip(character, clip, {frame, frame, 0}, posed);
    include(furthest, character, posed);
  }
  return extent_of(front, furthest);
}

Extent character_extent(const Character& character) {
  Extent all;
  for (const ClipId clip : character.clips().ids()) {
    const Extent extent = clip_extent(character, clip);
    if (!extent.box.empty()) {
      all.box.include(extent.box.min);
      all.box.include(extent.box.max);
    }
    all.corners.insert(all.corners.end(), extent.corners.begin(), extent.corners.end());
  }
  if (!all.box.empty()) return all;
  PoseBuffers posed;
  pose_bind(character, posed);
  std::vector<Furthest> furthest = spread_directions();
  if (character.is_3d()) include(furthest, character, posed);
  return extent_of(bounds(character, posed), furthest);
}

Rect seen_bounds(const Affine3& rotation, const Extent& extent) noexcept {
  const bool is_rotated = !extent.corners.empty() && rotation != kIdentity3;
  const Box seen = is_rotated ? box_around(extent.corners, rotation) : extent.box;
  return seen.empty() ? Rect{} : Rect{{seen.min.x, seen.min.y}, {seen.max.x, seen.max.y}};
}

Vec3 pivot_of(const Character& character) {
  if (!character.is_3d()) return Vec3{0.0F};
  PoseBuffers posed;
  pose_bind(character, posed);
  return box_of(character, posed).center();
}

}  // namespace pchr::player
