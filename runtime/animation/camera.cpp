// SPDX-License-Identifier: MIT
// A 2D camera.
#include <pchr/camera.hpp>

#include <algorithm>

namespace pchr {
namespace {

float y_direction(const Camera& camera) noexcept { return camera.flip_y ? -1.0F : 1.0F; }

}  // namespace

Affine world_to_clip(const Camera& camera) noexcept {
  const float x = 2.0F * camera.zoom / camera.viewport.x;
  const float y = 2.0F * camera.zoom / camera.viewport.y * y_direction(camera);
  return {x, 0.0F, 0.0F, y, -camera.centre.x * x, -camera.centre.y * y};
}

Affine world_to_viewport(const Camera& camera) noexcept {
  const float x = camera.zoom;
  const float y = -camera.zoom * y_direction(camera);
  return {
      x, 0.0F, 0.0F, y, camera.viewport.x * 0.5F - camera.centre.x * x, camera.viewport.y * 0.5F - camera.centre.y * y};
}

Vec2 viewport_to_world(const Camera& camera, Vec2 pixel) noexcept {
  const Vec2 from_middle = pixel - camera.viewport * 0.5F;
  return {camera.centre.x + from_middle.x / camera.zoom,
          camera.centre.y - from_middle.y / camera.zoom * y_direction(camera)};
}

Camera fit(Camera camera, const Rect& bounds, float margin) noexcept {
  camera.centre = bounds.centre();
  const Vec2 size = bounds.size();
  const Vec2 room = camera.viewport * std::max(1.0F - 2.0F * margin, 0.01F);
  const float widest = size.x > 0 ? room.x / size.x : 1.0e9F;
  const float tallest = size.y > 0 ? room.y / size.y : 1.0e9F;
  const float zoom = std::min(widest, tallest);
  camera.zoom = zoom >= 1.0e9F ? 1.0F : std::max(zoom, 1.0e-30F);
  return camera;
}

Camera zoom_at(Camera camera, Vec2 pixel, float factor) noexcept {
  const Vec2 fixed = viewport_to_world(camera, pixel);
  camera.zoom *= factor;
  camera.centre += fixed - viewport_to_world(camera, pixel);
  return camera;
}

}  // namespace pchr
