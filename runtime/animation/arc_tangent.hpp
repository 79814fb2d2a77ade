// SPDX-License-Identifier: MIT
// The angle of a vector with the same bits everywhere, which libm does not promise.
#pragma once

#include <cmath>
#include <utility>

namespace pchr {

/// Returns the counter-clockwise angle from the x axis to (x, y), above -180 to 180 degrees; exact at multiples of 45,
/// 0 for (0, 0). The sum of both must be finite.
[[nodiscard]] inline float angle_degrees(double y, double x) noexcept {
  double across = std::abs(x), up = std::abs(y);
  if (across == 0 && up == 0) return 0;
  const bool steep = up > across;
  if (steep) std::swap(across, up);
  // The tangent of the angle less 45 degrees, where that is nearer to 0: the series wants small values.
  const bool near_diagonal = up > 0.41421356237309503 * across;
  const double tangent = near_diagonal ? (up - across) / (up + across) : up / across;
  const double square = tangent * tangent;
  double series = 0;
  for (int odd = 21; odd > 0; odd -= 2) series = 1.0 / odd - square * series;
  double degrees = 57.295779513082321 * tangent * series + (near_diagonal ? 45.0 : 0.0);
  if (steep) degrees = 90.0 - degrees;
  if (x < 0) degrees = 180.0 - degrees;
  const auto rounded = static_cast<float>(degrees);
  return y < 0 && rounded != 180.0F ? -rounded : rounded;
}

}  // namespace pchr
