// SPDX-License-Identifier: MIT
// What 3D characters have beside 2D ones: vectors, rotations, transforms, and the camera that goes around them.
// Right-handed, x right, y up, and z towards the viewer in front.
//
//   pchr::OrbitCamera orbit{.yaw_degrees = 30, .pitch_degrees = 15, .viewport = {800, 600}};
//   orbit = pchr::fit(orbit, pchr::box_of(hero, posed));
//   renderer.draw_scene(model, posed, pchr::scene_view(orbit));
#pragma once

#include <pchr/geometry.hpp>

#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace PCHR_API pchr {

class Character;
struct Bone;
struct PoseBuffers;
struct PoseView;
struct Vertex;
enum class BoneId : std::uint32_t;

using Vec3 = glm::vec3;

/// A rotation. Its length does not matter; one of length 0 turns nothing.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
  bool operator==(const Quat&) const = default;
};

/// Returns the rotation that undoes `rotation`.
[[nodiscard]] constexpr Quat conjugate(const Quat& rotation) noexcept {
  return {-rotation.x, -rotation.y, -rotation.z, rotation.w};
}
/// Returns the rotation that applies `inner` first and `outer` second.
[[nodiscard]] constexpr Quat concatenate(const Quat& outer, const Quat& inner) noexcept {
  return {outer.w * inner.x + outer.x * inner.w + outer.y * inner.z - outer.z * inner.y,
          outer.w * inner.y - outer.x * inner.z + outer.y * inner.w + outer.z * inner.x,
          outer.w * inner.z + outer.x * inner.y - outer.y * inner.x + outer.z * inner.w,
          outer.w * inner.w - outer.x * inner.x - outer.y * inner.y - outer.z * inner.z};
}
/// Returns the same rotation with length 1; the identity where the length is 0 or not finite.
[[nodiscard]] Quat normalized(const Quat& rotation) noexcept;
/// Goes part of the way from one rotation to another, along the shortest arc. Both have length 1, and so does the
/// result.
[[nodiscard]] Quat turn_towards(const Quat& from, const Quat& to, float factor) noexcept;

/// A 3D affine transform: three columns that say where x, y and z go, and the translation.
using Affine3 = glm::mat4x3;

/// The transform that changes nothing.
inline constexpr Affine3 kIdentity3{1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F};

/// Applies `transform` without its translation.
[[nodiscard]] constexpr Vec3 apply_to_direction(const Affine3& transform, Vec3 direction) noexcept {
  return transform[0] * direction.x + transform[1] * direction.y + transform[2] * direction.z;
}
/// Applies `transform` to a point.
[[nodiscard]] constexpr Vec3 apply(const Affine3& transform, Vec3 point) noexcept {
  return apply_to_direction(transform, point) + transform[3];
}
/// Returns the transform that applies `inner` first and `outer` second.
[[nodiscard]] constexpr Affine3 concatenate(const Affine3& outer, const Affine3& inner) noexcept {
  return {apply_to_direction(outer, inner[0]), apply_to_direction(outer, inner[1]), apply_to_direction(outer, inner[2]),
          apply(outer, inner[3])};
}
/// Returns the transform that scales, then rotates, then moves.
[[nodiscard]] Affine3 transform_of(Vec3 translation, const Quat& rotation, Vec3 scale) noexcept;
/// Returns the transform that undoes `transform`; nothing where it flattens space, to within rounding, or the result
/// would not be finite.
[[nodiscard]] std::optional<Affine3> inverse(const Affine3& transform) noexcept;

/// Returns what `transform` does to x and y in the plane z = 0: how it looks from the front.
[[nodiscard]] constexpr Affine front_view(const Affine3& transform) noexcept {
  return {transform[0].x, transform[0].y, transform[1].x, transform[1].y, transform[3].x, transform[3].y};
}

/// An axis-aligned box. A default one is empty: it contains nothing and grows by `include`.
struct Box {
  Vec3 min{std::numeric_limits<float>::max()};
  Vec3 max{std::numeric_limits<float>::lowest()};

