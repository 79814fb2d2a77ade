// SPDX-License-Identifier: MIT
// Blends rows of pixels as Aseprite does: straight alpha in bytes, every step rounded. A mode other than normal fades
// from the blended to the unblended color where the backdrop is translucent.
#include "import/artwork/artwork.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace pchr::artwork {
namespace bytes {
namespace {

constexpr int kOpaque = 255;

/// Returns a * b / 255, rounded; halves of negative products round up.
constexpr int multiply(int a, int b) noexcept {
  const int t = a * b + 128;
  return ((t >> 8) + t) >> 8;
}
/// Returns a / b as a fraction of 255, rounded.
constexpr int divide(int a, int b) noexcept { return (a * kOpaque + b / 2) / b; }

// Separable modes: one channel.

constexpr int screen(int under, int over) noexcept { return under + over - multiply(under, over); }
constexpr int hard_light(int under, int over) noexcept {
  return over < 128 ? multiply(under, over * 2) : screen(under, over * 2 - kOpaque);
}
constexpr int overlay(int under, int over) noexcept { return hard_light(over, under); }
constexpr int darken(int under, int over) noexcept { return std::min(under, over); }
constexpr int lighten(int under, int over) noexcept { return std::max(under, over); }
constexpr int quotient(int under, int over) noexcept {
  if (under == 0) return 0;
  return under >= over ? kOpaque : divide(under, over);
}
constexpr int color_dodge(int under, int over) noexcept { return quotient(under, kOpaque - over); }
constexpr int color_burn(int under, int over) noexcept { return kOpaque - quotient(kOpaque - under, over); }
constexpr int difference(int under, int over) noexcept { return under < over ? over - under : under - over; }
constexpr int exclusion(int under, int over) noexcept { return under + over - 2 * multiply(under, over); }
constexpr int add(int under, int over) noexcept { return std::min(under + over, kOpaque); }
constexpr int subtract(int under, int over) noexcept { return std::max(under - over, 0); }

int soft_light(int under, int over) noexcept {
  const double b = under / 255.0, s = over / 255.0;
  const double lightest = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : std::sqrt(b);
  const double mixed = s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (lightest - b);
  return static_cast<int>(std::floor(mixed * 255 + 0.5));
}

// Other modes: red, green and blue together, 0 to 1.

using Rgb = std::array<double, 3>;

Rgb rgb_of(Rgba pixel) noexcept { return {pixel.red / 255.0, pixel.green / 255.0, pixel.blue / 255.0}; }
double luminosity(const Rgb& c) noexcept { return 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2]; }
double saturation(const Rgb& c) noexcept { return std::ranges::max(c) - std::ranges::min(c); }

/// Sets the luminosity and clips the result toward gray.
Rgb with_luminosity(Rgb c, double target) noexcept {
  const double change = target - luminosity(c);
  for (double& channel : c) channel += change;
  const double gray = luminosity(c), low = std::ranges::min(c), high = std::ranges::max(c);
  for (double& channel : c) {
    if (low < 0) channel = gray + (channel - gray) * gray / (gray - low);
    if (high > 1) channel = gray + (channel - gray) * (1 - gray) / (high - gray);
  }
  return c;
}

/// Sets the saturation: the smallest channel becomes 0, the largest `target`. If two of them are equal, Aseprite can
/// take one for both the smallest and the middle channel, and leaves the other one as it is.
Rgb with_saturation(Rgb c, double target) noexcept {
  const auto [r, g, b] = c;
  const std::size_t smaller = g < b ? 1 : 2, larger = g > b ? 1 : 2;
  const std::size_t smallest = r < c[smaller] ? 0 : smaller, largest = r > c[larger] ? 0 : larger;
  std::size_t middle = 0;
  if (r > g) {
    middle = g > b ? 1 : r > b ? 2 : 0;
  } else {
    middle = g > b ? (b > r ? 2 : 0) : 1;
  }
  const double low = c[smallest], range = c[largest] - low;
  c[middle] = range > 0 ? (c[middle] - low) * target / range : 0;
  c[largest] = range > 0 ? target : 0;
  c[smallest] = 0;
  return c;
}

Rgb hue(const Rgb& under, const Rgb& over) noexcept {
  return with_luminosity(with_saturation(over, saturation(under)), luminosity(under));
}
Rgb saturate(const Rgb& under, const Rgb& over) noexcept {
  return with_luminosity(with_saturation(under, saturation(over)), luminosity(under));
}
Rgb color(const Rgb& under, const Rgb& over) noexcept { return with_luminosity(over, luminosity(under)); }
Rgb lighten_to(const Rgb& under, const Rgb& over) noexcept { return with_luminosity(under, luminosity(over)); }

// Mixes of two pixels, which have the alpha of the upper one.

template <int (*Mix)(int under, int over) noexcept>
Rgba each_channel(Rgba under, Rgba over) noexcept {
  return {static_cast<std::uint8_t>(Mix(under.red, over.red)), static_cast<std::uint8_t>(Mix(under.green, over.green)),
          static_cast<std::uint8_t>(Mix(under.blue, over.blue)), over.alpha};
}

template <Rgb (*Mix)(const Rgb& under, const Rgb& over) noexcept>
Rgba all_channels(Rgba under, Rgba over) noexcept {
  const Rgb mixed = Mix(rgb_of(under), rgb_of(over));
  const auto truncated = [](double channel) {
    return static_cast<std::uint8_t>(std::clamp(channel * kOpaque, 0.0, double{kOpaque}));
  };
  return {truncated(mixed[0]), truncated(mixed[1]), truncated(mixed[2]), over.alpha};
}

PCHR_ALWAYS_INLINE inline Rgba over_normal(Rgba under, Rgba over, int opacity) noexcept {
  const int alpha = multiply(over.alpha, opacity);
  if (alpha == kOpaque) return over;
  if (under.alpha == 0) return {over.red, over.green, over.blue, static_cast<std::uint8_t>(alpha)};
  const auto mixed = [&](int total) -> Rgba {
    const auto channel = [&](int from, int to) {
      return static_cast<std::uint8_t>(from + (to - from) * alpha / total);
    };
    return {channel(under.red, over.red), channel(under.green, over.green), channel(under.blue, over.blue),
            static_cast<std::uint8_t>(total)};
  };
  // Dividing by a constant is faster.
  if (under.alpha == kOpaque) return mixed(kOpaque);
  return mixed(alpha + under.alpha - multiply(under.alpha, alpha));
}

/// Returns a pixel between two with color, at `weight` of 255.
Rgba between(Rgba from, Rgba to, int weight) noexcept {
  const auto channel = [&](int a, int b) { return static_cast<std::uint8_t>(a + multiply(b - a, weight)); };
  return {channel(from.red, to.red), channel(from.green, to.green), channel(from.blue, to.blue),
          channel(from.alpha, to.alpha)};
}

void blend_normal(const std::uint8_t* source, int opacity, std::span<Rgba> backdrop) noexcept {
  for (std::size_t i = 0; i < backdrop.size();) {
    // Most pixels are in long runs of opaque or transparent ones.
    constexpr std::size_t kRun = 16;
    if (opacity == kOpaque && backdrop.size() - i >= kRun) {
      Uint4 any{}, all = ~Uint4{};
      for (std::size_t part = 0; part < kRun; part += 4) {
        Uint4 words;
        std::memcpy(&words, source + (i + part) * sizeof(Rgba), sizeof(words));
        any |= words;
        all &= words;
      }
      const std::uint32_t all_alpha = (all[0] & all[1] & all[2] & all[3]) >> 24;
      if (all_alpha == kOpaque) std::memcpy(&backdrop[i], source + i * sizeof(Rgba), kRun * sizeof(Rgba));
      if (all_alpha == kOpaque || (any[0] | any[1] | any[2] | any[3]) >> 24 == 0) {
        i += kRun;
        continue;
      }
    }
    for (const std::size_t end = std::min(i + kRun, backdrop.size()); i < end; ++i) {
      Rgba over;
      std::memcpy(&over, source + i * sizeof(over), sizeof(over));
      if (over.alpha != 0) backdrop[i] = over_normal(backdrop[i], over, opacity);
    }
  }
}

template <Rgba (*Mix)(Rgba under, Rgba over) noexcept>
void blend_mixed(const std::uint8_t* source, int opacity, std::span<Rgba> backdrop) noexcept {
  for (Rgba& under : backdrop) {
    Rgba over;
    std::memcpy(&over, source, sizeof(over));
    source += sizeof(over);
    if (over.alpha == 0) continue;
    if (under.alpha == 0) {
      under = over_normal(under, over, opacity);
      continue;
    }
    const Rgba blended = over_normal(under, Mix(under, over), opacity);
    if (under.alpha == kOpaque) {
      under = blended;
      continue;
    }
    const Rgba faded = between(over_normal(under, over, opacity), blended, under.alpha);
    under = between(faded, blended, multiply(under.alpha, multiply(over.alpha, opacity)));
  }
}

/// Indexed by BlendMode.
constexpr void (*kBlenders[kBlendModes])(const std::uint8_t* source, int opacity, std::span<Rgba> backdrop) noexcept = {
    blend_normal,
    blend_mixed<each_channel<multiply>>,
    blend_mixed<each_channel<screen>>,
    blend_mixed<each_channel<overlay>>,
    blend_mixed<each_channel<darken>>,
    blend_mixed<each_channel<lighten>>,
    blend_mixed<each_channel<color_dodge>>,
    blend_mixed<each_channel<color_burn>>,
    blend_mixed<each_channel<hard_light>>,
    blend_mixed<each_channel<soft_light>>,
    blend_mixed<each_channel<difference>>,
    blend_mixed<each_channel<exclusion>>,
    blend_mixed<all_channels<hue>>,
    blend_mixed<all_channels<saturate>>,
    blend_mixed<all_channels<color>>,
    blend_mixed<all_channels<lighten_to>>,
    blend_mixed<each_channel<add>>,
    blend_mixed<each_channel<subtract>>,
    blend_mixed<each_channel<quotient>>};

static_assert(sizeof(Rgba) == 4, "a pixel is as in a cel");

}  // namespace
}  // namespace bytes

void blend(BlendMode mode, const std::uint8_t* rgba, float opacity, std::span<Rgba> backdrop) noexcept {
  bytes::kBlenders[static_cast<std::size_t>(mode)](rgba, static_cast<int>(std::lround(opacity * 255)), backdrop);
}

void blend(BlendMode mode, std::span<const Rgba> source, float opacity, std::span<Rgba> backdrop) noexcept {
  blend(mode, reinterpret_cast<const std::uint8_t*>(source.data()), opacity, backdrop.first(source.size()));
}

void load(const std::uint8_t* rgba, std::span<Rgba> out) noexcept {
  if (!out.empty()) std::memcpy(out.data(), rgba, out.size_bytes());
}

void store_straight(std::span<const Rgba> pixels, std::uint8_t* rgba) noexcept {
  for (const Rgba& pixel : pixels) {
    const Rgba stored = pixel.alpha == 0 ? Rgba{} : pixel;
    std::memcpy(rgba, &stored, sizeof(stored));
    rgba += sizeof(stored);
  }
}

}  // namespace pchr::artwork
