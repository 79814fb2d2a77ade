// SPDX-License-Identifier: MIT
// Vectors, 2D affine transforms, rectangles, and the camera that maps world pixels to the viewport. World space is in
// pixels, x right, y up; angles are in degrees, counter-clockwise.
//
//   const pchr::Rect bounds = pchr::compute_character_bounds(hero);
//   const pchr::Camera camera = pchr::fit({.viewport = {800, 600}}, bounds);
//   const pchr::Vec2 corner = pchr::apply(pchr::world_to_viewport(camera), bounds.max);
//   const pchr::Vec2 world = pchr::viewport_to_world(camera, corner);
#pragma once

#include <pchr/api.hpp>

#include <glm/mat3x2.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <limits>
#include <optional>

namespace PCHR_API pchr {

using Vec2 = glm::vec2;
using Vec3 = glm::vec3;  ///< See 3d.hpp.

/// A rotation as a quaternion. Need not be normalized; length 0 means no rotation.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
  bool operator==(const Quat&) const = default;
};

/// A 3D affine transform: the images of the x, y and z axes, then the translation.
using Affine3 = glm::mat4x3;

/// A 2D affine transform with columns `(a, b)`, `(c, d)` and `(tx, ty)`: `x' = a*x + c*y + tx` and `y' = b*x + d*y +
/// ty`. Stored as six floats in that order.
using Affine = glm::mat3x2;

/// The transform that changes nothing.
inline constexpr Affine kIdentity{1.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F};

/// Transforms a point.
[[nodiscard]] constexpr Vec2 apply(const Affine& transform, Vec2 point) noexcept {
  return {transform[0].x * point.x + transform[1].x * point.y + transform[2].x,
          transform[0].y * point.x + transform[1].y * point.y + transform[2].y};
}

/// Returns the transform that applies `inner` first and `outer` second.
[[nodiscard]] constexpr Affine concatenate(const Affine& outer, const Affine& inner) noexcept {
  return {outer[0].x * inner[0].x + outer[1].x * inner[0].y,
          outer[0].y * inner[0].x + outer[1].y * inner[0].y,
          outer[0].x * inner[1].x + outer[1].x * inner[1].y,
          outer[0].y * inner[1].x + outer[1].y * inner[1].y,
          outer[0].x * inner[2].x + outer[1].x * inner[2].y + outer[2].x,
          outer[0].y * inner[2].x + outer[1].y * inner[2].y + outer[2].y};
}

/// Returns the inverse of `transform`, or nothing if it is singular or the result is not finite.
[[nodiscard]] std::optional<Affine> inverse(const Affine& transform) noexcept;

/// An axis-aligned rectangle. Empty by default: it contains no point until `include` grows it.
struct Rect {
  Vec2 min{(std::numeric_limits<float>::max)()};
  Vec2 max{std::numeric_limits<float>::lowest()};

  /// Returns whether the rectangle contains no point at all.
  [[nodiscard]] constexpr bool empty() const noexcept { return min.x > max.x || min.y > max.y; }
  /// Returns the width and height, or 0 if the rectangle is empty.
  [[nodiscard]] constexpr Vec2 size() const noexcept { return empty() ? Vec2{0.0F} : max - min; }
  /// Returns the center, or the origin if the rectangle is empty.
  [[nodiscard]] constexpr Vec2 center() const noexcept { return empty() ? Vec2{0.0F} : min * 0.5F + max * 0.5F; }
  /// Grows the rectangle to contain `point`.
  constexpr void include(Vec2 point) noexcept {
    min = {point.x < min.x ? point.x : min.x, point.y < min.y ? point.y : min.y};
    max = {point.x > max.x ? point.x : max.x, point.y > max.y ? point.y : max.y};
  }
  /// Grows the rectangle to contain `other`.
  constexpr void include(const Rect& other) noexcept {
    if (other.empty()) return;
    include(other.min);
    include(other.max);
  }
};

/// A 2D view of the world, with y up or, for files authored that way, y down.
struct Camera {
  Vec2 center{0.0F};          ///< World point at the center of the viewport.
  float zoom = 1.0F;          ///< Viewport pixels per world pixel, above 0.
  Vec2 viewport{1.0F, 1.0F};  ///< Width and height in pixels.
  bool flip_y = false;        ///< World y points down instead of up.
};

/// Returns the transform from world to normalized device coordinates (-1..1, y up).
[[nodiscard]] Affine world_to_clip(const Camera& camera) noexcept;
/// Returns the transform from world to viewport pixels (origin at the top left, y down).
[[nodiscard]] Affine world_to_viewport(const Camera& camera) noexcept;
/// Converts a position in viewport pixels (origin at the top left, y down) to world space.
[[nodiscard]] Vec2 viewport_to_world(const Camera& camera, Vec2 pixel) noexcept;
/// Moves and zooms `camera` so that `bounds` fills its viewport, except for `margin` on each side (as a fraction of
/// the viewport, below 0.5). If `bounds` has neither width nor height, zoom is 1.
[[nodiscard]] Camera fit(Camera camera, const Rect& bounds, float margin = 0.05F) noexcept;
/// Multiplies the zoom by `factor` and keeps the world point under `pixel` in place.
[[nodiscard]] Camera zoom_at(Camera camera, Vec2 pixel, float factor) noexcept;

}  // namespace pchr
