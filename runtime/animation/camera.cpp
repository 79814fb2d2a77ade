// SPDX-License-Identifier: MIT
// Cameras and placements.
#include "character/sine_cosine.hpp"

#include <pchr/3d.hpp>
#include <pchr/pose.hpp>

#include <algorithm>

namespace pchr {
namespace {

float y_direction(const Camera& camera) noexcept { return camera.flip_y ? -1.0F : 1.0F; }

/// Returns the rotation from world directions to the camera's: back by its yaw, then by its pitch.
glm::mat3 rotation_of(const OrbitCamera& camera) noexcept {
  const SineCosine yaw = sine_cosine_degrees(camera.yaw_degrees);
  const SineCosine pitch = sine_cosine_degrees(camera.pitch_degrees);
  // Columns: the images of world x, y and z.
  return {yaw.cosine, -pitch.sine * yaw.sine,   pitch.cosine * yaw.sine,  0.0F, pitch.cosine, pitch.sine,
          -yaw.sine,  -pitch.sine * yaw.cosine, pitch.cosine * yaw.cosine};
}

float tangent_of_half(float degrees) noexcept {
  const SineCosine half = sine_cosine_degrees(std::clamp(degrees, 1.0F, 150.0F) / 2);
  return half.sine / half.cosine;
}

}  // namespace

Affine world_to_clip(const Camera& camera) noexcept {
  const float x = 2.0F * camera.zoom / camera.viewport.x;
  const float y = 2.0F * camera.zoom / camera.viewport.y * y_direction(camera);
  return {x, 0.0F, 0.0F, y, -camera.center.x * x, -camera.center.y * y};
}

Affine world_to_viewport(const Camera& camera) noexcept {
  const float x = camera.zoom;
  const float y = -camera.zoom * y_direction(camera);
  return {
      x, 0.0F, 0.0F, y, camera.viewport.x * 0.5F - camera.center.x * x, camera.viewport.y * 0.5F - camera.center.y * y};
}

Vec2 viewport_to_world(const Camera& camera, Vec2 pixel) noexcept {
  const Vec2 from_middle = pixel - camera.viewport * 0.5F;
  return {camera.center.x + from_middle.x / camera.zoom,
          camera.center.y - from_middle.y / camera.zoom * y_direction(camera)};
}

Camera fit(Camera camera, const Rect& bounds, float margin) noexcept {
  camera.center = bounds.center();
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
  camera.center += fixed - viewport_to_world(camera, pixel);
  return camera;
}

Affine placement(Vec2 position, float rotation_degrees, float scale, bool flip_x) noexcept {
  const auto [sine, cosine] = sine_cosine_degrees(rotation_degrees);
  const float across = flip_x ? -scale : scale;
  return {cosine * across, sine * across, -sine * scale, cosine * scale, position.x, position.y};
}

SceneView scene_view(const OrbitCamera& camera) noexcept {
  SceneView view;
  view.world_to_view = rotation_of(camera);
  const Vec3 moved = view.world_to_view * -camera.target;
  const float near = camera.distance * 0.01F, far = camera.distance * 100.0F;
  const float y = 1 / tangent_of_half(camera.field_of_view_degrees);
  const float x = y * camera.viewport.y / camera.viewport.x;
  const float depth = -(far + near) / (far - near), offset = -2 * far * near / (far - near);
  for (int column = 0; column < 4; ++column) {
    const Vec3 at = column < 3 ? view.world_to_view[column] : moved - Vec3{0.0F, 0.0F, camera.distance};
    view.world_to_clip[column] = {at.x * x, at.y * y, at.z * depth + (column == 3 ? offset : 0.0F), -at.z};
  }
  return view;
}

SceneView scene_view(const Camera& camera, float reach) noexcept {
  const Affine plane = world_to_clip(camera);
  SceneView view;
  view.world_to_clip[0] = {plane[0].x, plane[0].y, 0.0F, 0.0F};
  view.world_to_clip[1] = {plane[1].x, plane[1].y, 0.0F, 0.0F};
  view.world_to_clip[2] = {0.0F, 0.0F, reach > 0 ? -1 / reach : -1.0F, 0.0F};
  view.world_to_clip[3] = {plane[2].x, plane[2].y, 0.0F, 1.0F};
  view.world_to_view[1].y = camera.flip_y ? -1.0F : 1.0F;
  return view;
}

OrbitCamera fit(OrbitCamera camera, const Box& box, float margin) noexcept {
  camera.target = box.center();
  const glm::mat3 rotation = rotation_of(camera);
  const Vec3 half = box.size() * 0.5F;
  const float y = tangent_of_half(camera.field_of_view_degrees) * std::max(1 - 2 * margin, 0.01F);
  const float x = y * camera.viewport.x / camera.viewport.y;
  float distance = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Vec3 at = rotation * Vec3{(corner & 1) != 0 ? half.x : -half.x, (corner & 2) != 0 ? half.y : -half.y,
                                    (corner & 4) != 0 ? half.z : -half.z};
    distance = std::max({distance, at.z + std::abs(at.x) / x, at.z + std::abs(at.y) / y});
  }
  camera.distance = std::isfinite(distance) && distance > 0 ? distance : 1.0F;
  return camera;
}

Box box_of(const Character& character, const PoseBuffers& posed) {
  Box box;
  if (!character.is_3d()) return box;
  std::vector<Vec3> points;
  for (const DrawItem& item : posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    points.resize(mesh.vertex_count);
    deform(character.vertices(mesh), character.vertices_3d().subspan(mesh.first_vertex, mesh.vertex_count),
           posed.palette_3d, points);
    for (const Vec3 point : points) {
      if (std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z)) box.include(point);
    }
  }
  return box;
}

}  // namespace pchr
