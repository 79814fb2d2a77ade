// SPDX-License-Identifier: MIT
// What an operation leaves to be drawn, and where.
#pragma once

#include "formats/chp/evaluate.hpp"

#include <compare>
#include <cstdint>
#include <optional>

namespace pchr::chp {

/// The visible part of a rectangle of a picture, mirrored or not. Pixels of the picture, y down.
struct Sprite {
  std::uint32_t image = 0;
  PixelRect source;                                 ///< All of it.
  double left = 0, right = 0, top = 0, bottom = 0;  ///< The part within the picture and the clip.
  bool flip_x = false, flip_y = false;
  auto operator<=>(const Sprite&) const = default;
};

/// Where the whole of a sprite's rectangle is drawn.
struct Placement {
  double x = 0, y = 0;  ///< Its centre, from the centre of the character, y up.
  double scale_x = 1, scale_y = 1;
  double rotation_degrees = 0;  ///< Counter-clockwise.
  double opacity = 1;
  bool operator==(const Placement&) const = default;
};

struct PlacedSprite {
  Sprite sprite;
  Placement placement;
};

/// The picture that an operation draws from.
struct Sheet {
  std::uint32_t image = 0;
  std::int64_t width = 0, height = 0;
};

/// What of `operation` is within the picture and, but for #Texture, within the clip of `animation`. Nothing if nothing.
[[nodiscard]] std::optional<PlacedSprite> place(const File& file, int animation, const Operation& operation,
                                                const Sheet& sheet) noexcept;

}  // namespace pchr::chp
