// SPDX-License-Identifier: MIT
// Blends rows of colors as W3C Compositing and Blending defines it: the blend mode, then source-over.
#include "import/artwork/artwork.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pchr::artwork {
namespace {

using Lanes = Float4;

constexpr float kUnit = 1.0F / 255;
constexpr float kHalf = 0.5F;
static_assert(255 * kUnit == 1, "opaque is 1 exactly");

// Separable modes: one channel, 0 to 1.

inline float hard_light(float backdrop, float source) noexcept {
  if (source <= 0.5F) return backdrop * 2 * source;
  const float screened = 2 * source - 1;
  return backdrop + screened - backdrop * screened;
}

inline float color_dodge(float backdrop, float source) noexcept {
  if (backdrop <= 0) return 0;
  return source >= 1 ? 1 : std::min(1.0F, backdrop / (1 - source));
}

inline float color_burn(float backdrop, float source) noexcept {
  if (backdrop >= 1) return 1;
  return source <= 0 ? 0 : 1 - std::min(1.0F, (1 - backdrop) / source);
}

inline float soft_light(float backdrop, float source) noexcept {
  if (source <= 0.5F) return backdrop - (1 - 2 * source) * backdrop * (1 - backdrop);
  const float lightest = backdrop <= 0.25F ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : std::sqrt(backdrop);
  return backdrop + (2 * source - 1) * (lightest - backdrop);
}

// Non-separable modes: red, green and blue together; the fourth lane is ignored.

inline float min_channel(Lanes c) noexcept { return std::min({c[0], c[1], c[2]}); }
inline float max_channel(Lanes c) noexcept { return std::max({c[0], c[1], c[2]}); }
inline float luminosity(Lanes c) noexcept { return 0.3F * c[0] + 0.59F * c[1] + 0.11F * c[2]; }
inline float saturation(Lanes c) noexcept { return max_channel(c) - min_channel(c); }

/// Sets the luminosity and clips the result toward gray.
inline Lanes with_luminosity(Lanes c, float target) noexcept {
  c += target - luminosity(c);
  const float gray = luminosity(c), low = min_channel(c), high = max_channel(c);
  if (low < 0) c = gray + (c - gray) * (gray / (gray - low));
  if (high > 1) c = gray + (c - gray) * ((1 - gray) / (high - gray));
  return c;
}

/// Sets the saturation: the smallest channel becomes 0, the largest `target`.
inline Lanes with_saturation(Lanes c, float target) noexcept {
  const float low = min_channel(c), range = saturation(c);
  if (!(range > 0)) return Lanes{};
  return (c - low) * (target / range);
}

struct Pixels {
  const std::uint8_t* rgba;

  [[nodiscard]] std::uint32_t word(std::size_t i) const noexcept {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, rgba + i * sizeof(pixel), sizeof(pixel));
    return pixel;
  }
  [[nodiscard]] Lanes operator[](std::size_t i) const noexcept {
    const Lanes lanes = floats_of_bytes(word(i)) * kUnit;
    const auto alpha = all_lanes<Lanes>(lanes[3]);
    return select(lanes < alpha, lanes, alpha);
  }
  [[nodiscard]] bool is_transparent(std::size_t i) const noexcept { return word(i) >> 24 == 0; }
  [[nodiscard]] bool is_opaque(std::size_t i) const noexcept { return word(i) >> 24 == 255; }
};

struct Colors {
  const Color* colors;

  [[nodiscard]] Lanes operator[](std::size_t i) const noexcept { return colors[i].lanes; }
  [[nodiscard]] bool is_transparent(std::size_t i) const noexcept { return !(colors[i].alpha() > 0); }
  [[nodiscard]] bool is_opaque(std::size_t i) const noexcept { return colors[i].alpha() == 1; }
};

/// Composites source-over.
template <typename Source>
void blend_normal(Source source, float opacity, std::span<Color> backdrop) noexcept {
  for (std::size_t i = 0; i < backdrop.size(); ++i) {
    if (source.is_transparent(i)) continue;
    if (opacity == 1 && source.is_opaque(i)) {
      backdrop[i].lanes = source[i];
      continue;
    }
    const Lanes over = source[i] * opacity;
    backdrop[i].lanes = over + backdrop[i].lanes * (1 - over[3]);
  }
}

Lanes clamped(Lanes lanes) noexcept {
  const Lanes at_most_one = select(lanes < 1.0F, lanes, all_lanes<Lanes>(1.0F));
  return select(at_most_one > 0.0F, at_most_one, Lanes{});
}

Lanes straight(Lanes lanes) noexcept { return clamped(lanes / lanes[3]); }

template <float (*Mix)(float backdrop, float source) noexcept>
Lanes each_channel(Lanes backdrop, Lanes source) noexcept {
  return Lanes{Mix(backdrop[0], source[0]), Mix(backdrop[1], source[1]), Mix(backdrop[2], source[2]), 0};
}

// Blend functions of two straight colors.

