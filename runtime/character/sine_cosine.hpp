// SPDX-License-Identifier: MIT
// Sine, cosine and arc tangent in degrees. They give the same bits everywhere, which libm does not guarantee.
#pragma once

#include <pchr/api.hpp>

#include <cmath>
#include <utility>

namespace PCHR_API pchr {

struct SineCosine {
  float sine;
  float cosine;
};

/// Largest angle up to which multiples of 90 degrees are exact.
inline constexpr float kMaxDegrees = 1.0e6F;

/// Returns `degrees` without whole rotations if it is outside +-kMaxDegrees, and 0 for infinity or NaN.
[[nodiscard]] inline float reduced_degrees(float degrees) noexcept {
  if (std::abs(degrees) <= kMaxDegrees) return degrees;
  return std::isfinite(degrees) ? std::fmod(degrees, 360.0F) : 0.0F;
}

/// Returns the shortest rotation from one angle to another.
[[nodiscard]] inline float turn_between(float from_degrees, float to_degrees) noexcept {
  const float difference = to_degrees - from_degrees;
  return difference - 360.0F * std::ceil(difference / 360.0F - 0.5F);
}

/// Returns the rotation from one angle to another that is nearest to `turn`.
[[nodiscard]] inline float turn_on(float from_degrees, float to_degrees, float turn) noexcept {
  // Adding and subtracting this rounds to a whole number.
  constexpr float kRound = 0x1.8p23F;
  const float difference = to_degrees - from_degrees;
  const float whole_turns = (turn - difference) * (1.0F / 360.0F) + kRound - kRound;
  return difference + 360.0F * whole_turns;
}

/// Returns sine and cosine to about one unit in the last place, exact at multiples of 90. Reduction by 90 in degrees
/// loses no precision, unlike reduction in radians.
[[nodiscard]] inline SineCosine sine_cosine_degrees(float degrees) noexcept {
  degrees = reduced_degrees(degrees);
  const float quarter = std::floor(degrees * (1.0F / 90.0F) + 0.5F);
  const float radians = (degrees - quarter * 90.0F) * 0.017453292519943295F;  // slightly beyond +-pi/4 at most
  const float square = radians * radians;
  // Taylor series. The first omitted term is below half a unit in the last place on this interval.
  const float sine =
      radians +
      radians * square *
          (-1.0F / 6.0F + square * (1.0F / 120.0F + square * (-1.0F / 5040.0F + square * (1.0F / 362880.0F))));
  const float cosine =
      1.0F - square * (0.5F - square * (1.0F / 24.0F - square * (1.0F / 720.0F - square * (1.0F / 40320.0F))));
  switch (static_cast<int>(quarter) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

/// Returns the counter-clockwise angle from the x axis to (x, y), in (-180, 180] degrees: exact at multiples of 45, and
/// 0 for (0, 0). The sum of x and y must be finite.
[[nodiscard]] inline float angle_degrees(double y, double x) noexcept {
  double across = std::abs(x), up = std::abs(y);
  if (across == 0 && up == 0) return 0;
  const bool steep = up > across;
  if (steep) std::swap(across, up);
  // Uses the tangent of the angle minus 45 degrees if that is closer to 0, because the series needs small values.
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
