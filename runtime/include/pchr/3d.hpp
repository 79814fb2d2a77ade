// SPDX-License-Identifier: MIT
// Functions for 3D characters: rotations, transforms, boxes and an orbit camera. Coordinates are right-handed: x right,
// y up, z toward a viewer in front.
//
//   pchr::OrbitCamera orbit{.yaw_degrees = 30, .pitch_degrees = 15, .viewport = {800, 600}};
//   orbit = pchr::fit(orbit, pchr::box_of(hero, posed));
//   renderer.draw_scene(model, posed, pchr::scene_view(orbit));
#pragma once

#include <pchr/character.hpp>

#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>

namespace PCHR_API pchr {

struct PoseBuffers;

/// Returns the inverse of `rotation`.
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
/// Returns `rotation` scaled to length 1, or the identity if its length is 0 or not finite.
[[nodiscard]] Quat normalized(const Quat& rotation) noexcept;
/// Interpolates between two unit rotations along the shortest arc. Returns a unit rotation.
[[nodiscard]] Quat turn_towards(const Quat& from, const Quat& to, float factor) noexcept;

/// The transform that changes nothing.
inline constexpr Affine3 kIdentity3{1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F};

/// Transforms a direction, ignoring the translation.
[[nodiscard]] constexpr Vec3 apply_to_direction(const Affine3& transform, Vec3 direction) noexcept {
  return transform[0] * direction.x + transform[1] * direction.y + transform[2] * direction.z;
}
/// Transforms a point.
[[nodiscard]] constexpr Vec3 apply(const Affine3& transform, Vec3 point) noexcept {
  return apply_to_direction(transform, point) + transform[3];
}
/// Returns the transform that applies `inner` first and `outer` second.
[[nodiscard]] constexpr Affine3 concatenate(const Affine3& outer, const Affine3& inner) noexcept {
  return {apply_to_direction(outer, inner[0]), apply_to_direction(outer, inner[1]), apply_to_direction(outer, inner[2]),
          apply(outer, inner[3])};
}
/// Returns the transform that scales, then rotates, then translates.
[[nodiscard]] Affine3 transform_of(Vec3 translation, const Quat& rotation, Vec3 scale) noexcept;
/// Returns the inverse of `transform`, or nothing if it is singular or the result is not finite.
[[nodiscard]] std::optional<Affine3> inverse(const Affine3& transform) noexcept;

/// Returns `transform` as seen from the front: its effect on x and y in the plane z = 0.
[[nodiscard]] constexpr Affine front_view(const Affine3& transform) noexcept {
  return {transform[0].x, transform[0].y, transform[1].x, transform[1].y, transform[3].x, transform[3].y};
}

/// An axis-aligned box. Empty by default: it contains no point until `include` grows it.
struct Box {
  Vec3 min{(std::numeric_limits<float>::max)()};
  Vec3 max{std::numeric_limits<float>::lowest()};

  [[nodiscard]] constexpr bool empty() const noexcept { return min.x > max.x; }  ///< Contains no point at all.
  /// Returns the lengths along the axes, or 0 if the box is empty.
  [[nodiscard]] constexpr Vec3 size() const noexcept { return empty() ? Vec3{0.0F} : max - min; }
  /// Returns the center, or the origin if the box is empty.
  [[nodiscard]] constexpr Vec3 center() const noexcept { return empty() ? Vec3{0.0F} : min * 0.5F + max * 0.5F; }
  /// Grows the box to contain `point`.
  constexpr void include(Vec3 point) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = point[axis] < min[axis] ? point[axis] : min[axis];
      max[axis] = point[axis] > max[axis] ? point[axis] : max[axis];
    }
  }
};

/// Compute world transforms, and optionally the skinning palette, of a 3D character. The overloads in pose.hpp give the
/// front view of the same pose.
/// @{
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine3> world) noexcept;
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine3> inverse_bind,
             std::span<Affine3> world, std::span<Affine3> palette) noexcept;
/// @}

/// Skins the vertices of a 3D character. See deform() in pose.hpp.
void deform(std::span<const Vertex> vertices, std::span<const Vertex3D> depths, std::span<const Affine3> palette,
            std::span<Vec3> out) noexcept;

/// Returns the world transform of `bone` in a pose of a 3D character.
[[nodiscard]] Affine3 bone_world_3d(std::span<const Bone> bones, const PoseView& pose, BoneId bone) noexcept;

/// A view of a 3D scene. Make one from a camera with scene_view(), or from your own matrices.
struct SceneView {
  glm::mat4 world_to_clip{1.0F};  ///< OpenGL depth: -1 (near) to 1 (far).
  glm::mat3 world_to_view{1.0F};  ///< Rotation for lighting: x right, y up, z toward the viewer.
  bool clear_depth = true;        ///< Clears depth first, so everything is drawn on top. False keeps existing depth.
  bool cull_back_faces = false;   ///< Off by default: many game meshes need both sides.
};

/// A perspective camera that orbits a target point. Angles are in degrees.
struct OrbitCamera {
  Vec3 target{0.0F};
  float yaw_degrees = 0;             ///< To the right around the y axis. 0 looks from the front, along -z.
  float pitch_degrees = 0;           ///< Upward, -90 to 90.
  float distance = 1;                ///< From the target, above 0.
  float field_of_view_degrees = 30;  ///< Vertical, 1 to 150.
  Vec2 viewport{1.0F, 1.0F};         ///< Width and height in pixels.
};

/// Returns the view of an orbit camera. Visible depth is 1/100 to 100 times its distance.
[[nodiscard]] SceneView scene_view(const OrbitCamera& camera) noexcept;
/// Returns an orthographic view from the front, with visible depth from -`reach` to `reach`.
[[nodiscard]] SceneView scene_view(const Camera& camera, float reach) noexcept;

/// Moves `camera`, without rotating it, so that `box` fills its viewport except for `margin` on each side (as a
/// fraction of the viewport, below 0.5). If `box` has no size, distance is 1.
[[nodiscard]] OrbitCamera fit(OrbitCamera camera, const Box& box, float margin = 0.05F) noexcept;

/// Returns the box around all visible vertices of a posed 3D character. Vertices that are not finite are ignored. The
/// box of a 2D character is empty.
[[nodiscard]] Box box_of(const Character& character, const PoseBuffers& posed);

}  // namespace pchr
