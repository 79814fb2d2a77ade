// SPDX-License-Identifier: MIT
// Angles in degrees: sine and cosine with the same bits everywhere, which libm does not promise, and the shorter way.
#pragma once

#include <pchr/api.hpp>

#include <cmath>

namespace PCHR_API pchr {

struct SineCosine {
  float sine;
  float cosine;
};

/// Multiples of 90 degrees are exact up to here.
inline constexpr float kMaxDegrees = 1.0e6F;

/// Returns `degrees` less whole turns where that is beyond +-kMaxDegrees; 0 for infinity or NaN.
[[nodiscard]] inline float reduced_degrees(float degrees) noexcept {
  if (std::abs(degrees) <= kMaxDegrees) return degrees;
  return std::isfinite(degrees) ? std::fmod(degrees, 360.0F) : 0.0F;
}

/// Returns the way from one angle to another, the shorter way round.
[[nodiscard]] inline float turn_between(float from_degrees, float to_degrees) noexcept {
  const float difference = to_degrees - from_degrees;
  return difference - 360.0F * std::ceil(difference / 360.0F - 0.5F);
}

/// Returns sine and cosine to about one unit in the last place; exact at multiples of 90. Reducing by 90 while still in
/// degrees loses nothing, unlike reducing radians.
[[nodiscard]] inline SineCosine sine_cosine_degrees(float degrees) noexcept {
  degrees = reduced_degrees(degrees);
  const float quarter = std::floor(degrees * (1.0F / 90.0F) + 0.5F);
  const float radians = (degrees - quarter * 90.0F) * 0.017453292519943295F;  // within a hair of +-pi/4
  const float square = radians * radians;
  // Taylor series: the first term left out is below half a unit in the last place on this interval.
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

}  // namespace pchr
