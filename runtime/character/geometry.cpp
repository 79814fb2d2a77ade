// SPDX-License-Identifier: MIT
// Affine transforms and rotations.
#include <pchr/3d.hpp>

#include <glm/geometric.hpp>

#include <cmath>

namespace pchr {
namespace {

template <typename Transform>
bool is_finite(const Transform& transform) {
  for (int column = 0; column < Transform::length(); ++column) {
    for (int row = 0; row < Transform::col_type::length(); ++row) {
      if (!std::isfinite(transform[column][row])) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<Affine> inverse(const Affine& transform) noexcept {
  const double a = transform[0].x, b = transform[0].y, c = transform[1].x, d = transform[1].y;
  const double tx = transform[2].x, ty = transform[2].y;
  const double determinant = a * d - b * c;
  // Columns that are parallel to within rounding error have no useful inverse.
  if (!(std::abs(determinant) > 1e-6 * std::hypot(a, b) * std::hypot(c, d))) return std::nullopt;
  const double scale = 1 / determinant;
  const Affine result{static_cast<float>(d * scale),
                      static_cast<float>(-b * scale),
                      static_cast<float>(-c * scale),
                      static_cast<float>(a * scale),
                      static_cast<float>((c * ty - d * tx) * scale),
                      static_cast<float>((b * tx - a * ty) * scale)};
  return is_finite(result) ? std::optional(result) : std::nullopt;
}

Quat normalized(const Quat& rotation) noexcept {
  const double x = rotation.x, y = rotation.y, z = rotation.z, w = rotation.w;
  const double square = x * x + y * y + z * z + w * w;
  if (!(square > 0) || !std::isfinite(square)) return {};
  const double scale = 1 / std::sqrt(square);
  return {static_cast<float>(x * scale), static_cast<float>(y * scale), static_cast<float>(z * scale),
          static_cast<float>(w * scale)};
}

Quat turn_towards(const Quat& from, const Quat& to, float factor) noexcept {
  const float dot = from.x * to.x + from.y * to.y + from.z * to.z + from.w * to.w;
  // A rotation and its negative are the same. The nearer of the two gives the shorter path.
  const float far = dot < 0 ? -factor : factor, near = 1 - factor;
  return normalized(
      {from.x * near + to.x * far, from.y * near + to.y * far, from.z * near + to.z * far, from.w * near + to.w * far});
}

Affine3 transform_of(Vec3 translation, const Quat& rotation, Vec3 scale) noexcept {
  const Quat q = rotation;
  const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  const float s = square > 0 ? 2 / square : 0;
  const float xx = q.x * q.x * s, yy = q.y * q.y * s, zz = q.z * q.z * s;
  const float xy = q.x * q.y * s, xz = q.x * q.z * s, yz = q.y * q.z * s;
  const float wx = q.w * q.x * s, wy = q.w * q.y * s, wz = q.w * q.z * s;
  return {Vec3{1 - yy - zz, xy + wz, xz - wy} * scale.x, Vec3{xy - wz, 1 - xx - zz, yz + wx} * scale.y,
          Vec3{xz + wy, yz - wx, 1 - xx - yy} * scale.z, translation};
}

std::optional<Affine3> inverse(const Affine3& transform) noexcept {
  const glm::dvec3 x(transform[0]), y(transform[1]), z(transform[2]), translation(transform[3]);
  const glm::dvec3 yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
  const double determinant = dot(x, yz);
  const double volume = std::sqrt(dot(x, x) * dot(y, y) * dot(z, z));
  // Columns that are coplanar to within rounding error have no useful inverse.
  if (!(std::abs(determinant) > 1e-6 * volume)) return std::nullopt;
  const double scale = 1 / determinant;
  const glm::dvec3 rows[3] = {yz * scale, zx * scale, xy * scale};
  Affine3 result{};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) result[column][row] = static_cast<float>(rows[row][column]);
    result[3][row] = static_cast<float>(-dot(rows[row], translation));
  }
  return is_finite(result) ? std::optional(result) : std::nullopt;
}

}  // namespace pchr
