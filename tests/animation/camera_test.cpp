// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <pchr/geometry.hpp>

namespace camera_test {
using namespace pchr;

namespace {
void check_near(Vec2 value, Vec2 expected) {
  CHECK(value.x == Approx(expected.x).margin(1e-4));
  CHECK(value.y == Approx(expected.y).margin(1e-4));
}
}  // namespace

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

}  // namespace camera_test
