// SPDX-License-Identifier: MIT
// The third dimension: vectors, rotations and affine transforms of spatial characters. Right-handed, x right, y up, and
// z towards who looks from the front.
#pragma once

#include <pchr/geometry.hpp>

#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>

namespace PCHR_API pchr {

using Vec3 = glm::vec3;

/// A rotation. Its length does not matter; one of length 0 turns nothing.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
  bool operator==(const Quat&) const = default;
};

/// The rotation that undoes `rotation`.
[[nodiscard]] constexpr Quat conjugate(const Quat& rotation) noexcept {
  return {-rotation.x, -rotation.y, -rotation.z, rotation.w};
}
/// The rotation that applies `inner` first and `outer` second.
[[nodiscard]] constexpr Quat concatenate(const Quat& outer, const Quat& inner) noexcept {
  return {outer.w * inner.x + outer.x * inner.w + outer.y * inner.z - outer.z * inner.y,
          outer.w * inner.y - outer.x * inner.z + outer.y * inner.w + outer.z * inner.x,
          outer.w * inner.z + outer.x * inner.y - outer.y * inner.x + outer.z * inner.w,
          outer.w * inner.w - outer.x * inner.x - outer.y * inner.y - outer.z * inner.z};
}
/// The same rotation of length 1; the one that turns nothing where the length is 0 or not finite.
[[nodiscard]] Quat normalised(const Quat& rotation) noexcept;
/// Part of the way from one rotation to another, along the shortest arc. Both have length 1, and so does the result.
[[nodiscard]] Quat turn_towards(const Quat& from, const Quat& to, float factor) noexcept;

/// A spatial affine transform: three columns that say where x, y and z go, and the translation.
using Affine3 = glm::mat4x3;

/// The transform that changes nothing.
inline constexpr Affine3 kIdentity3{1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F};

/// `transform` without its translation, applied to `direction`.
[[nodiscard]] constexpr Vec3 apply_to_direction(const Affine3& transform, Vec3 direction) noexcept {
  return transform[0] * direction.x + transform[1] * direction.y + transform[2] * direction.z;
}
/// `transform` applied to `point`.
[[nodiscard]] constexpr Vec3 apply(const Affine3& transform, Vec3 point) noexcept {
  return apply_to_direction(transform, point) + transform[3];
}
/// The transform that applies `inner` first and `outer` second.
[[nodiscard]] constexpr Affine3 concatenate(const Affine3& outer, const Affine3& inner) noexcept {
  return {apply_to_direction(outer, inner[0]), apply_to_direction(outer, inner[1]), apply_to_direction(outer, inner[2]),
          apply(outer, inner[3])};
}
/// The transform that scales, then turns, then moves.
[[nodiscard]] Affine3 transform_of(Vec3 translation, const Quat& rotation, Vec3 scale) noexcept;
/// The transform that undoes `transform`. Nothing where it flattens space, to within rounding, or the result would not
/// be finite.
[[nodiscard]] std::optional<Affine3> inverse(const Affine3& transform) noexcept;

/// What `transform` does to x and y of what lies in the plane z = 0: how it looks from the front.
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
  [[nodiscard]] constexpr Vec3 centre() const noexcept { return empty() ? Vec3{0.0F} : min * 0.5F + max * 0.5F; }
  /// Grows until it contains the point.
  constexpr void include(Vec3 point) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = point[axis] < min[axis] ? point[axis] : min[axis];
      max[axis] = point[axis] > max[axis] ? point[axis] : max[axis];
    }
  }
};

}  // namespace pchr
