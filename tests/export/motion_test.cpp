// SPDX-License-Identifier: MIT
// Frames that are posed with a rig.
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/export/animation.hpp>

#include <cmath>

namespace pchr::test::motion_test {
namespace {

const Character& arm() {
  static const Character character = build(two_bone_arm());
  return character;
}

/// The lower arm on a spring that swings for longer than the clip.
const Rig& soft() {
  static const Rig rig{
      .springs = {{.name = "lower", .bones = {BoneId{1}}, .tip = {0, 40}, .frequency = 1, .damping = 0.1F}}};
  return rig;
}

FramePlan plan(const Character& character, std::uint32_t cycles = 1) {
  return plan_animation(character, ClipId{1}, {}, cycles).value();
}

float degrees(RigMotion& motion, const Character& character, const FramePlan& plan, std::uint32_t frame) {
  PoseBuffers posed;
  pose_frame(motion, soft(), character, Markers(), plan, frame, posed);
  return posed.pose.rotation_degrees[1];
}

}  // namespace

TEST_CASE("a loop starts with its springs as they are at its end", "[export][motion]") {
  constexpr std::uint32_t kFrames = 8;
  const FramePlan twice = plan(arm(), 2);
  REQUIRE(twice.times.size() == 2 * kFrames);
  RigMotion motion;
  std::vector<float> shown;
  for (std::uint32_t frame = 0; frame < 2 * kFrames; ++frame) shown.push_back(degrees(motion, arm(), twice, frame));
  float swing = 0;
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    CHECK(std::abs(shown[frame] - shown[frame + kFrames]) < 0.2F);
    const auto plain = frame_pose(arm(), ClipId{1}, frame).rotation_degrees[1];
    swing = std::max(swing, std::abs(shown[frame] - plain));
  }
  CHECK(swing > 10);
}

TEST_CASE("a clip that plays once starts with its springs at rest", "[export][motion]") {
  CharacterData data = two_bone_arm();
  data.clips[1].looping = false;
  const Character once = build(data);
  RigMotion motion;
  CHECK(degrees(motion, once, plan(once), 0) == frame_pose(once, ClipId{1}, 0).rotation_degrees[1]);
  CHECK(degrees(motion, once, plan(once), 3) != frame_pose(once, ClipId{1}, 3).rotation_degrees[1]);
}

TEST_CASE("frames with a rig are the same in any order", "[export][motion]") {
  RigMotion motion, other;
  const FramePlan all = plan(arm());
  std::vector<float> shown;
  for (std::uint32_t frame = 0; frame < 8; ++frame) shown.push_back(degrees(motion, arm(), all, frame));
  for (const std::uint32_t frame : {5U, 2U, 2U, 7U, 0U}) CHECK(degrees(other, arm(), all, frame) == shown[frame]);
  degrees(other, arm(), all, 5);
  const std::uint64_t steps = other.state.steps;
  CHECK(degrees(other, arm(), all, 5) == shown[5]);
  CHECK(other.state.steps == steps);
  CHECK(degrees(other, arm(), all, 6) == shown[6]);
}

TEST_CASE("a loop too short to be counted ends", "[export][motion]") {
  CharacterData data = two_bone_arm();
  data.clips[1].frames_per_second = 1e30F;
  const Character fast = build(data);
  RigMotion motion;
  CHECK(std::isfinite(degrees(motion, fast, plan(fast), 7)));
}

}  // namespace pchr::test::motion_test
