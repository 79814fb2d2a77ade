// SPDX-License-Identifier: MIT
// Blends rows of colors.
#include "import/px/blend.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace pchr::px {
namespace {

/// One channel each, 0 to 1.
/// @{
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
/// @}

/// Red, green and blue together; the fourth lane does not count.
/// @{
inline float least(Color::Lanes c) noexcept { return std::min({c[0], c[1], c[2]}); }
inline float largest(Color::Lanes c) noexcept { return std::max({c[0], c[1], c[2]}); }

inline float luminosity(Color::Lanes c) noexcept { return 0.3F * c[0] + 0.59F * c[1] + 0.11F * c[2]; }
inline float saturation(Color::Lanes c) noexcept { return largest(c) - least(c); }

/// `c` with another luminosity; brought back to 0 to 1 towards gray.
inline Color::Lanes with_luminosity(Color::Lanes c, float wanted) noexcept {
  c += wanted - luminosity(c);
  const float gray = luminosity(c), low = least(c), high = largest(c);
  if (low < 0) c = gray + (c - gray) * (gray / (gray - low));
  if (high > 1) c = gray + (c - gray) * ((1 - gray) / (high - gray));
  return c;
}

/// `c` with another saturation: its least channel becomes 0, its largest `wanted`.
inline Color::Lanes with_saturation(Color::Lanes c, float wanted) noexcept {
  const float low = least(c), range = saturation(c);
  if (!(range > 0)) return Color::Lanes{};
  return (c - low) * (wanted / range);
}
/// @}

using Lanes = Color::Lanes;

using Integers = std::int32_t __attribute__((vector_size(16)));

using Words = std::uint32_t __attribute__((vector_size(16)));
using Bytes = std::uint8_t __attribute__((vector_size(16)));
using Shorts = std::uint16_t __attribute__((vector_size(16)));

constexpr float kUnit = 1.0F / 255;
constexpr float kHalf = 0.5F;
static_assert(255 * kUnit == 1, "opaque is 1 exactly");

Lanes all(float value) noexcept { return Lanes{value, value, value, value}; }

/// The four bytes of a pixel, 0 to 255 each.
Lanes widened(std::uint32_t pixel) noexcept {
  const auto bytes = std::bit_cast<Bytes>(Words{pixel});
  const Bytes halves = __builtin_shufflevector(bytes, Bytes{}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const auto shorts = std::bit_cast<Shorts>(halves);
  const Shorts wide = __builtin_shufflevector(shorts, Shorts{}, 0, 8, 1, 9, 2, 10, 3, 11);
  return __builtin_convertvector(std::bit_cast<Integers>(wide), Lanes);
}

Lanes load(std::uint32_t pixel) noexcept {
  const Lanes lanes = widened(pixel) * kUnit;
  const Lanes alpha = all(lanes[3]);
  return lanes < alpha ? lanes : alpha;
}

/// Pixels of 8 bits as they are read.
struct Pixels {
  const std::uint8_t* rgba;

  [[nodiscard]] std::uint32_t word(std::size_t i) const noexcept {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, rgba + i * sizeof(pixel), sizeof(pixel));
    return pixel;
  }
  [[nodiscard]] Lanes operator[](std::size_t i) const noexcept { return load(word(i)); }
  [[nodiscard]] bool is_transparent(std::size_t i) const noexcept { return word(i) >> 24 == 0; }
  [[nodiscard]] bool is_opaque(std::size_t i) const noexcept { return word(i) >> 24 == 255; }
};

struct Colors {
  const Color* colors;

  [[nodiscard]] Lanes operator[](std::size_t i) const noexcept { return colors[i].lanes; }
  [[nodiscard]] bool is_transparent(std::size_t i) const noexcept { return !(colors[i].alpha() > 0); }
  [[nodiscard]] bool is_opaque(std::size_t i) const noexcept { return colors[i].alpha() == 1; }
};

/// Source over.
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
  const Lanes at_most_one = lanes < 1.0F ? lanes : all(1);
  return at_most_one > 0.0F ? at_most_one : Lanes{};
}

Lanes straight(Lanes lanes) noexcept { return clamped(lanes / lanes[3]); }

