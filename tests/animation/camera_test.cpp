// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <pchr/3d.hpp>
#include <pchr/geometry.hpp>

#include <algorithm>
#include <cmath>
#include <glm/vec4.hpp>

namespace camera_test {
namespace {

using namespace pchr;

void check_near(Vec2 value, Vec2 expected) {
  CHECK(value.x == Approx(expected.x).margin(1e-4));
  CHECK(value.y == Approx(expected.y).margin(1e-4));
}

TEST_CASE("the camera's center is in the middle of the viewport, and y points up, or down if flipped", "[camera]") {
  Camera camera{{10, 20}, 2, {400, 300}, false};
  check_near(apply(world_to_viewport(camera), {10, 20}), {200, 150});
  check_near(apply(world_to_viewport(camera), {11, 21}), {202, 148});
  check_near(apply(world_to_clip(camera), {110, 95}), {1, 1});
  camera.flip_y = true;
  check_near(apply(world_to_viewport(camera), {11, 21}), {202, 152});
  check_near(apply(world_to_clip(camera), {110, 95}), {1, -1});
}

TEST_CASE("a pixel's world point is drawn at that pixel", "[camera]") {
  for (const bool flip : {false, true}) {
    const Camera camera{{-3, 7}, 1.5F, {640, 480}, flip};
    check_near(apply(world_to_viewport(camera), viewport_to_world(camera, {123, 45})), {123, 45});
  }
}

TEST_CASE("zooming keeps the point under the cursor in place", "[camera]") {
  for (const bool flip : {false, true}) {
    const Camera before{{5, 5}, 1, {200, 100}, flip};
    const Vec2 cursor{150, 20};
    const Camera after = zoom_at(before, cursor, 3);
    CHECK(after.zoom == 3);
    check_near(viewport_to_world(after, cursor), viewport_to_world(before, cursor));
  }
}

TEST_CASE("fitted bounds fill the viewport except for the margin", "[camera]") {
  const Camera camera = fit({{}, 1, {400, 200}, false}, {{-50, -50}, {50, 50}}, 0.1F);
  check_near(camera.center, {0, 0});
  CHECK(camera.zoom == Approx(1.6F));
  check_near(apply(world_to_viewport(camera), {-50, 50}), {120, 20});
}

TEST_CASE("bounds without area or content give a usable camera", "[camera]") {
  CHECK(fit({}, Rect{}).zoom == 1);
  CHECK(fit({}, Rect{{3, 4}, {3, 4}}).zoom == 1);
  const Camera line = fit({{}, 1, {100, 100}, false}, Rect{{0, 5}, {50, 5}}, 0);
  CHECK(line.zoom == Approx(2));
  check_near(line.center, {25, 5});
}

// Orbit cameras.

OrbitCamera camera_at(float yaw_degrees, float pitch_degrees) {
  OrbitCamera camera;
  camera.target = {1, 2, 3};
  camera.yaw_degrees = yaw_degrees;
  camera.pitch_degrees = pitch_degrees;
  camera.distance = 10;
  camera.viewport = {200, 100};
  return camera;
}

/// Returns the position of a point on screen: x and y from -1 to 1, and depth.
Vec3 seen(const SceneView& view, Vec3 point) {
  const glm::vec4 clip = view.world_to_clip * glm::vec4(point, 1.0F);
  return Vec3(clip) / clip.w;
}

bool near(Vec3 a, Vec3 b) {
  return std::abs(a.x - b.x) < 1e-5F && std::abs(a.y - b.y) < 1e-5F && std::abs(a.z - b.z) < 1e-5F;
}

TEST_CASE("an orbit camera has its target at the center from every angle", "[orbit]") {
  for (const float yaw : {0.0F, 40.0F, 180.0F, -90.0F}) {
    for (const float pitch : {-80.0F, 0.0F, 33.0F}) {
      const Vec3 middle = seen(scene_view(camera_at(yaw, pitch)), {1, 2, 3});
      CHECK(std::abs(middle.x) < 1e-5F);
      CHECK(std::abs(middle.y) < 1e-5F);
      CHECK(std::abs(middle.z) < 1);
    }
  }
}

TEST_CASE("from the front, right is right, up is up, and nearer points have less depth", "[orbit]") {
  const SceneView view = scene_view(camera_at(0, 0));
  CHECK(seen(view, {2, 2, 3}).x > 0);
  CHECK(seen(view, {1, 3, 3}).y > 0);
  CHECK(seen(view, {1, 2, 4}).z < seen(view, {1, 2, 3}).z);
  // As wide as it is high, whatever the viewport.
  CHECK(seen(view, {2, 2, 3}).x * 200 == Approx(seen(view, {1, 3, 3}).y * 100));
}

TEST_CASE("yaw 90 looks from +x, and pitch 90 looks from above", "[orbit]") {
  CHECK(near(scene_view(camera_at(90, 0)).world_to_view * Vec3{1, 0, 0}, {0, 0, 1}));
  CHECK(near(scene_view(camera_at(90, 0)).world_to_view * Vec3{0, 0, 1}, {-1, 0, 0}));
  CHECK(near(scene_view(camera_at(0, 90)).world_to_view * Vec3{0, 1, 0}, {0, 0, 1}));
  CHECK(near(scene_view(camera_at(50, 0)).world_to_view * Vec3{0, 1, 0}, {0, 1, 0}));
}

TEST_CASE("a fitted camera sees the whole box with no extra space", "[orbit]") {
  const Box box{{-3, 0, -1}, {3, 10, 2}};
  for (const Vec2 viewport : {Vec2{100, 100}, Vec2{300, 100}, Vec2{100, 300}}) {
    for (int yaw = 0; yaw < 360; yaw += 15) {
      for (int pitch = -90; pitch <= 90; pitch += 30) {
        OrbitCamera camera = camera_at(static_cast<float>(yaw), static_cast<float>(pitch));
        camera.viewport = viewport;
        const SceneView view = scene_view(fit(camera, box));
        float widest = 0;
        for (unsigned corner = 0; corner < 8; ++corner) {
          const Vec3 place =
              seen(view, {(corner & 1) != 0 ? box.max.x : box.min.x, (corner & 2) != 0 ? box.max.y : box.min.y,
                          (corner & 4) != 0 ? box.max.z : box.min.z});
          widest = std::max({widest, std::abs(place.x), std::abs(place.y)});
        }
        CHECK(widest == Approx(0.9F));
      }
    }
  }
}

TEST_CASE("an empty or point-sized box gives a usable camera", "[orbit]") {
  for (const Box& box : {Box{}, Box{{1, 1, 1}, {1, 1, 1}}}) {
    const OrbitCamera camera = fit(camera_at(0, 0), box);
    CHECK(camera.distance > 0);
    CHECK(std::isfinite(scene_view(camera).world_to_clip[3].z));
  }
}

TEST_CASE("the scene view of a 2D camera shows the same as that camera, with depth", "[orbit]") {
  Camera camera;
  camera.center = {3, 4};
  camera.zoom = 2;
  camera.viewport = {100, 50};
  for (const bool flip : {false, true}) {
    camera.flip_y = flip;
    const Vec2 plane = apply(world_to_clip(camera), {7, 1});
    const Vec3 place = seen(scene_view(camera, 20), {7, 1, 5});
    CHECK(near(place, {plane.x, plane.y, -0.25F}));
  }
}

}  // namespace
}  // namespace camera_test
