// SPDX-License-Identifier: MIT
#include <pchr/pose.hpp>

#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include "character/sine_cosine.hpp"

#include <pchr/load.hpp>

#include <cmath>
#include <cstring>
#include <random>
#include <utility>

namespace bone_test {
using namespace pchr;
using namespace pchr::test;

namespace {

bool same_bits(const Affine& a, const Affine& b) { return std::memcmp(&a, &b, sizeof(Affine)) == 0; }

/// A chain of bones, deeper than any fixed-size list of ancestors.
Character deep_chain(std::size_t bones) {
  CharacterData data;
  for (std::size_t i = 0; i < bones; ++i)
    data.bones.push_back({std::to_string(i), BoneId(static_cast<std::int32_t>(i) - 1)});
  Clip clip = resting_clip("coil", 2, bones);
  for (std::size_t i = 0; i < 2 * bones; ++i) {
    clip.samples.x[i] = 0.5F;
    clip.samples.y[i] = 3.0F;
    clip.samples.rotation_degrees[i] = static_cast<float>(i % 23) * 1.7F - 15.0F;
    clip.samples.scale_x[i] = i % 7 == 0 ? -1.0F : 1.0F;
  }
  data.clips.push_back(std::move(clip));
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

std::vector<Character> many_characters() {
  std::vector<Character> characters{deep_chain(64), deep_chain(65), deep_chain(300)};
  auto files = conformance_characters();
  for (const char* name : {"kiri.pchr", "corners.pchr", "quad.pchr"}) files.push_back(asset(name));
  for (const auto& file : files) characters.push_back(load_character(file).value());
  return characters;
}

/// Returns how many bones differ from composing all of them.
int count_strays(const Character& character, const PoseRequest& request) {
  Pose pose;
  sample(character, request, pose);
  const PoseView view = pose.frame(0, character.bones().size());
  std::vector<Affine> world(character.bones().size());
  compose(character.bones(), view, world);
  int strays = 0;
  for (const BoneId bone : character.bones().ids()) {
    const Affine& composed = world[index(bone)];
    strays += !same_bits(bone_world(character.bones(), view, bone), composed);
    strays += !same_bits(bone_world(character, request, bone), composed);
    if (request.fade_weight == 0) {
      strays += !same_bits(bone_world(character, request.clip, request.position, bone), composed);
    }
  }
  return strays;
}

/// Two bones. All frames of both clips are one pose.
Pose arm_pose(Vec2 parent_scale, float parent_degrees, Vec2 scale, float degrees) {
  Pose pose;
  pose.resize(2);
  pose.x = {5, 3};
  pose.y = {-2, 20};
  pose.rotation_degrees = {parent_degrees, degrees};
  pose.scale_x = {parent_scale.x, scale.x};
  pose.scale_y = {parent_scale.y, scale.y};
  return pose;
}

const std::vector<Bone> kArm{{"upper", BoneId::none}, {"lower", BoneId{0}}};

}  // namespace

TEST_CASE("one bone's world transform has the same bits as composing all bones", "[bone]") {
  for (const Character& character : many_characters()) {
    for (const ClipId clip : character.clips().ids()) {
      const std::uint32_t frames = character.clips()[clip].frame_count;
      for (std::uint32_t frame = 0; frame < frames; frame += 7) {
        const ClipTime between{frame, (frame + 1) % frames, 0.3F};
        INFO("clip " << index(clip) << " frame " << frame);
        CHECK(count_strays(character, {clip, {frame, frame, 0}}) == 0);
        CHECK(count_strays(character, {clip, between}) == 0);
        CHECK(count_strays(character, {clip, between, {}, {}, 0.4F}) == 0);
        CHECK(count_strays(character, {{}, {}, clip, between, 1}) == 0);
      }
    }
  }
}

TEST_CASE("a bone of the bind pose is where composing the bind pose puts it", "[bone]") {
  for (const Character& character : many_characters()) {
    PoseBuffers posed;
    pose_bind(character, posed);
    for (const BoneId bone : character.bones().ids()) {
      CHECK(same_bits(bind_bone_world(character, bone), posed.world[index(bone)]));
    }
  }
}

TEST_CASE("a clip without frames has the bones of the bind pose", "[bone]") {
  CharacterData data = sliding_quad();
  data.clips[0].samples.x[0] = 7;
  data.clips.push_back(resting_clip("empty", 0, 1));
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  CHECK(position_of(bone_world(*character, ClipId{2}, {}, BoneId{0})) == Vec2{7, 0});
}

TEST_CASE("a rotated bone's direction is its rotation", "[bone]") {
  for (float degrees = -179.5F; degrees <= 180; degrees += 0.5F) {
    const Pose pose = arm_pose({1, 1}, degrees, {2, 3}, 0);
    CHECK(rotation_degrees_of(bone_world(kArm, pose.frame(0, 2), BoneId{1})) == Approx(degrees).margin(2e-5));
  }
  CHECK(rotation_degrees_of(kIdentity) == 0.0F);
  CHECK(rotation_degrees_of({0, 1, -1, 0, 0, 0}) == 90.0F);
  CHECK(rotation_degrees_of({-1, 0, 0, -1, 0, 0}) == 180.0F);
  CHECK(rotation_degrees_of({0, -1, 1, 0, 0, 0}) == -90.0F);
  // Mirrored across, it still points up; mirrored along, down.
  CHECK(rotation_degrees_of({-1, 0, 0, 1, 0, 0}) == 0.0F);
  CHECK(rotation_degrees_of({1, 0, 0, -1, 0, 0}) == 180.0F);
  CHECK(rotation_degrees_of({1, 0, 0, 0, 0, 0}) == 0.0F);
  CHECK(rotation_degrees_of({1, 0, NAN, 1, 0, 0}) == 0.0F);
}

TEST_CASE("angles match atan2 and are exact at multiples of 45", "[bone]") {
  for (int eighth = -3; eighth <= 4; ++eighth) {
    const double radians = eighth * std::acos(-1.0) / 4;
    CHECK(angle_degrees(std::round(std::sin(radians) * 1.5), std::round(std::cos(radians) * 1.5)) ==
          static_cast<float>(eighth) * 45.0F);
  }
  CHECK(angle_degrees(0, 0) == 0.0F);
  CHECK(angle_degrees(-1e-30, -1) == 180.0F);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  float worst = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double y = any(random), x = any(random);
    const auto exact = static_cast<float>(std::atan2(y, x) * 57.295779513082321);
    worst = std::max(worst, std::abs(angle_degrees(y, x) - exact) / std::max(std::abs(exact), 1e-3F));
  }
  CHECK(worst < 1.2e-7F);
}

TEST_CASE("rotating a bone toward a point makes it point there, whatever its parents do", "[bone]") {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> scale(0.2F, 3), angle(-720, 720), place(-200, 200);
  std::bernoulli_distribution flipped;
  const auto signed_scale = [&] { return flipped(random) ? -scale(random) : scale(random); };
  for (int i = 0; i < 2000; ++i) {
    Pose pose =
        arm_pose({signed_scale(), signed_scale()}, angle(random), {signed_scale(), signed_scale()}, angle(random));
    const Vec2 target{place(random), place(random)};
    const float degrees = rotation_towards(kArm, pose.frame(0, 2), BoneId{1}, target);
    REQUIRE(degrees > -180);
    REQUIRE(degrees <= 180);
    pose.rotation_degrees[1] = degrees;
    const Affine world = bone_world(kArm, pose.frame(0, 2), BoneId{1});
    const Vec2 to = target - position_of(world);
    const float length = std::hypot(to.x, to.y) * std::hypot(world[1].x, world[1].y);
    CHECK((to.x * world[1].y - to.y * world[1].x) / length == Approx(0).margin(1e-5));
    CHECK(to.x * world[1].x + to.y * world[1].y > 0);
  }
  // A root lies along +Y, so a target to the right is a quarter turn clockwise.
  const Pose pose = arm_pose({1, 1}, 12, {1, 1}, 0);
  CHECK(rotation_towards(kArm, pose.frame(0, 2), BoneId{0}, {50, -2}) == -90.0F);
}

TEST_CASE("rotating a bone points its own axis at the target, mirrored or scaled", "[bone]") {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> scale(0.2F, 3), angle(-720, 720), place(-200, 200), unit(-1, 1);
  std::bernoulli_distribution flipped;
  const auto signed_scale = [&] { return flipped(random) ? -scale(random) : scale(random); };
  for (int i = 0; i < 2000; ++i) {
    Pose pose =
        arm_pose({signed_scale(), signed_scale()}, angle(random), {signed_scale(), signed_scale()}, angle(random));
    const Vec2 target{place(random), place(random)}, axis{unit(random), unit(random)};
    pose.rotation_degrees[1] = rotation_towards(kArm, pose.frame(0, 2), BoneId{1}, target, axis);
    const Affine world = bone_world(kArm, pose.frame(0, 2), BoneId{1});
    const Vec2 to = target - position_of(world), points = apply(world, axis) - position_of(world);
    const float length = std::hypot(to.x, to.y) * std::hypot(points.x, points.y);
    CHECK((to.x * points.y - to.y * points.x) / length == Approx(0).margin(2e-4));
    CHECK(to.x * points.x + to.y * points.y > 0);
  }
  const Pose pose = arm_pose({1, 1}, 12, {1, 1}, 0);
  CHECK(rotation_towards(kArm, pose.frame(0, 2), BoneId{0}, {50, -2}, {1, 0}) == 0.0F);
  CHECK(rotation_towards(kArm, pose.frame(0, 2), BoneId{0}, {50, -2}, {0, -3}) == 90.0F);
  CHECK(rotation_towards(kArm, pose.frame(0, 2), BoneId{0}, {50, -2}, {0, 0}) == 12.0F);
  CHECK(rotation_towards(kArm, pose.frame(0, 2), BoneId{0}, {50, -2}, {NAN, 1}) == 12.0F);
}

TEST_CASE("a bone that cannot point at the target keeps its rotation", "[bone]") {
  const auto rotation = [](const Pose& pose, Vec2 target) {
    return rotation_towards(kArm, pose.frame(0, 2), BoneId{1}, target);
  };
  CHECK(rotation(arm_pose({1, 1}, 0, {1, 1}, 33), {8, 18}) == 33.0F);  // The target is the bone's origin.
  CHECK(rotation(arm_pose({0, 1}, 10, {1, 1}, 33), {1, 2}) == 33.0F);
  CHECK(rotation(arm_pose({1, 1}, 10, {1, 0}, 33), {1, 2}) == 33.0F);
  CHECK(rotation(arm_pose({1, 1}, 10, {1, 1}, 33), {NAN, 2}) == 33.0F);
  CHECK(rotation(arm_pose({1, 1}, 10, {1, 1}, 33), {1, INFINITY}) == 33.0F);
}

}  // namespace bone_test
