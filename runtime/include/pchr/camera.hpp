// SPDX-License-Identifier: MIT
// A 2D camera: world pixels to the viewport.
#pragma once

#include <pchr/geometry.hpp>

namespace PCHR_API pchr {

/// Looks at a plane: y up in the world, or down for files made the other way.
struct Camera {
  Vec2 centre{0.0F};          ///< World point in the middle of the viewport.
  float zoom = 1.0F;          ///< Viewport pixels per world pixel, above 0.
  Vec2 viewport{1.0F, 1.0F};  ///< Width and height in pixels.
  bool flip_y = false;        ///< World y points down.
};

/// World to normalised device coordinates (-1..1, y up).
[[nodiscard]] Affine world_to_clip(const Camera& camera) noexcept;
/// World to viewport pixels, origin in the top left corner, y down.
[[nodiscard]] Affine world_to_viewport(const Camera& camera) noexcept;
/// Viewport pixels (top left origin, y down) to world.
[[nodiscard]] Vec2 viewport_to_world(const Camera& camera, Vec2 pixel) noexcept;
/// `camera` moved and zoomed so that `bounds` fills its viewport but for `margin` (a fraction of the
/// viewport on each side, below 0.5). Bounds without area keep a usable zoom.
[[nodiscard]] Camera fit(Camera camera, const Rect& bounds, float margin = 0.05F) noexcept;
/// `camera` zoomed by `factor` with the world point under `pixel` staying where it is.
[[nodiscard]] Camera zoom_at(Camera camera, Vec2 pixel, float factor) noexcept;

}  // namespace pchr
