// SPDX-License-Identifier: MIT
// Spacing and position of the grid's lines.
#pragma once

#include "document/turntable.hpp"
#include "gl/painting.hpp"

#include <array>

namespace pchr::player {

/// Line distances in world pixels. Both are 1, 2 or 5 times a power of ten, and `major` is a multiple of `minor`.
struct GridStep {
  double minor = 0;
  double major = 0;
};

/// Returns the finest grid whose lines are at least `min_pixels` viewport pixels apart. Both arguments must be
/// positive.
[[nodiscard]] GridStep grid_step(double zoom, double min_pixels) noexcept;

[[nodiscard]] GridLines grid_lines(const Camera& camera, const GridStep& step, float thickness) noexcept;

/// The view of the ground.
struct GroundView {
  const Turntable& turntable;
  const Camera& camera;
  Vec3 pivot{0.0F};  ///< As for rotation_of().
  Box box{};         ///< Bounds of the object on the ground, as read.
};

/// Returns the finest grid whose lines are at least `min_pixels` apart when viewed from above, limited to a sane number
/// of lines.
[[nodiscard]] GridStep ground_step(const GroundView& view, double min_pixels) noexcept;

/// Returns the lines of a floor under `view.box` and the origin, in color `ink` (straight RGB), and of the file's axes
/// above it: x red, y green, z blue, fainter on their negative side.
[[nodiscard]] std::vector<SeenLine> ground_lines(const GroundView& view, const GridStep& step,
                                                 const std::array<float, 3>& ink, float thickness);

}  // namespace pchr::player
