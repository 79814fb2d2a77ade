// SPDX-License-Identifier: MIT
// How the blend modes mix straight colours, by the formulas of the W3C's Compositing and Blending.
#pragma once

#include "formats/px/blend.hpp"

#include <algorithm>
#include <cmath>

namespace pchr::px {

/// One channel each, 0 to 1.
/// @{
inline float hard_light(float backdrop, float source) noexcept {
  if (source <= 0.5F) return backdrop * 2 * source;
  const float screened = 2 * source - 1;
  return backdrop + screened - backdrop * screened;
}

inline float colour_dodge(float backdrop, float source) noexcept {
  if (backdrop <= 0) return 0;
  return source >= 1 ? 1 : std::min(1.0F, backdrop / (1 - source));
}

inline float colour_burn(float backdrop, float source) noexcept {
  if (backdrop >= 1) return 1;
  return source <= 0 ? 0 : 1 - std::min(1.0F, (1 - backdrop) / source);
}

inline float soft_light(float backdrop, float source) noexcept {
  if (source <= 0.5F) return backdrop - (1 - 2 * source) * backdrop * (1 - backdrop);
  const float lightest = backdrop <= 0.25F ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : std::sqrt(backdrop);
  return backdrop + (2 * source - 1) * (lightest - backdrop);
}
/// @}

/// Red, green and blue together; the fourth lane does not count.
/// @{
inline float least(Colour::Lanes c) noexcept { return std::min({c[0], c[1], c[2]}); }
inline float largest(Colour::Lanes c) noexcept { return std::max({c[0], c[1], c[2]}); }

inline float luminosity(Colour::Lanes c) noexcept { return 0.3F * c[0] + 0.59F * c[1] + 0.11F * c[2]; }
inline float saturation(Colour::Lanes c) noexcept { return largest(c) - least(c); }

/// `c` with another luminosity; brought back to 0 to 1 towards grey.
inline Colour::Lanes with_luminosity(Colour::Lanes c, float wanted) noexcept {
  c += wanted - luminosity(c);
  const float grey = luminosity(c), low = least(c), high = largest(c);
  if (low < 0) c = grey + (c - grey) * (grey / (grey - low));
  if (high > 1) c = grey + (c - grey) * ((1 - grey) / (high - grey));
  return c;
}

/// `c` with another saturation: its least channel becomes 0, its largest `wanted`.
inline Colour::Lanes with_saturation(Colour::Lanes c, float wanted) noexcept {
  const float low = least(c), range = saturation(c);
  if (!(range > 0)) return Colour::Lanes{};
  return (c - low) * (wanted / range);
}
/// @}

}  // namespace pchr::px
