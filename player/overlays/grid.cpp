// SPDX-License-Identifier: MIT
#include "overlays/grid.hpp"

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

/// So far from the canvas an axis is not seen; floats stay exact there.
constexpr double kFarAway = 1e5;

double wrapped(double value, double period) noexcept { return value - std::floor(value / period) * period; }

}  // namespace

GridStep grid_step(double zoom, double least_pixels) noexcept {
  const double least = least_pixels / zoom;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    // What rounding leaves of a step that fits exactly still fits.
    if (digit * power >= least * (1.0 - 1e-9)) return {digit * power, (digit == 5.0 ? 20.0 : digit * 5.0) * power};
  }
  return {10.0 * power, 50.0 * power};
}

GridLines grid_lines(const Camera& camera, const GridStep& step, float thickness) noexcept {
  const double zoom = camera.zoom;
  const double up = camera.flip_y ? -1.0 : 1.0;
  const double x = camera.viewport.x * 0.5 - camera.centre.x * zoom;
  const double y = camera.viewport.y * 0.5 + camera.centre.y * zoom * up;
  const double major = step.major * zoom;
  const auto near = [](double value) { return static_cast<float>(std::clamp(value, -kFarAway, kFarAway)); };
  return {.minor = static_cast<float>(step.minor * zoom),
          .major = static_cast<float>(major),
          .phase = {static_cast<float>(wrapped(x, major)), static_cast<float>(wrapped(y, major))},
          .origin = {near(x), near(y)},
          .thickness = thickness};
}

}  // namespace pchr::player
