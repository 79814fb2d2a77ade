// SPDX-License-Identifier: MIT
// Affine transforms undone.
#include <pchr/geometry.hpp>

#include <cmath>

namespace pchr {

std::optional<Affine> inverse(const Affine& transform) noexcept {
  const double a = transform[0].x, b = transform[0].y, c = transform[1].x, d = transform[1].y;
  const double tx = transform[2].x, ty = transform[2].y;
  const double determinant = a * d - b * c;
  // Columns that are parallel to within rounding count as one: the inverse would be noise.
  if (!(std::abs(determinant) > 1e-6 * std::hypot(a, b) * std::hypot(c, d))) return std::nullopt;
  const double scale = 1 / determinant;
  const Affine result{static_cast<float>(d * scale),
                      static_cast<float>(-b * scale),
                      static_cast<float>(-c * scale),
                      static_cast<float>(a * scale),
                      static_cast<float>((c * ty - d * tx) * scale),
                      static_cast<float>((b * tx - a * ty) * scale)};
  for (int column = 0; column < 3; ++column) {
    if (!std::isfinite(result[column].x) || !std::isfinite(result[column].y)) return std::nullopt;
  }
  return result;
}

}  // namespace pchr
