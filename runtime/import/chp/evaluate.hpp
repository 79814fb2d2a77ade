// SPDX-License-Identifier: MIT
// The drawing operations of a Pomyu character at a moment of an animation.
#pragma once

#include "import/chp/file.hpp"

#include <cstdint>
#include <vector>

namespace pchr::chp {

/// A part of a picture drawn somewhere. Rectangles are neither negative nor clipped.
struct Operation {
  Layer layer = Layer::pattern;
  PixelRect source;       ///< In CharTex for Layer::texture, else in CharBMP; it may reach out of the picture.
  PixelRect destination;  ///< From the top left of the character, y down.
  bool flip_x = false, flip_y = false;
  std::uint8_t alpha = 255;
  std::uint8_t rotation = 0;  ///< About the destination's center, counter-clockwise, in 256ths of a turn.
  bool operator==(const Operation&) const = default;
};

/// What #Patern and #Layer are clipped to: the character's size; in the dance, the playing field around it.
[[nodiscard]] PixelRect clip_of(const File& file, int animation) noexcept;

/// The time within the animation, `played_ms` after it began: past its end it is repeated from where it loops.
[[nodiscard]] std::int64_t animation_ms(const Animation& animation, std::int64_t played_ms) noexcept;

/// Appends what animation `animation` (1 to 18) draws at `ms`, a time within it, from back to front.
void evaluate(const File& file, int animation, std::int64_t ms, std::vector<Operation>& operations);

}  // namespace pchr::chp
