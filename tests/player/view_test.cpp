// SPDX-License-Identifier: MIT
// Zooms, the grid, and onion skins.
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "view/canvas.hpp"
#include "view/scene.hpp"

#include <cmath>
#include <vector>

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

namespace pchr::test::overlays_test {
namespace {

using player::FrameOrder;
using player::OnionFrame;
using Frames = std::vector<OnionFrame>;

Frames onion_frames(const FrameOrder& order, std::uint32_t frame, std::uint32_t before, std::uint32_t after) {
  Frames frames{{7, 7}};
  player::find_onion_frames(order, frame, before, after, frames);
  return frames;
}

}  // namespace

TEST_CASE("grid steps are the finest round ones that are far enough apart", "[overlays]") {
  for (double zoom = 0.01; zoom < 64.0; zoom *= 1.037) {
    CAPTURE(zoom);
    const player::GridStep step = player::grid_step(zoom, 14);
    const double digit = step.minor / std::pow(10.0, std::floor(std::log10(step.minor * 1.000001)));
    CHECK((std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6));
    CHECK(step.minor * zoom > 13.999);
    CHECK(step.minor * zoom < 14 * 2.5 + 0.001);
    const double lines = step.major / step.minor;
    CHECK(std::abs(lines - std::round(lines)) < 1e-6);
    CHECK(lines > 3.9);
  }
  CHECK(player::grid_step(14, 14).minor == 1.0);
  CHECK(player::grid_step(1, 14).minor == 20.0);
  CHECK(player::grid_step(1, 14).major == 100.0);
  CHECK(player::grid_step(1, 21).major == 200.0);
}

TEST_CASE("grid lines and axes follow the camera", "[overlays]") {
  Camera camera{.center = {30, -20}, .zoom = 2, .viewport = {400, 300}};
  for (const bool flip : {false, true}) {
    CAPTURE(flip);
    camera.flip_y = flip;
    const player::GridLines lines = player::grid_lines(camera, {10, 50}, 1);
    const Affine to_viewport = world_to_viewport(camera);
    const Vec2 origin = apply(to_viewport, {0, 0});
    CHECK(lines.origin == origin);
    CHECK(lines.minor == 20);
    CHECK(lines.major == 100);
    for (const auto& [phase, at] : {std::pair{lines.phase.x, origin.x}, std::pair{lines.phase.y, origin.y}}) {
      CHECK(phase >= 0);
      CHECK(phase < 100);
      CHECK(std::remainder(at - phase, 100.0F) == 0);
    }
  }
}

TEST_CASE("a grid stays sharp far away from the origin", "[overlays]") {
  const Camera camera{.center = {1e6F, 1e6F}, .zoom = 64, .viewport = {400, 300}};
  const player::GridLines lines = player::grid_lines(camera, {1, 5}, 1);
  CHECK(lines.phase == Vec2{200, 150});
  CHECK(lines.origin.x < -400);
}

TEST_CASE("a trail has the joint's world position in each frame", "[overlays]") {
  const Character character = Character::build(two_bone_arm()).value();
  const ClipId clip = character.find_clip("bend");
  player::Trail trail;
  player::find_trail(trail, character, clip, BoneId{1});
  CHECK(trail.points == std::vector<Vec3>(8, {0, 40, 0}));

  CharacterData data = sliding_quad();
  data.bones.push_back({"tip", BoneId{0}});
  for (Clip& each : data.clips) {
    const BoneSamples before = each.samples;
    each.samples.resize(std::size_t{each.frame_count} * 2);
    for (std::size_t frame = 0; frame < each.frame_count; ++frame) {
      each.samples.x[frame * 2] = before.x[frame];
      each.samples.rotation_degrees[frame * 2] = 90;
      each.samples.x[frame * 2 + 1] = 10;
    }
  }
  const Character sliding = Character::build(std::move(data)).value();
  const ClipId slide = sliding.find_clip("slide");
  player::find_trail(trail, sliding, slide, BoneId{1});
  REQUIRE(trail.points.size() == 4);
  for (std::size_t frame = 0; frame < 4; ++frame) {
    CHECK(std::abs(trail.points[frame].x - 4.0F * static_cast<float>(frame)) < 1e-4F);
    CHECK(std::abs(trail.points[frame].y - 10.0F) < 1e-4F);
  }
}

TEST_CASE("a trail is cached per bone, clip and file", "[overlays]") {
  const Character character = Character::build(two_bone_arm()).value();
  player::Trail trail;
  player::find_trail(trail, character, ClipId{1}, BoneId{1});
  trail.points[0] = {-1, -1, 0};
  player::find_trail(trail, character, ClipId{1}, BoneId{1});
  CHECK(trail.points[0] == Vec3{-1, -1, 0});
  const Character other = Character::build(two_bone_arm()).value();
  struct Place {
    const Character& character;
    BoneId bone;
  };
  for (const auto& [of, bone] : {Place{character, BoneId{1}}, Place{character, BoneId{2}}, Place{other, BoneId{2}}}) {
    trail.points.assign(1, {-1, -1, 0});
    player::find_trail(trail, of, ClipId{0}, bone);
    CHECK(trail.points[0] != Vec3{-1, -1, 0});
  }
}

TEST_CASE("onion frames wrap if the clip loops, furthest first", "[overlays]") {
  const FrameOrder loop{.frames = {0, 9}, .loops = true};
  CHECK(onion_frames(loop, 5, 2, 2) == Frames{{7, 2}, {3, -2}, {6, 1}, {4, -1}});
  CHECK(onion_frames(loop, 0, 2, 1) == Frames{{8, -2}, {1, 1}, {9, -1}});
  CHECK(onion_frames(loop, 9, 0, 3) == Frames{{2, 3}, {1, 2}, {0, 1}});
  CHECK(onion_frames(loop, 4, 0, 0).empty());
}

TEST_CASE("onion frames stop at the ends of a clip that plays once", "[overlays]") {
  const FrameOrder once{.frames = {2, 6}};
  CHECK(onion_frames(once, 2, 3, 2) == Frames{{4, 2}, {3, 1}});
  CHECK(onion_frames(once, 5, 1, 3) == Frames{{6, 1}, {4, -1}});
}

TEST_CASE("onion frames are unique, however short the clip", "[overlays]") {
  CHECK(onion_frames({.frames = {0, 0}, .loops = true}, 0, 5, 5).empty());
  CHECK(onion_frames({.frames = {0, 2}, .loops = true}, 1, 5, 5) == Frames{{2, 1}, {0, -1}});
  CHECK(onion_frames({.frames = {0, 3}, .loops = true}, 0, 2, 2) == Frames{{2, -2}, {1, 1}, {3, -1}});
}

TEST_CASE("onion frames follow a loop that starts inside its clip", "[overlays]") {
  const FrameOrder intro{.frames = {0, 9}, .loops = true, .loop_begin = 4};
  CHECK(onion_frames(intro, 9, 1, 2) == Frames{{5, 2}, {4, 1}, {8, -1}});
  CHECK(onion_frames(intro, 0, 2, 1) == Frames{{1, 1}});
}

TEST_CASE("the frame order matches playback", "[overlays]") {
  Clip clip = resting_clip("clip", 10, 1);
  clip.looping = true;
  clip.loop_start = 3;
  player::PlaybackSettings settings;
  player::Transport clock(clip, settings);
  CHECK(player::frame_order(clock, clip).loops);
  CHECK(player::frame_order(clock, clip).loop_begin == 3);
  clock.set_range(clip, FrameRange{2, 5});
  CHECK(player::frame_order(clock, clip).frames == FrameRange{2, 5});
  CHECK(player::frame_order(clock, clip).loop_begin == 2);
  settings.mode = LoopMode::ping_pong;
  clock.configure(settings);
  CHECK_FALSE(player::frame_order(clock, clip).loops);
}

}  // namespace pchr::test::overlays_test