inline Lanes multiply(Lanes under, Lanes over) noexcept { return under * over; }
inline Lanes screen(Lanes under, Lanes over) noexcept { return under + over - under * over; }
inline Lanes overlay(Lanes under, Lanes over) noexcept { return each_channel<hard_light>(over, under); }
inline Lanes darken(Lanes under, Lanes over) noexcept { return select(under < over, under, over); }
inline Lanes lighten(Lanes under, Lanes over) noexcept { return select(under < over, over, under); }
inline Lanes difference(Lanes under, Lanes over) noexcept { return select(under < over, over - under, under - over); }
inline Lanes exclusion(Lanes under, Lanes over) noexcept { return under + over - 2.0F * under * over; }
inline Lanes mix_hue(Lanes under, Lanes over) noexcept {
  return with_luminosity(with_saturation(over, saturation(under)), luminosity(under));
}
inline Lanes mix_saturation(Lanes under, Lanes over) noexcept {
  return with_luminosity(with_saturation(under, saturation(over)), luminosity(under));
}
inline Lanes mix_color(Lanes under, Lanes over) noexcept { return with_luminosity(over, luminosity(under)); }
inline Lanes mix_luminosity(Lanes under, Lanes over) noexcept { return with_luminosity(under, luminosity(over)); }

/// Blends two colors, neither of them transparent.
template <typename Source, Lanes (*Mix)(Lanes under, Lanes over) noexcept>
void blend_mixed(Source source, float opacity, std::span<Color> backdrop) noexcept {
  for (std::size_t i = 0; i < backdrop.size(); ++i) {
    if (source.is_transparent(i)) continue;
    const Lanes over = source[i] * opacity;
    const Lanes under = backdrop[i].lanes;
    const float over_alpha = over[3], under_alpha = under[3];
    Lanes result = over + under * (1 - over_alpha);
    if (over_alpha > 0 && under_alpha > 0) {
      const Lanes mixed = Mix(straight(under), straight(over));
      result = over * (1 - under_alpha) + under * (1 - over_alpha) + mixed * (over_alpha * under_alpha);
      result = with_lane<3>(result, over_alpha + under_alpha * (1 - over_alpha));
    }
    backdrop[i].lanes = result;
  }
}

/// Indexed by BlendMode. Only Aseprite has the modes after these.
constexpr std::size_t kW3cModes = 16;
template <typename Source>
constexpr void (*kBlenders[kW3cModes])(Source source, float opacity, std::span<Color> backdrop) noexcept = {
    blend_normal<Source>,
    blend_mixed<Source, multiply>,
    blend_mixed<Source, screen>,
    blend_mixed<Source, overlay>,
    blend_mixed<Source, darken>,
    blend_mixed<Source, lighten>,
    blend_mixed<Source, each_channel<color_dodge>>,
    blend_mixed<Source, each_channel<color_burn>>,
    blend_mixed<Source, each_channel<hard_light>>,
    blend_mixed<Source, each_channel<soft_light>>,
    blend_mixed<Source, difference>,
    blend_mixed<Source, exclusion>,
    blend_mixed<Source, mix_hue>,
    blend_mixed<Source, mix_saturation>,
    blend_mixed<Source, mix_color>,
    blend_mixed<Source, mix_luminosity>};

}  // namespace

void blend(BlendMode mode, std::span<const Color> source, float opacity, std::span<Color> backdrop) noexcept {
  kBlenders<Colors>[static_cast<std::size_t>(mode)](Colors{source.data()}, opacity, backdrop.first(source.size()));
}

void blend(BlendMode mode, const std::uint8_t* rgba, float opacity, std::span<Color> backdrop) noexcept {
  kBlenders<Pixels>[static_cast<std::size_t>(mode)](Pixels{rgba}, opacity, backdrop);
}

void load(const std::uint8_t* rgba, std::span<Color> out) noexcept {
  const Pixels pixels{rgba};
  for (std::size_t i = 0; i < out.size(); ++i) out[i].lanes = pixels[i];
}

void store_straight(std::span<const Color> colors, std::uint8_t* rgba) noexcept {
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const Lanes lanes = colors[i].lanes;
    const float alpha = std::min(lanes[3], 1.0F);
    // Add half a step because the conversion truncates.
    const Lanes color = (alpha == 1 ? clamped(lanes) : straight(lanes)) * 255.0F + kHalf;
    const Lanes scaled = with_lane<3>(color, alpha * 255 + kHalf);
    // Transparent pixels have no color.
    const Int4 rounded = scaled[3] < 1 ? Int4{} : truncate(scaled);
    const std::uint32_t pixel = static_cast<std::uint32_t>(rounded[0] | rounded[1] << 8 | rounded[2] << 16) |
                                static_cast<std::uint32_t>(rounded[3]) << 24;
    std::memcpy(rgba + i * sizeof(pixel), &pixel, sizeof(pixel));
  }
}

}  // namespace pchr::artwork
