// SPDX-License-Identifier: MIT
// Colours over colours, in rows.
#include "formats/px/blend.hpp"

#include "formats/px/blend_modes.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace pchr::px {
namespace {

using Lanes = Colour::Lanes;

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

struct Colours {
  const Colour* colours;

  [[nodiscard]] Lanes operator[](std::size_t i) const noexcept { return colours[i].lanes; }
  [[nodiscard]] bool is_transparent(std::size_t i) const noexcept { return !(colours[i].alpha() > 0); }
  [[nodiscard]] bool is_opaque(std::size_t i) const noexcept { return colours[i].alpha() == 1; }
};

/// Source over.
template <typename Source>
void blend_normal(Source source, float opacity, std::span<Colour> backdrop) noexcept {
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

/// `mix` gives the colour of two straight ones, the backdrop's first. Where one of both is transparent there is nothing
/// to mix.
template <typename Source, typename Mix>
void blend_mixed(Source source, float opacity, std::span<Colour> backdrop, Mix mix) noexcept {
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
void blend_by(BlendMode mode, Source source, float opacity, std::span<Colour> backdrop) noexcept {
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
    case BlendMode::colour_dodge:
      return with(each_channel<colour_dodge>);
    case BlendMode::colour_burn:
      return with(each_channel<colour_burn>);
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
    case BlendMode::colour:
      return with([](Lanes under, Lanes over) { return with_luminosity(over, luminosity(under)); });
    case BlendMode::luminosity:
      return with([](Lanes under, Lanes over) { return with_luminosity(under, luminosity(over)); });
  }
}

}  // namespace

void blend(BlendMode mode, std::span<const Colour> source, float opacity, std::span<Colour> backdrop) noexcept {
  blend_by(mode, Colours{source.data()}, opacity, backdrop.first(source.size()));
}

void blend(BlendMode mode, const std::uint8_t* rgba, float opacity, std::span<Colour> backdrop) noexcept {
  blend_by(mode, Pixels{rgba}, opacity, backdrop);
}

void load(const std::uint8_t* rgba, std::span<Colour> out) noexcept {
  const Pixels pixels{rgba};
  for (std::size_t i = 0; i < out.size(); ++i) out[i].lanes = pixels[i];
}

void store_straight(std::span<const Colour> colours, std::uint8_t* rgba) noexcept {
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const Lanes lanes = colours[i].lanes;
    const float alpha = std::min(lanes[3], 1.0F);
    // Half of a step more, so that what is cut off rounds.
    Lanes scaled = (alpha == 1 ? clamped(lanes) : straight(lanes)) * 255 + kHalf;
    scaled[3] = alpha * 255 + kHalf;
    // Where nothing is to be seen, no colour is left, either.
    const auto rounded = scaled[3] < 1 ? Integers{} : __builtin_convertvector(scaled, Integers);
    const std::uint32_t pixel = static_cast<std::uint32_t>(rounded[0] | rounded[1] << 8 | rounded[2] << 16) |
                                static_cast<std::uint32_t>(rounded[3]) << 24;
    std::memcpy(rgba + i * sizeof(pixel), &pixel, sizeof(pixel));
  }
}

}  // namespace pchr::px
