// SPDX-License-Identifier: MIT
// Blends rows of colors.
#pragma once

#include "compiler/vectors.hpp"

#include <pchr/import/artwork.hpp>

#include <span>

namespace pchr::px {

/// Premultiplied red, green, blue and alpha, 0 to 1, in one vector register.
struct Color {
  Float4 lanes{};

  [[nodiscard]] float alpha() const noexcept { return lanes[3]; }
};

/// Blends `source`, scaled by `opacity`, onto a `backdrop` of the same size. Uses the formulas of W3C Compositing and
/// Blending: the blend mode, then source-over.
void blend(BlendMode mode, std::span<const Color> source, float opacity, std::span<Color> backdrop) noexcept;

/// Does the same for premultiplied RGBA pixels, one for each color of `backdrop`.
void blend(BlendMode mode, const std::uint8_t* rgba, float opacity, std::span<Color> backdrop) noexcept;

/// Fills `out` from premultiplied RGBA pixels. Clamps channels to alpha.
void load(const std::uint8_t* rgba, std::span<Color> out) noexcept;

/// Stores colors as RGBA pixels with straight alpha, rounded to nearest.
void store_straight(std::span<const Color> colors, std::uint8_t* rgba) noexcept;

}  // namespace pchr::px
