// SPDX-License-Identifier: MIT
// Computations behind the overlays, without a window.
#include "overlays/grid.hpp"
#include "overlays/motion.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <cmath>
#include <vector>

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
