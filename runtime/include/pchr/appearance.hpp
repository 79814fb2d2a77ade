// SPDX-License-Identifier: MIT
// How one character among many is placed and coloured.
#pragma once

#include <pchr/geometry.hpp>

#include <array>

namespace pchr {

/// How one character is placed and coloured.
struct Appearance {
  Affine placement = kIdentity;           ///< Character to world.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Straight RGBA, 0..1 in steps of 1/255, multiplied into every pixel.
};

}  // namespace pchr
