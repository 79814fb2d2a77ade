// SPDX-License-Identifier: MIT
// Zooms that keep texels even.
#include "view/whole_zoom.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <cmath>

namespace pchr::player::whole_zoom_test {
namespace {

bool near(float a, float b) { return std::abs(a - b) < 1e-4F; }
bool is_whole(float value) { return std::abs(value - std::round(value)) < 1e-3F; }

}  // namespace

TEST_CASE("a zoom is rounded down or to the nearest whole zoom, and a whole one stays", "[player][pixels]") {
  CHECK(near(whole_zoom_below(3.9F), 3.0F));
  CHECK(near(whole_zoom_below(1.0F), 1.0F));
  CHECK(near(whole_zoom_below(0.99F), 0.5F));
  CHECK(near(whole_zoom_below(0.26F), 0.25F));
  CHECK(near(nearest_whole_zoom(1.39F), 1.0F));
  CHECK(near(nearest_whole_zoom(1.44F), 2.0F));
  CHECK(near(nearest_whole_zoom(0.72F), 1.0F));
  CHECK(near(nearest_whole_zoom(0.69F), 0.5F));
  for (int n = 1; n <= 64; ++n) {
    for (const float zoom : {static_cast<float>(n), 1.0F / static_cast<float>(n)}) {
      CHECK(near(whole_zoom_below(zoom), zoom));
      CHECK(near(nearest_whole_zoom(zoom), zoom));
    }
  }
}

TEST_CASE("a notch moves at least one whole zoom, and more where they are close together", "[player][pixels]") {
  constexpr float kNotch = 1.15F;
  float zoom = 1.0F / 3.0F;
  for (const float next : {0.5F, 1.0F, 2.0F, 3.0F, 4.0F}) {
    zoom = next_whole_zoom(zoom, kNotch);
    CHECK(near(zoom, next));
  }
  for (const float next : {3.0F, 2.0F, 1.0F, 0.5F, 1.0F / 3.0F, 0.25F}) {
    zoom = next_whole_zoom(zoom, 1.0F / kNotch);
    CHECK(near(zoom, next));
  }
  CHECK(near(next_whole_zoom(20.0F, kNotch), 23.0F));
  CHECK(near(next_whole_zoom(2.4F, kNotch), 3.0F));
  CHECK(near(next_whole_zoom(2.4F, 1.0F / kNotch), 2.0F));
}

TEST_CASE("a camera moves by at most half a pixel to align texels with pixels", "[player][pixels]") {
  const Vec2 corner{-83.5F, 135.5F};
  for (const bool flip_y : {false, true}) {
    for (const float zoom : {1.0F, 2.0F, 3.0F, 7.0F}) {
      const Camera camera{.center = {0.37F, -1.21F}, .zoom = zoom, .viewport = {741.0F, 660.0F}, .flip_y = flip_y};
      const Camera moved = aligned_to_pixels(camera, corner);
      INFO("zoom " << zoom << (flip_y ? ", flipped" : ""));
      for (const Vec2 texel : {corner, corner + Vec2{1.0F, 0.0F}, corner + Vec2{5.0F, -11.0F}}) {
        const Vec2 pixel = apply(world_to_viewport(moved), texel);
        CHECK(is_whole(pixel.x));
        CHECK(is_whole(pixel.y));
      }
      CHECK(std::abs(moved.center.x - camera.center.x) * zoom <= 0.501F);
      CHECK(std::abs(moved.center.y - camera.center.y) * zoom <= 0.501F);
      const Camera again = aligned_to_pixels(moved, corner);
      CHECK(near(again.center.x, moved.center.x));
      CHECK(near(again.center.y, moved.center.y));
    }
  }
}

TEST_CASE("below a zoom of 1, pixel centers never fall between texels", "[player][pixels]") {
  for (const float zoom : {0.5F, 0.25F, 1.0F / 3.0F}) {
    const Camera camera = aligned_to_pixels({.center = {0.3F, 0.3F}, .zoom = zoom, .viewport = {64.0F, 64.0F}}, {});
    const Vec2 world = viewport_to_world(camera, {20.5F, 20.5F});
    CHECK_FALSE(is_whole(world.x));
    CHECK_FALSE(is_whole(world.y));
  }
}

TEST_CASE("the texel grid is anchored at the first vertex, or at the origin without one", "[player][pixels]") {
  const Character quad = Character::build(test::sliding_quad()).value();
  CHECK(texel_corner(quad) == Vec2{quad.vertices()[0].x, quad.vertices()[0].y});
  CHECK(texel_corner(Character::build({}).value()) == Vec2{0.0F});
}

}  // namespace pchr::player::whole_zoom_test
