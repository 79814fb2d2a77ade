// SPDX-License-Identifier: MIT
// Zooms at which all texels have the same size: 1, 2, 3 ... and 1/2, 1/3 ... pixels.
#pragma once

#include <pchr/character.hpp>

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace pchr::player {

inline constexpr float kZoomRounding = 1e-4F;  ///< Max relative distance from a whole zoom to count as one.

[[nodiscard]] inline float whole_zoom_above(float zoom) noexcept {
  zoom *= 1.0F - kZoomRounding;
  return zoom > 1.0F ? std::ceil(zoom) : 1.0F / std::floor(1.0F / zoom);
}

/// Returns the largest whole zoom that is at most `zoom`, which must be positive.
[[nodiscard]] inline float whole_zoom_below(float zoom) noexcept {
  zoom *= 1.0F + kZoomRounding;
  return zoom >= 1.0F ? std::floor(zoom) : 1.0F / std::ceil(1.0F / zoom);
}

[[nodiscard]] inline float nearest_whole_zoom(float zoom) noexcept {
  const float below = whole_zoom_below(zoom);
  const float above = whole_zoom_above(zoom);
  return zoom * zoom < below * above ? below : above;
}

/// Returns the whole zoom nearest to `zoom * factor`, but at least one step in that direction.
[[nodiscard]] inline float next_whole_zoom(float zoom, float factor) noexcept {
  const float wanted = nearest_whole_zoom(zoom * factor);
  constexpr float kOff = 1.0F + 3.0F * kZoomRounding;
  if (factor > 1.0F) return std::max(wanted, whole_zoom_above(zoom * kOff));
  return std::min(wanted, whole_zoom_below(zoom / kOff));
}

/// Returns a world point where texels meet. If all meshes share one grid, they also meet at whole distances from it.
[[nodiscard]] inline Vec2 texel_corner(const Character& character) noexcept {
  if (character.meshes().empty()) return Vec2{0.0F};
  const auto vertices = character.vertices(character.meshes().front());
  return vertices.empty() ? Vec2{0.0F} : Vec2{vertices.front().x, vertices.front().y};
}

/// Moves `camera` by at most half a pixel so that `corner` lies between viewport pixels.
[[nodiscard]] inline Camera aligned_to_pixels(Camera camera, Vec2 corner) noexcept {
  // Below 1, a pixel's center can fall exactly between texels; an offset makes the choice stable.
  constexpr float kAside = 1.0F / 64.0F;
  const Vec2 aside{camera.zoom < 1.0F ? kAside : 0.0F};
  const Vec2 pixel = apply(world_to_viewport(camera), corner) - aside;
  const Vec2 moved = (glm::round(pixel) - pixel) / camera.zoom;
  camera.center += Vec2{-moved.x, camera.flip_y ? -moved.y : moved.y};
  return camera;
}

}  // namespace pchr::player
