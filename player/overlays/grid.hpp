// SPDX-License-Identifier: MIT
// The grid's lines: how far apart, and where in the canvas. Knows nothing of the window.
#pragma once

#include <pchr/camera.hpp>

namespace pchr::player {

/// Distances of lines in world pixels: both are 1, 2 or 5 times a power of ten, and `major` is a multiple of `minor`.
struct GridStep {
  double minor = 0;
  double major = 0;
};

/// The finest grid whose lines are at least `least_pixels` of the viewport apart. Both values must be above 0.
[[nodiscard]] GridStep grid_step(double zoom, double least_pixels) noexcept;

/// Where a grid's lines are, in viewport pixels from the top left corner, y down.
struct GridLines {
  float minor = 0;    ///< Between lines; 0 for no grid.
  float major = 0;    ///< Between bold lines.
  Vec2 phase{0.0F};   ///< A bold line, from 0 up to `major`.
  Vec2 origin{0.0F};  ///< The axes.
  float thickness = 1;
};

[[nodiscard]] GridLines grid_lines(const Camera& camera, const GridStep& step, float thickness) noexcept;

}  // namespace pchr::player
