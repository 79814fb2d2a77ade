// SPDX-License-Identifier: MIT
// Vectors, planar affine transforms and rectangles.
#pragma once

#include <pchr/export.hpp>

#include <glm/mat3x2.hpp>
#include <glm/vec2.hpp>
#include <limits>
#include <optional>

namespace PCHR_API pchr {

using Vec2 = glm::vec2;

/// A planar affine transform: three columns `(a, b)`, `(c, d)`, `(tx, ty)`, with
/// `x' = a*x + c*y + tx` and `y' = b*x + d*y + ty`. In memory it is six floats in that order.
using Affine = glm::mat3x2;

/// The transform that changes nothing.
inline constexpr Affine kIdentity{1.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F};

/// `transform` applied to `point`.
[[nodiscard]] constexpr Vec2 apply(const Affine& transform, Vec2 point) noexcept {
  return {transform[0].x * point.x + transform[1].x * point.y + transform[2].x,
          transform[0].y * point.x + transform[1].y * point.y + transform[2].y};
}

/// The transform that applies `inner` first and `outer` second.
[[nodiscard]] constexpr Affine concatenate(const Affine& outer, const Affine& inner) noexcept {
  return {outer[0].x * inner[0].x + outer[1].x * inner[0].y,
          outer[0].y * inner[0].x + outer[1].y * inner[0].y,
          outer[0].x * inner[1].x + outer[1].x * inner[1].y,
          outer[0].y * inner[1].x + outer[1].y * inner[1].y,
          outer[0].x * inner[2].x + outer[1].x * inner[2].y + outer[2].x,
          outer[0].y * inner[2].x + outer[1].y * inner[2].y + outer[2].y};
}

/// The transform that undoes `transform`: from world to an instance's own space, say. Nothing where `transform`
/// flattens the plane, to within rounding, or the result would not be finite.
[[nodiscard]] std::optional<Affine> inverse(const Affine& transform) noexcept;

/// An axis-aligned rectangle. A default one is empty: it contains nothing and grows by `include`.
struct Rect {
  Vec2 min{std::numeric_limits<float>::max()};
  Vec2 max{std::numeric_limits<float>::lowest()};

  /// Whether it contains nothing, not even a point.
  [[nodiscard]] constexpr bool empty() const noexcept { return min.x > max.x || min.y > max.y; }
  /// Width and height; 0 where it is empty.
  [[nodiscard]] constexpr Vec2 size() const noexcept { return empty() ? Vec2{0.0F} : max - min; }
  /// The middle; the origin where it is empty.
  [[nodiscard]] constexpr Vec2 centre() const noexcept { return empty() ? Vec2{0.0F} : min * 0.5F + max * 0.5F; }
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

}  // namespace pchr
