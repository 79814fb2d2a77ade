// SPDX-License-Identifier: MIT
// Vectors, 2D affine transforms, rectangles, and the camera that maps world pixels to the viewport. The world is in
// pixels, x right and y up; angles are degrees, counter-clockwise.
//
//   const pchr::Rect bounds = pchr::compute_character_bounds(hero);
//   const pchr::Camera camera = pchr::fit({.viewport = {800, 600}}, bounds);
//   const pchr::Vec2 corner = pchr::apply(pchr::world_to_viewport(camera), bounds.max);
//   const pchr::Vec2 world = pchr::viewport_to_world(camera, corner);
#pragma once

#include <pchr/api.hpp>

#include <glm/mat3x2.hpp>
#include <glm/vec2.hpp>

#include <limits>
#include <optional>

namespace PCHR_API pchr {

using Vec2 = glm::vec2;

/// A 2D affine transform: three columns `(a, b)`, `(c, d)`, `(tx, ty)`, with
/// `x' = a*x + c*y + tx` and `y' = b*x + d*y + ty`. In memory it is six floats in that order.
using Affine = glm::mat3x2;

inline constexpr Affine kIdentity{1.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F};

/// Applies `transform` to a point.
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

/// Returns the transform that undoes `transform`; nothing where it flattens the plane or the result is not finite.
[[nodiscard]] std::optional<Affine> inverse(const Affine& transform) noexcept;

/// An axis-aligned rectangle. A default one is empty: it contains nothing and grows by `include`.
struct Rect {
  Vec2 min{std::numeric_limits<float>::max()};
  Vec2 max{std::numeric_limits<float>::lowest()};

  /// Returns whether it does not even contain a point.
  [[nodiscard]] constexpr bool empty() const noexcept { return min.x > max.x || min.y > max.y; }
  /// Returns width and height; 0 where it is empty.
  [[nodiscard]] constexpr Vec2 size() const noexcept { return empty() ? Vec2{0.0F} : max - min; }
  /// Returns the middle; the origin where it is empty.
  [[nodiscard]] constexpr Vec2 center() const noexcept { return empty() ? Vec2{0.0F} : min * 0.5F + max * 0.5F; }
  /// Grows until it contains the point.
  constexpr void include(Vec2 point) noexcept {
    min = {point.x < min.x ? point.x : min.x, point.y < min.y ? point.y : min.y};
    max = {point.x > max.x ? point.x : max.x, point.y > max.y ? point.y : max.y};
  }
  /// Grows until it contains the other.
  constexpr void include(const Rect& other) noexcept {
    if (other.empty()) return;
    include(other.min);
    include(other.max);
  }
};

/// A view of the plane: y up in the world, or down for files made the other way.
struct Camera {
  Vec2 center{0.0F};          ///< World point in the middle of the viewport.
  float zoom = 1.0F;          ///< Viewport pixels per world pixel, above 0.
  Vec2 viewport{1.0F, 1.0F};  ///< Width and height in pixels.
  bool flip_y = false;        ///< World y points down.
};

/// Returns the transform from world to normalized device coordinates (-1..1, y up).
[[nodiscard]] Affine world_to_clip(const Camera& camera) noexcept;
/// Returns the transform from world to viewport pixels, origin in the top left corner, y down.
[[nodiscard]] Affine world_to_viewport(const Camera& camera) noexcept;
/// Converts viewport pixels (top left origin, y down) to world.
[[nodiscard]] Vec2 viewport_to_world(const Camera& camera, Vec2 pixel) noexcept;
/// Moves and zooms `camera` so that `bounds` fills its viewport but for `margin` (a fraction of the viewport on each
/// side, below 0.5). Bounds without area keep a usable zoom.
[[nodiscard]] Camera fit(Camera camera, const Rect& bounds, float margin = 0.05F) noexcept;
/// Zooms `camera` by `factor` and keeps the world point under `pixel` where it is.
[[nodiscard]] Camera zoom_at(Camera camera, Vec2 pixel, float factor) noexcept;

}  // namespace pchr