/// `mix` gives the color of two straight ones, the backdrop's first. Where one of both is transparent there is nothing
/// to mix.
template <typename Source, typename Mix>
void blend_mixed(Source source, float opacity, std::span<Color> backdrop, Mix mix) noexcept {
  for (std::size_t i = 0; i < backdrop.size(); ++i) {
    if (source.is_transparent(i)) continue;
    const Lanes over = source[i] * opacity;
    const Lanes under = backdrop[i].lanes;
    const float over_alpha = over[3], under_alpha = under[3];
    Lanes result = over + under * (1 - over_alpha);
    if (over_alpha > 0 && under_alpha > 0) {
      const Lanes mixed = mix(straight(under), straight(over));
      result = over * (1 - under_alpha) + under * (1 - over_alpha) + mixed * (over_alpha * under_alpha);
      result[3] = over_alpha + under_alpha * (1 - over_alpha);
    }
    backdrop[i].lanes = result;
  }
}

/// For a mode that mixes each channel by itself.
template <float (*Mix)(float backdrop, float source) noexcept>
Lanes each_channel(Lanes backdrop, Lanes source) noexcept {
  return Lanes{Mix(backdrop[0], source[0]), Mix(backdrop[1], source[1]), Mix(backdrop[2], source[2]), 0};
}

template <typename Source>
void blend_by(BlendMode mode, Source source, float opacity, std::span<Color> backdrop) noexcept {
  const auto with = [&](auto mix) { blend_mixed(source, opacity, backdrop, mix); };
  switch (mode) {
    case BlendMode::normal:
      return blend_normal(source, opacity, backdrop);
    case BlendMode::multiply:
      return with([](Lanes under, Lanes over) { return under * over; });
    case BlendMode::screen:
      return with([](Lanes under, Lanes over) { return under + over - under * over; });
    case BlendMode::overlay:
      return with([](Lanes under, Lanes over) { return each_channel<hard_light>(over, under); });
    case BlendMode::darken:
      return with([](Lanes under, Lanes over) { return under < over ? under : over; });
    case BlendMode::lighten:
      return with([](Lanes under, Lanes over) { return under < over ? over : under; });
    case BlendMode::color_dodge:
      return with(each_channel<color_dodge>);
    case BlendMode::color_burn:
      return with(each_channel<color_burn>);
    case BlendMode::hard_light:
      return with(each_channel<hard_light>);
    case BlendMode::soft_light:
      return with(each_channel<soft_light>);
    case BlendMode::difference:
      return with([](Lanes under, Lanes over) { return under < over ? over - under : under - over; });
    case BlendMode::exclusion:
      return with([](Lanes under, Lanes over) { return under + over - 2 * under * over; });
    case BlendMode::hue:
      return with([](Lanes under, Lanes over) {
        return with_luminosity(with_saturation(over, saturation(under)), luminosity(under));
      });
    case BlendMode::saturation:
      return with([](Lanes under, Lanes over) {
        return with_luminosity(with_saturation(under, saturation(over)), luminosity(under));
      });
    case BlendMode::color:
      return with([](Lanes under, Lanes over) { return with_luminosity(over, luminosity(under)); });
    case BlendMode::luminosity:
      return with([](Lanes under, Lanes over) { return with_luminosity(under, luminosity(over)); });
  }
}

}  // namespace

void blend(BlendMode mode, std::span<const Color> source, float opacity, std::span<Color> backdrop) noexcept {
  blend_by(mode, Colors{source.data()}, opacity, backdrop.first(source.size()));
}

void blend(BlendMode mode, const std::uint8_t* rgba, float opacity, std::span<Color> backdrop) noexcept {
  blend_by(mode, Pixels{rgba}, opacity, backdrop);
}

void load(const std::uint8_t* rgba, std::span<Color> out) noexcept {
  const Pixels pixels{rgba};
  for (std::size_t i = 0; i < out.size(); ++i) out[i].lanes = pixels[i];
}

void store_straight(std::span<const Color> colors, std::uint8_t* rgba) noexcept {
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const Lanes lanes = colors[i].lanes;
    const float alpha = std::min(lanes[3], 1.0F);
    // Half of a step more, so that what is cut off rounds.
    Lanes scaled = (alpha == 1 ? clamped(lanes) : straight(lanes)) * 255 + kHalf;
    scaled[3] = alpha * 255 + kHalf;
    // Where nothing is to be seen, no color is left, either.
    const auto rounded = scaled[3] < 1 ? Integers{} : __builtin_convertvector(scaled, Integers);
    const std::uint32_t pixel = static_cast<std::uint32_t>(rounded[0] | rounded[1] << 8 | rounded[2] << 16) |
                                static_cast<std::uint32_t>(rounded[3]) << 24;
    std::memcpy(rgba + i * sizeof(pixel), &pixel, sizeof(pixel));
  }
}

}  // namespace pchr::px
