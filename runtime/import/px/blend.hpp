// SPDX-License-Identifier: MIT
// Blends rows of colors.
#pragma once

#include <pchr/import/artwork.hpp>

#include <cstdint>
#include <span>

namespace pchr::px {

/// Red, green, blue and alpha, 0 to 1, the first three multiplied by alpha. In one vector register.
struct Color {
  using Lanes = float __attribute__((vector_size(16)));
  Lanes lanes{};

  [[nodiscard]] float alpha() const noexcept { return lanes[3]; }
};

/// Draws each color of `source`, with `opacity` of its own, onto the one of `backdrop` at the same place, of which
/// there are at least as many. By the formulas of the W3C's Compositing and Blending: the mode, then source over.
void blend(BlendMode mode, std::span<const Color> source, float opacity, std::span<Color> backdrop) noexcept;

/// The same for pixels of 8 bits, RGBA multiplied by alpha, as many as `backdrop` has.
void blend(BlendMode mode, const std::uint8_t* rgba, float opacity, std::span<Color> backdrop) noexcept;

/// Pixels of 8 bits as colors, as many as `out` has. Where a channel is above its alpha, it becomes that.
void load(const std::uint8_t* rgba, std::span<Color> out) noexcept;

/// Colors as pixels of 8 bits, RGBA with straight alpha, rounded to nearest.
void store_straight(std::span<const Color> colors, std::uint8_t* rgba) noexcept;

}  // namespace pchr::px
