// SPDX-License-Identifier: MIT
// Zooms at which all texels are equally large: 1, 2, 3 ... and 1/2, 1/3 ... pixels each.
#pragma once

#include <pchr/character.hpp>

namespace pchr::player {

/// Returns the largest whole zoom that is at most `zoom`, which must be above 0.
[[nodiscard]] float whole_zoom_below(float zoom) noexcept;
[[nodiscard]] float nearest_whole_zoom(float zoom) noexcept;
/// Returns the one nearest to `zoom * factor`, but at least the next in that direction.
[[nodiscard]] float next_whole_zoom(float zoom, float factor) noexcept;

/// Returns a point of the world where texels meet, as they do at whole distances from it if all lie on one grid.
[[nodiscard]] Vec2 texel_corner(const Character& character) noexcept;
/// Moves `camera` by half a pixel at most so that `corner` lies between pixels of the viewport.
[[nodiscard]] Camera on_whole_pixels(Camera camera, Vec2 corner) noexcept;

}  // namespace pchr::player
