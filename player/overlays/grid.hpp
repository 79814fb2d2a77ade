// SPDX-License-Identifier: MIT
// The grid's lines: how far apart, and where in the canvas.
#pragma once

#include "view/turntable.hpp"

#include <array>

namespace pchr::player {

/// Distances of lines in world pixels: both are 1, 2 or 5 times a power of ten, and `major` is a multiple of `minor`.
struct GridStep {
  double minor = 0;
  double major = 0;
};

/// Returns the finest grid whose lines are at least `min_pixels` of the viewport apart. Both values must be above 0.
[[nodiscard]] GridStep grid_step(double zoom, double min_pixels) noexcept;

/// A grid in viewport pixels from the top left corner, y down.
struct GridLines {
  float minor = 0;    ///< Between lines; 0 for no grid.
  float major = 0;    ///< Between bold lines.
  Vec2 phase{0.0F};   ///< Where a bold line is, from 0 up to `major`.
  Vec2 origin{0.0F};  ///< Where the axes are.
  float thickness = 1;
};

[[nodiscard]] GridLines grid_lines(const Camera& camera, const GridStep& step, float thickness) noexcept;

/// A line in viewport pixels from the top left corner, y down.
struct SeenLine {
  Vec2 from{0.0F}, to{0.0F};
  std::array<float, 4> color{};  ///< Straight RGBA.
  float thickness = 1;
};

/// What the ground is seen with.
struct GroundView {
  const Turntable& turntable;
  const Camera& camera;
  Vec3 pivot{0.0F};  ///< As turn_of() takes it.
  Box box{};         ///< Around what stands there, as it was read.
};

/// Returns the finest grid whose lines are at least `min_pixels` apart seen from above, and not too many.
[[nodiscard]] GridStep ground_step(const GroundView& view, double min_pixels) noexcept;

/// Returns a floor below `view.box` and the origin in lines of `ink` (straight RGB), and over it the axes of the file:
/// x red, y green, z blue, fainter where they are negative.
[[nodiscard]] std::vector<SeenLine> ground_lines(const GroundView& view, const GridStep& step,
                                                 const std::array<float, 3>& ink, float thickness);

}  // namespace pchr::player