  /// Whether it contains nothing.
  [[nodiscard]] constexpr bool empty() const noexcept { return min.x > max.x; }
  /// Its lengths along the axes; 0 where it is empty.
  [[nodiscard]] constexpr Vec3 size() const noexcept { return empty() ? Vec3{0.0F} : max - min; }
  /// The middle; the origin where it is empty.
  [[nodiscard]] constexpr Vec3 center() const noexcept { return empty() ? Vec3{0.0F} : min * 0.5F + max * 0.5F; }
  /// Grows until it contains the point.
  constexpr void include(Vec3 point) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = point[axis] < min[axis] ? point[axis] : min[axis];
      max[axis] = point[axis] > max[axis] ? point[axis] : max[axis];
    }
  }
};

/// The third dimension of a vertex.
struct Vertex3D {
  float z = 0;                    ///< Bind pose, world, towards who looks from the front.
  Vec3 normal{0.0F, 0.0F, 1.0F};  ///< Outward, of length 1.
  bool operator==(const Vertex3D&) const = default;
};
static_assert(sizeof(Vertex3D) == 16);

/// The third dimension of a bone's transform.
struct BoneSample3D {
  Quat rotation{};  ///< Of length 1.
  float z = 0;
  float scale_z = 1;
  bool operator==(const BoneSample3D&) const = default;
};

/// Compose the pose of a 3D character; see compose() in pose.hpp, which gives the front view of such a pose.
/// @{
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine3> world) noexcept;
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine3> inverse_bind,
             std::span<Affine3> world, std::span<Affine3> palette) noexcept;
/// @}

/// Skins the vertices of a 3D character; see deform() in pose.hpp.
void deform(std::span<const Vertex> vertices, std::span<const Vertex3D> depths, std::span<const Affine3> palette,
            std::span<Vec3> out) noexcept;

/// World transform of `bone` in a pose of a 3D character, of which the functions above give what is seen from the
/// front.
[[nodiscard]] Affine3 bone_world_3d(std::span<const Bone> bones, const PoseView& pose, BoneId bone) noexcept;

/// A view of a 3D character, which any camera comes down to.
struct SceneView {
  glm::mat4 world_to_clip{1.0F};  ///< With OpenGL's depth, -1 at the near end to 1 at the far.
  glm::mat3 world_to_view{
      1.0F};                     ///< Turns directions so that x is right, y up, and z towards who looks: for the light.
  bool clear_depth = true;       ///< Over what was drawn before; else among it.
  bool cull_back_faces = false;  ///< Faces that look away are left out. Many meshes of games need both sides.
};

/// Looks at a point from a distance. Angles in degrees.
struct OrbitCamera {
  Vec3 target{0.0F};
  float yaw_degrees = 0;             ///< To the right around the y axis; 0 looks from the front, along -z.
  float pitch_degrees = 0;           ///< Up, -90 to 90.
  float distance = 1;                ///< From the target, above 0.
  float field_of_view_degrees = 30;  ///< From the lower to the upper edge, 1 to 150.
  Vec2 viewport{1.0F, 1.0F};         ///< Width and height in pixels.
};

/// Returns what an orbit camera sees. Depth reaches from a hundredth of its distance to a hundred times as far.
[[nodiscard]] SceneView scene_view(const OrbitCamera& camera) noexcept;
/// Returns what a camera sees that looks at the front, without perspective. Nothing is farther than `reach` from z = 0.
[[nodiscard]] SceneView scene_view(const Camera& camera, float reach) noexcept;

/// Moves `camera` so that `box` fills its viewport, seen from the same side, but for `margin` (a fraction of the
/// viewport on each side, below 0.5). A box without size keeps a usable distance.
[[nodiscard]] OrbitCamera fit(OrbitCamera camera, const Box& box, float margin = 0.05F) noexcept;

/// Returns the box around the visible vertices of a posed 3D character, but for those that are not finite.
[[nodiscard]] Box box_of(const Character& character, const PoseBuffers& posed);

}  // namespace pchr
