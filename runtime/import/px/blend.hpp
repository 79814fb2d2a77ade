// SPDX-License-Identifier: MIT
// Blends rows of colors.
#pragma once

#include <pchr/import/artwork.hpp>

#include <span>

namespace pchr::px {

/// Red, green, blue and alpha in one vector register, 0 to 1, premultiplied.
struct Color {
  using Lanes = float __attribute__((vector_size(16)));
  Lanes lanes{};

  [[nodiscard]] float alpha() const noexcept { return lanes[3]; }
};

/// Draws `source` with an opacity of its own onto as many colors of `backdrop`, by the formulas of the W3C's
/// Compositing and Blending: the mode, then source over.
void blend(BlendMode mode, std::span<const Color> source, float opacity, std::span<Color> backdrop) noexcept;

/// Does the same for premultiplied RGBA pixels, as many as `backdrop` has.
void blend(BlendMode mode, const std::uint8_t* rgba, float opacity, std::span<Color> backdrop) noexcept;

/// Fills `out` from premultiplied RGBA pixels. A channel above its alpha becomes that.
void load(const std::uint8_t* rgba, std::span<Color> out) noexcept;

/// Stores colors as RGBA pixels with straight alpha, rounded to nearest.
void store_straight(std::span<const Color> colors, std::uint8_t* rgba) noexcept;

}  // namespace pchr::px
