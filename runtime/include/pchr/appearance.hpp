// SPDX-License-Identifier: MIT
// How one character among many is placed and coloured.
#pragma once

#include <pchr/geometry.hpp>

#include <array>

namespace PCHR_API pchr {

/// How one character is placed and coloured.
struct Appearance {
  Affine placement = kIdentity;           ///< Character to world.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Straight RGBA, 0..1 in steps of 1/255, multiplied into every pixel.
};

/// Puts a character's origin at `position` (world pixels), turned by `rotation_degrees` counter-clockwise, `scale`
/// times as large, and where asked mirrored left to right before it is turned. The same bits on every machine.
[[nodiscard]] Affine placement(Vec2 position, float rotation_degrees = 0, float scale = 1,
                               bool flip_x = false) noexcept;

}  // namespace pchr
