// SPDX-License-Identifier: MIT
// The ground on which a spatial character stands, as lines over the canvas. Knows nothing of the window.
#pragma once

#include "overlays/grid.hpp"
#include "turntable.hpp"

#include <pchr/camera.hpp>
#include <pchr/spatial.hpp>

#include <array>
#include <vector>

namespace pchr::player {

/// A line as it is seen, in viewport pixels from the top left corner, y down.
struct SeenLine {
  Vec2 from{0.0F}, to{0.0F};
  std::array<float, 4> colour{};  ///< Straight RGBA.
  float thickness = 1;
};

/// What the ground is seen with.
struct GroundView {
  const Turntable& turntable;
  const Camera& camera;
  Vec3 pivot{0.0F};  ///< As turn_of() takes it.
  Box box{};         ///< Of what stands there, as it was read.
};

/// The finest grid whose lines are at least `least_pixels` apart where they are seen from above, and not too many.
[[nodiscard]] GridStep ground_step(const GroundView& view, double least_pixels) noexcept;

/// A floor below `view.box` and the origin in lines of `ink` (straight RGB), and over them the axes of the file: x red,
/// y green, z blue, fainter where they are negative.
[[nodiscard]] std::vector<SeenLine> ground_lines(const GroundView& view, const GridStep& step,
                                                 const std::array<float, 3>& ink, float thickness);

}  // namespace pchr::player
