// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/animator.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace rig_test {
using namespace pchr;
using namespace pchr::test;

namespace {

auto near(double value, double margin) { return Catch::Matchers::WithinAbs(value, margin); }

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct TestBone {
  const char* name;
  int parent;
  float x, y, rotation_degrees = 0, scale_x = 1, scale_y = 1;
};

/// Returns a character whose only clip, "rest", holds these bones still.
Character skeleton(const std::vector<TestBone>& bones) {
  CharacterData data;
  Clip rest = resting_clip("rest", 2, bones.size(), 10);
  rest.looping = true;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const TestBone& bone = bones[i];
    data.bones.push_back({bone.name, bone.parent < 0 ? BoneId::none : BoneId(bone.parent)});
    for (const std::size_t sample : {i, bones.size() + i}) {
      rest.samples.x[sample] = bone.x, rest.samples.y[sample] = bone.y;
      rest.samples.rotation_degrees[sample] = bone.rotation_degrees;
      rest.samples.scale_x[sample] = bone.scale_x, rest.samples.scale_y[sample] = bone.scale_y;
    }
  }
  data.clips.push_back(std::move(rest));
  return build(std::move(data));
}

/// A root, and a limb of 100 + 80 pixels along +Y, slightly bent, with a hand.
Character limb(TestBone root = {"root", -1, 10, 20}) {
  return skeleton({root, {"upper", 0, 5, 0}, {"lower", 1, 0, 100, 20}, {"hand", 2, 0, 80, 30}});
}

/// A root with a chain of four bones of 50 pixels that hangs to the side.
Character tail() {
  return skeleton({{"root", -1, 0, 0},
                   {"t1", 0, 0, 0, 90},
                   {"t2", 1, 0, 50},
                   {"t3", 2, 0, 50},
                   {"t4", 3, 0, 50},
                   {"eye", 0, 3, 4}});
}

const std::vector<BoneId> kTail{BoneId{1}, BoneId{2}, BoneId{3}, BoneId{4}};

Rig tail_rig(SpringChain chain = {}) {
  chain.name = "tail";
  chain.bones = kTail;
  Rig rig;
  rig.springs.push_back(chain);
  return rig;
}

Pose bind_of(const Character& character) {
  Pose pose;
  sample_bind_pose(character, pose);
  return pose;
}

Vec2 point_at(const Character& character, const Pose& pose, BoneId bone, Vec2 local = Vec2{0.0F}) {
  return apply(bone_world(character.bones(), view(pose), bone), local);
}

float distance(Vec2 a, Vec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Angle of a world direction against +X, in degrees.
float heading(Vec2 from, Vec2 to) { return std::atan2(to.y - from.y, to.x - from.x) * 57.29578F; }

Affine moved(float x, float y = 0) { return {1, 0, 0, 1, x, y}; }

}  // namespace

// Aims.

TEST_CASE("an aim points the bone's axis at a world point under any placement", "[rig][aim]") {
  const Character character = limb({"root", -1, 10, 20, 35, -1.5F, 0.5F});
  for (const float axis : {0.0F, 90.0F, -30.0F}) {
    for (const Affine& placement : {kIdentity, Affine{-2, 0, 0, 2, 300, -50}, Affine{0, 1, -1, 0, 9, 9}}) {
      Rig rig;
      rig.aims.push_back({.name = "look", .bone = BoneId{2}, .axis_degrees = axis});
      RigState state;
      prepare(rig, state);
      state.instances[0].placement = placement;
      const Vec2 target{400, 130};
      find_control(rig, state, "look")->target = target;
      Pose pose = bind_of(character);
      apply_rig(rig, character, 0, state, pose);
      const float radians = axis / 57.29578F;
      const Vec2 origin = apply(placement, point_at(character, pose, BoneId{2}));
      const Vec2 ahead =
          apply(placement, point_at(character, pose, BoneId{2}, Vec2{-std::sin(radians), std::cos(radians)} * 10.0F));
      CHECK_THAT(std::remainder(heading(origin, ahead) - heading(origin, target), 360.0F), near(0, 0.01));
    }
  }
}

TEST_CASE("an aim follows another bone and stays within its limits", "[rig][aim]") {
  const Character character = skeleton({{"root", -1, 0, 0}, {"head", 0, 0, 50}, {"ball", 0, 100, 50}});
  Rig rig;
  rig.aims.push_back({.bone = BoneId{1}, .target_bone = BoneId{2}});
  const auto rotation = [&] {
    RigState state;
    Pose pose = bind_of(character);
    apply_rig(rig, character, 0, state, pose);
    return pose.rotation_degrees[1];
  };
  CHECK_THAT(rotation(), near(-90, 1e-4));
  rig.aims[0].weight = 0.5F;
  CHECK_THAT(rotation(), near(-45, 1e-4));
  rig.aims[0].weight = 1;
  rig.aims[0].min_degrees = -60;
  CHECK(rotation() == -60);
  rig.aims[0].softness_degrees = 30;
  CHECK((rotation() > -60 && rotation() < -40));
  rig.aims[0].min_degrees = -200;
  CHECK_THAT(rotation(), near(-90, 1e-4));
  rig.aims[0].min_degrees = kNaN;
  CHECK(std::isfinite(rotation()));
}

TEST_CASE("soft limits slow an aim down without a jump", "[rig][aim]") {
  const Character character = skeleton({{"root", -1, 0, 0}, {"head", 0, 0, 0}});
  Rig rig;
  rig.aims.push_back({.bone = BoneId{1}, .min_degrees = -50, .max_degrees = 50, .softness_degrees = 20});
  RigState state;
  prepare(rig, state);
  float last = 0;
  for (int degrees = 0; degrees < 170; ++degrees) {
    const float radians = static_cast<float>(degrees) / 57.29578F;
    state.aims[0].target = Vec2{-std::sin(radians), std::cos(radians)} * 100.0F;
    Pose pose = bind_of(character);
    apply_rig(rig, character, 0, state, pose);
    const float turn = pose.rotation_degrees[1];
    if (degrees <= 30) CHECK_THAT(turn, near(degrees, 1e-3));
    CHECK(turn >= last - 1e-4F);
    CHECK(turn - last < 1.01F);
    CHECK(turn < 50);
    last = turn;
  }
  CHECK(last > 45);
}

TEST_CASE("an aim without a target does nothing", "[rig][aim]") {
  const Character character = limb();
  Rig rig;
  rig.aims.push_back({.bone = BoneId{2}});
  rig.ik.push_back({.upper = BoneId{1}, .lower = BoneId{2}, .end = BoneId{3}});
  RigState state;
  Pose pose = bind_of(character);
  apply_rig(rig, character, 0.1, state, pose);
  CHECK(pose == bind_of(character));
}

// Limbs.

TEST_CASE("a limb reaches its target whatever the scales and mirrors above it", "[rig][ik]") {
  for (const TestBone& root : {TestBone{"root", -1, 10, 20}, TestBone{"root", -1, 10, 20, 40, -1, 1},
                               TestBone{"root", -1, 10, 20, -75, 0.5F, 2}, TestBone{"root", -1, 10, 20, 10, 1, -3}}) {
    for (const Vec2 upper_scale : {Vec2{1, 1}, Vec2{1, -1}, Vec2{1.3F, 0.7F}}) {
      for (const Bend bend : {Bend::as_animated, Bend::counter_clockwise, Bend::clockwise}) {
        const Character character = skeleton({root,
                                              {"upper", 0, 5, 0, 15, upper_scale.x, upper_scale.y},
                                              {"lower", 1, 0, 100, 20},
                                              {"hand", 2, 3, 80, 30}});
        Rig rig;
        rig.ik.push_back({.upper = BoneId{1}, .lower = BoneId{2}, .end = BoneId{3}, .bend = bend});
        RigState state;
        prepare(rig, state);
        state.instances[0].placement = {-1, 0, 0, 1, 500, 3};
        // A point that the hand reaches in some other pose.
        Pose other = bind_of(character);
        other.rotation_degrees[1] += 70, other.rotation_degrees[2] += bend == Bend::clockwise ? -95.0F : 60.0F;
        const Vec2 target = apply(state.instances[0].placement, point_at(character, other, BoneId{3}));
        state.ik[0].target = target;
        Pose pose = bind_of(character);
        const float turned = rotation_degrees_of(bone_world(character.bones(), view(pose), BoneId{3}));
        apply_rig(rig, character, 0, state, pose);
        const Vec2 end = apply(state.instances[0].placement, point_at(character, pose, BoneId{3}));
        CAPTURE(root.scale_x, root.scale_y, upper_scale.x, upper_scale.y, static_cast<int>(bend));
        CHECK(distance(end, target) < 0.05F);
        const float kept = rotation_degrees_of(bone_world(character.bones(), view(pose), BoneId{3}));
        CHECK_THAT(std::remainder(kept - turned, 360.0F), near(0, 0.02));
      }
    }
  }
}

TEST_CASE("a limb bends to the side that is asked for", "[rig][ik]") {
  const Character character = limb();
  const auto bent = [&](Bend bend) {
    Rig rig;
    rig.ik.push_back({.upper = BoneId{1}, .lower = BoneId{2}, .tip = {0, 80}, .bend = bend});
    RigState state;
    prepare(rig, state);
    state.ik[0].target = Vec2{100, 80};
    Pose pose = bind_of(character);
    apply_rig(rig, character, 0, state, pose);
    CHECK(distance(point_at(character, pose, BoneId{2}, {0, 80}), {100, 80}) < 0.01F);
    return std::remainder(pose.rotation_degrees[2], 360.0F);
  };
  CHECK(bent(Bend::as_animated) > 0);
  CHECK(bent(Bend::counter_clockwise) > 0);
  CHECK(bent(Bend::clockwise) < 0);
}

TEST_CASE("a limb straightens toward a target out of reach, softly or by stretching", "[rig][ik]") {
  const Character character = limb();
  TwoBoneIk ik{.upper = BoneId{1}, .lower = BoneId{2}, .end = BoneId{3}};
  const Vec2 base{15, 20}, away{0.6F, 0.8F};
  const auto reach = [&](float length) {
    Rig rig;
    rig.ik.push_back(ik);
    RigState state;
    prepare(rig, state);
    state.ik[0].target = base + away * length;
    Pose pose = bind_of(character);
    apply_rig(rig, character, 0, state, pose);
    const Vec2 end = point_at(character, pose, BoneId{3});
    CHECK_THAT(heading(base, end), near(heading({}, away), 0.1));
    return distance(base, end);
  };
  CHECK_THAT(reach(150), near(150, 0.01));
  CHECK_THAT(reach(500), near(180, 0.01));
  CHECK_THAT(reach(5), near(20, 0.01));
  ik.softness_pixels = 30;
  CHECK_THAT(reach(150), near(150, 0.01));
  float last = 150;
  for (float length = 150; length < 260; length += 1) {
    const float reached = reach(length);
    CHECK((reached >= last - 0.02F && reached < 180 && reached - last < 1.02F));
    last = reached;
  }
  ik.softness_pixels = 0;
  ik.max_stretch = 1.5F;
  CHECK_THAT(reach(200), near(200, 0.01));
  CHECK_THAT(reach(500), near(270, 0.01));
  CHECK_THAT(reach(170), near(170, 0.01));
}

TEST_CASE("a limb without length, size or a reachable space keeps finite values", "[rig][ik]") {
  for (const TestBone& root : {TestBone{"root", -1, 0, 0, 0, 0, 0}, TestBone{"root", -1, 0, 0}}) {
    for (const float upper : {0.0F, 100.0F}) {
      for (const Vec2 tip : {Vec2{0, 0}, Vec2{0, 80}}) {
        for (const Vec2 target : {Vec2{0, 0}, Vec2{1e30F, -1e30F}, Vec2{kNaN, 0}, Vec2{10, 10}}) {
          const Character character = skeleton({root, {"upper", 0, 0, 0}, {"lower", 1, 0, upper, 20}});
          Rig rig;
          rig.ik.push_back({.upper = BoneId{1}, .lower = BoneId{2}, .tip = tip, .max_stretch = 2});
          rig.aims.push_back({.bone = BoneId{1}});
          RigState state;
          prepare(rig, state);
          state.ik[0].target = state.aims[0].target = target;
          Pose pose = bind_of(character);
          apply_rig(rig, character, 0.1, state, pose);
          for (std::size_t i = 0; i < 3; ++i) {
            CHECK((std::isfinite(pose.rotation_degrees[i]) && std::isfinite(pose.scale_x[i])));
          }
        }
      }
    }
  }
}

// Springs.

namespace {

/// Plays `seconds` of a movement and returns the rotations at its end.
template <typename Place>
SampleArray<float> swing(const Rig& rig, const Character& character, const std::vector<double>& frames,
                         const Place& place) {
  RigState state;
  Pose pose;
  double time = 0;
  state.instances[0].placement = place(0.0);
  pose = bind_of(character);
  apply_rig(rig, character, 0, state, pose);
  for (const double frame : frames) {
    time += frame;
    state.instances[0].placement = place(time);
    pose = bind_of(character);
    apply_rig(rig, character, frame, state, pose);
  }
  return pose.rotation_degrees;
}

std::vector<double> steady(double seconds, double rate) {
  return std::vector<double>(static_cast<std::size_t>(seconds * rate + 0.5), 1 / rate);
}

Affine swaying(double time) {
  return moved(static_cast<float>(100 * std::sin(time * 5)), static_cast<float>(40 * std::cos(time * 7)));
}

std::vector<Vec2> tips(const Character& character, const SampleArray<float>& rotations) {
  Pose pose = bind_of(character);
  pose.rotation_degrees = rotations;
  std::vector<Vec2> points;
  for (const BoneId bone : kTail) points.push_back(point_at(character, pose, bone, {0, 50}));
  return points;
}

}  // namespace

TEST_CASE("springs at rest change nothing, bit for bit", "[rig][spring]") {
  const Character character = tail();
  const auto rotations = swing(tail_rig(), character, steady(3, 60), [](double) { return moved(1e6F, -1e6F); });
  CHECK(rotations == bind_of(character).rotation_degrees);
}

TEST_CASE("springs trail behind a movement, swing over and settle", "[rig][spring]") {
  const Character character = tail();
  const Rig rig = tail_rig({.frequency = 2, .damping = 0.3F});
  // The tail points to -x; the root moves up.
  RigState state;
  const auto step = [&](float y) {
    state.instances[0].placement = moved(0, y);
    Pose pose = bind_of(character);
    apply_rig(rig, character, 1 / 60.0, state, pose);
    return tips(character, pose.rotation_degrees).back().y;
  };
  CHECK_THAT(step(0), near(0, 1e-3));
  float lowest = 0, highest = 0;
  for (int i = 1; i <= 10; ++i) lowest = std::min(lowest, step(static_cast<float>(i) * 10));
  CHECK(lowest < -30);
  for (int i = 0; i < 60; ++i) highest = std::max(highest, step(100));
  CHECK(highest > 10);
  float last = 0;
  for (int i = 0; i < 600; ++i) last = step(100);
  CHECK_THAT(last, near(0, 1e-2));
}

TEST_CASE("springs sag with gravity from the first frame and lean into the wind", "[rig][spring]") {
  const Character character = tail();
  const Rig rig = tail_rig({.frequency = 1, .gravity = {0, -800}});
  const auto first = tips(character, swing(rig, character, {}, [](double) { return kIdentity; }));
  CHECK(first.back().y < -15);
  const auto later = tips(character, swing(rig, character, steady(5, 60), [](double) { return kIdentity; }));
  CHECK(distance(first.back(), later.back()) < 0.1F);
  // Gravity is in the world, so a character on its side sags to its side.
  const auto turned = tips(character, swing(rig, character, {}, [](double) { return Affine{0, 1, -1, 0, 0, 0}; }));
  CHECK_THAT(turned.back().y, near(0, 30));
  CHECK(turned.back().x < -180);

  Rig windy = tail_rig({.frequency = 1, .drag = 2});
  windy.wind = {0, 300};
  CHECK(tips(character, swing(windy, character, steady(5, 60), [](double) { return kIdentity; })).back().y > 10);
  windy.gusts = 0.5F;
  const auto gust = [&](double seconds) {
    return swing(windy, character, steady(seconds, 60), [](double) { return kIdentity; });
  };
  CHECK(gust(4) != gust(5));
  CHECK(gust(5) == gust(5));
}

TEST_CASE("the frame rate changes the motion of springs by less than a pixel and a half", "[rig][spring]") {
  const Character character = tail();
  const Rig rig = tail_rig({.frequency = 2.5F, .damping = 0.3F, .drag = 0.5F, .gravity = {0, -300}});
  const double seconds = 2;
  const auto reference = tips(character, swing(rig, character, steady(seconds, 480), swaying));
  float farthest = 0;
  for (const Vec2& point : reference) farthest = std::max(farthest, std::abs(point.y));
  CHECK(farthest > 10);
  const auto matches = [&](const std::vector<double>& frames, float tolerance) {
    const auto points = tips(character, swing(rig, character, frames, swaying));
    for (std::size_t i = 0; i < points.size(); ++i) CHECK(distance(points[i], reference[i]) < tolerance);
  };
  matches(steady(seconds, 120), 0.2F);
  matches(steady(seconds, 60), 0.5F);
  matches(steady(seconds, 30), 1.5F);
  std::vector<double> irregular;
  double time = 0;
  for (unsigned i = 0; time < seconds; ++i) {
    const double frame = std::min(0.004 + 0.003 * static_cast<double>(i * 7 % 11), seconds - time);
    irregular.push_back(frame);
    time += frame;
  }
  matches(irregular, 1.5F);
}

TEST_CASE("springs give the same bits for the same frame times, and for any others after a pause", "[rig][spring]") {
  const Character character = tail();
  const Rig rig = tail_rig({.frequency = 2.5F, .damping = 0.2F, .gravity = {0, -300}});
  CHECK(swing(rig, character, steady(1.5, 60), swaying) == swing(rig, character, steady(1.5, 60), swaying));
  // One push, then time in slices of different lengths while the anchors do not move.
  const auto after_push = [&](const std::vector<double>& frames) {
    std::vector<double> all{1 / 120.0};
    all.insert(all.end(), frames.begin(), frames.end());
    return swing(rig, character, all, [](double time) { return moved(time > 0 ? 30.0F : 0.0F); });
  };
  const auto reference = after_push(steady(0.5, 120));
  CHECK(reference != bind_of(character).rotation_degrees);
  CHECK(after_push(steady(0.5, 60)) == reference);
  CHECK(after_push(steady(0.5, 30)) == reference);
  CHECK(after_push(steady(0.5, 240)) == reference);
  CHECK(after_push({0.25, 0.125, 0.125}) == reference);
}

TEST_CASE("a hitch, a pause and time that runs backwards keep springs within their limits", "[rig][spring]") {
  const Character character = tail();
  const Rig rig = tail_rig({.frequency = 3, .damping = 0.1F, .limit_degrees = 40});
  RigState state;
  const SampleArray<float> rest = bind_of(character).rotation_degrees;
  const double times[] = {0,
                          1e9,
                          -0.1,
                          0,
                          1 / 60.0,
                          100,
                          -1e300,
                          std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::quiet_NaN(),
                          1e-9};
  float x = 0;
  for (int round = 0; round < 20; ++round) {
    for (const double seconds : times) {
      x += 400;
      state.instances[0].placement = moved(x, x / 3);
      Pose pose = bind_of(character);
      apply_rig(rig, character, seconds, state, pose);
      for (std::size_t i = 0; i < rest.size(); ++i) CHECK(std::abs(pose.rotation_degrees[i] - rest[i]) <= 40.001F);
    }
  }
  CHECK(state.since_step < 1 / 60.0);
}

TEST_CASE("a pause holds springs where they are", "[rig][spring]") {
  const Character character = tail();
  const Rig rig = tail_rig({.damping = 0.1F});
  RigState state;
  Pose moving, held;
  for (int i = 0; i < 30; ++i) {
    state.instances[0].placement = swaying(i / 60.0);
    moving = bind_of(character);
    apply_rig(rig, character, 1 / 60.0, state, moving);
  }
  CHECK(moving.rotation_degrees != bind_of(character).rotation_degrees);
  for (int i = 0; i < 3; ++i) {
    held = bind_of(character);
    apply_rig(rig, character, 0, state, held);
    CHECK(held == moving);
  }
}

TEST_CASE("a teleported character takes its springs along, and a reset puts them at rest", "[rig][spring]") {
  const Character character = tail();
  const Rig rig = tail_rig({.frequency = 2, .damping = 0.1F, .drag = 1});
  const auto run = [&](Vec2 jump, bool teleport) {
    RigState state;
    Pose pose;
    float x = 0;
    for (int i = 0; i < 40; ++i) {
      x += 5;
      const bool now = i == 20;
      if (now) x += jump.x;
      state.instances[0].placement = moved(x, i >= 20 ? jump.y : 0);
      if (now) state.instances[0].teleport = teleport;
      pose = bind_of(character);
      apply_rig(rig, character, 1 / 60.0, state, pose);
    }
    return pose.rotation_degrees;
  };
  // A frame without movement differs a little from a steady walk.
  const auto walked = tips(character, run({0, 0}, false)), teleported = tips(character, run({5000, 900}, true)),
             flung = tips(character, run({5000, 900}, false));
  CHECK(distance(walked.back(), teleported.back()) < 15);
  CHECK(distance(walked.back(), flung.back()) > 40);

  RigState state;
  Pose pose;
  for (int i = 0; i < 30; ++i) {
    state.instances[0].placement = swaying(i / 60.0);
    pose = bind_of(character);
    apply_rig(rig, character, 1 / 60.0, state, pose);
  }
  state.instances[0].reset = true;
  pose = bind_of(character);
  apply_rig(rig, character, 1 / 60.0, state, pose);
  for (std::size_t i = 0; i < pose.x.size(); ++i) {
    CHECK_THAT(pose.rotation_degrees[i], near(bind_of(character).rotation_degrees[i], 1e-3));
  }
}

TEST_CASE("a character that turns around takes its springs along", "[rig][spring]") {
  const Character character = tail();
  const Rig rig = tail_rig({.frequency = 2, .damping = 0.3F});
  const auto run = [&](float direction) {
    RigState state;
    Pose pose;
    for (int i = 0; i < 20; ++i) {
      state.instances[0].placement = moved(0, static_cast<float>(i) * 10);
      if (i > 10) state.instances[0].placement[0].x = direction;
      pose = bind_of(character);
      apply_rig(rig, character, 1 / 60.0, state, pose);
    }
    return tips(character, pose.rotation_degrees).back();
  };
  CHECK(run(1).y < -20);
  CHECK(distance(run(1), run(-1)) < 0.01F);
}

TEST_CASE("values that are not finite have no lasting effect on springs", "[rig][spring]") {
  const Character character = tail();
  const Rig rig = tail_rig({.gravity = {0, -100}});
  RigState state;
  Pose pose;
  const auto step = [&](const Affine& placement, float rotation, float x) {
    state.instances[0].placement = placement;
    pose = bind_of(character);
    pose.rotation_degrees[0] = rotation, pose.x[2] = x;
    apply_rig(rig, character, 1 / 60.0, state, pose);
  };
  step(kIdentity, 0, 0);
  const SampleArray<float> rest = pose.rotation_degrees;
  for (const float bad : {kNaN, std::numeric_limits<float>::infinity(), 3e38F}) {
    step(moved(bad), 0, 0);
    step({bad, 0, 0, 1, 0, 0}, 0, 0);
    step(kIdentity, 0, bad);
    step(kIdentity, bad, 0);
    step({0, 0, 0, 0, 0, 0}, 0, 0);
    for (std::size_t i = 1; i < pose.x.size(); ++i) CHECK(std::isfinite(pose.rotation_degrees[i]));
    for (int i = 0; i < 400; ++i) step(kIdentity, 0, 0);
    for (std::size_t i = 0; i < rest.size(); ++i) CHECK_THAT(pose.rotation_degrees[i], near(rest[i], 0.05));
  }
  Rig bad = tail_rig({.tip = {kNaN, 0},
                      .frequency = kNaN,
                      .damping = kNaN,
                      .drag = kNaN,
                      .gravity = {kNaN, kNaN},
                      .limit_degrees = kNaN,
                      .weight = kNaN});
  bad.wind = {kNaN, kNaN}, bad.gusts = kNaN, bad.step_seconds = std::numeric_limits<double>::quiet_NaN();
  RigState other;
  pose = bind_of(character);
  apply_rig(bad, character, 0.5, other, pose);
  CHECK(pose == bind_of(character));
}

TEST_CASE("many instances get the same bits as one by one", "[rig][spring]") {
  const Character character = tail();
  Rig rig = tail_rig({.frequency = 2.2F, .damping = 0.3F, .drag = 1, .gravity = {10, -400}, .limit_degrees = 60});
  rig.springs.push_back({.bones = {BoneId{5}}, .tip = {3, 20}, .frequency = 4, .weight = 0.7F});
  rig.aims.push_back({.name = "look", .bone = BoneId{2}, .max_degrees = 20});
  rig.wind = {50, 10}, rig.gusts = 0.6F;
  constexpr std::size_t kCount = 11;
  RigState together;
  together.instances.resize(kCount);
  prepare(rig, together);
  std::vector<RigState> alone(kCount);
  std::vector<PoseBuffers> poses(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    prepare(rig, alone[i]);
    if (i % 3 == 0) {
      const Vec2 target{static_cast<float>(i) * 30, 99};
      find_control(rig, together, "look", i)->target = alone[i].aims[0].target = target;
    }
  }
  for (int frame = 0; frame < 60; ++frame) {
    const double seconds = 0.003 + 0.004 * (frame * 5 % 7);
    for (std::size_t i = 0; i < kCount; ++i) {
      Affine placement = swaying(frame / 60.0 + static_cast<double>(i));
      if (i == 4 && frame > 30) placement[0].x = -1;
      sample_bind_pose(character, poses[i].pose);
      poses[i].pose.rotation_degrees[0] = static_cast<float>(frame) * static_cast<float>(i);
      const bool teleport = i == 7 && frame == 20, reset = i == 8 && frame == 20;
      for (RigInstance* instance : {&together.instances[i], &alone[i].instances[0]}) {
        instance->placement = placement;
        instance->teleport |= teleport, instance->reset |= reset;
      }
    }
    std::vector<Pose> expected;
    for (std::size_t i = 0; i < kCount; ++i) {
      expected.push_back(poses[i].pose);
      apply_rig(rig, character, seconds, alone[i], expected[i]);
    }
    apply_rig_many(rig, character, seconds, together, poses);
    for (std::size_t i = 0; i < kCount; ++i) {
      CAPTURE(frame, i);
      REQUIRE(std::memcmp(poses[i].pose.rotation_degrees.data(), expected[i].rotation_degrees.data(),
                          expected[i].rotation_degrees.size() * sizeof(float)) == 0);
    }
  }
}

// Feet and animators.

namespace {

/// A leg that slides from x = 0 to -36 over "walk" of ten frames at 10 per second, and "stand".
Character walker() {
  CharacterData data;
  data.bones = {{"root", BoneId::none}, {"thigh", BoneId{0}}, {"shin", BoneId{1}}, {"foot", BoneId{2}}};
  for (const bool walks : {true, false}) {
    Clip clip = resting_clip(walks ? "walk" : "stand", 10, 4, 10);
    clip.looping = true;
    for (std::size_t frame = 0; frame < 10; ++frame) {
      float* const y = &clip.samples.y[frame * 4];
      y[1] = 100, y[2] = -50, y[3] = -50;
      clip.samples.rotation_degrees[frame * 4 + 1] = walks ? 20.0F - 5.0F * static_cast<float>(frame) : 10.0F;
      clip.samples.rotation_degrees[frame * 4 + 2] = -10;
    }
    data.clips.push_back(std::move(clip));
  }
  return build(std::move(data));
}

std::shared_ptr<Rig> walking_rig() {
  auto rig = std::make_shared<Rig>();
  rig->ik.push_back({.name = "leg", .upper = BoneId{1}, .lower = BoneId{2}, .end = BoneId{3}});
  rig->feet.push_back({.ik = 0, .fade_in_seconds = 0, .fade_out_seconds = 0.1F});
  return rig;
}

Vec2 foot_of(Animator& animator) {
  Pose pose;
  animator.sample(pose);
  return point_at(animator.character(), pose, BoneId{3});
}

}  // namespace

TEST_CASE("a foot stays in place in the world from plant to lift", "[rig][foot]") {
  const Character character = walker();
  Animator animator(character), plain(character);
  animator.set_rig(walking_rig());
  animator.set_markers(std::make_shared<Markers>(std::vector<Marker>{{ClipId{0}, 2, "plant"}, {ClipId{0}, 6, "lift"}}));
  animator.play(ClipId{0}), plain.play(ClipId{0});
  float placed = 0;
  Vec2 animated{0.0F};
  const auto step = [&](double seconds) {
    placed += 3;
    animator.set_rig_placement(moved(placed));
    animator.advance(seconds), plain.advance(seconds);
    animated = foot_of(plain) + Vec2{placed, 0};
    return foot_of(animator) + Vec2{placed, 0};
  };
  CHECK(distance(step(0.15), animated) < 1e-3F);
  const Vec2 planted = step(0.1);
  CHECK(animator.rig_state().feet[0].planted);
  CHECK(distance(planted, animated) < 1e-3F);
  for (int i = 0; i < 3; ++i) CHECK(distance(step(0.1), planted) < 0.05F);
  CHECK(distance(planted, animated) > 5);
  const Vec2 leaving = step(0.04);
  CHECK(animator.rig_state().feet[0].planted);
  CHECK(distance(leaving, planted) < 0.05F);
  step(0.08);
  CHECK_FALSE(animator.rig_state().feet[0].planted);
  CHECK(distance(step(0.1), animated) < 1e-3F);
}

TEST_CASE("a planted foot lifts when its play is replaced and plants at lift markers in reverse", "[rig][foot]") {
  Animator animator(walker());
  animator.set_rig(walking_rig());
  animator.set_markers(std::make_shared<Markers>(std::vector<Marker>{{ClipId{0}, 2, "plant"}, {ClipId{0}, 6, "lift"}}));
  animator.play(ClipId{0});
  animator.advance(0.35);
  CHECK(animator.rig_state().feet[0].planted);
  animator.play(ClipId{1}, {.fade_seconds = 1});
  animator.advance(0.01);
  CHECK_FALSE(animator.rig_state().feet[0].planted);

  animator.play(ClipId{0}, {.speed = -1});
  animator.advance(0.45);
  CHECK(animator.rig_state().feet[0].planted);
  animator.advance(0.4);
  CHECK_FALSE(animator.rig_state().feet[0].planted);
}

TEST_CASE("an animator applies its rig after its overrides, once per step of time", "[rig][animator]") {
  Animator animator(tail());
  CHECK(animator.rig() == nullptr);
  CHECK(animator.rig_control("tail") == nullptr);
  auto rig = std::make_shared<Rig>(tail_rig({.frequency = 1, .gravity = {0, -500}}));
  rig->aims.push_back({.name = "look", .bone = BoneId{5}});
  animator.play(ClipId{0});
  animator.advance(0);
  CHECK(animator.plays_alone());
  animator.set_rig(std::make_shared<Rig>());
  CHECK(animator.plays_alone());
  animator.set_rig(rig);
  CHECK_FALSE(animator.plays_alone());
  animator.overrides = {{.bone = BoneId{5}, .rotation_degrees = 17.0F}};
  Pose first, again;
  animator.sample(first);
  CHECK(first.rotation_degrees[5] == 17);
  animator.rig_control("look")->target = Vec2{3, -100};
  animator.sample(first);
  CHECK_THAT(std::abs(first.rotation_degrees[5]), near(180, 1e-3));
  animator.set_rig_placement(moved(30));
  animator.advance(0.1);
  animator.sample(first);
  animator.sample(again);
  CHECK(first == again);
  animator.set_rig(nullptr);
  animator.overrides.clear();
  animator.sample(again);
  CHECK(again == bind_of(animator.character()));
}

TEST_CASE("a rebound animator keeps its rig by the names of bones", "[rig][rebind]") {
  Animator animator(tail());
  auto rig = std::make_shared<Rig>(tail_rig());
  rig->aims.push_back({.name = "look", .bone = BoneId{5}});
  animator.set_rig(rig);
  animator.rig_control("look")->target = Vec2{100, 0};
  const Rebound missing = animator.rebind(
      skeleton({{"root", -1, 0, 0}, {"eye", 0, 3, 4}, {"t1", 0, 0, 0, 90}, {"t2", 2, 0, 50}, {"t3", 3, 0, 50}}));
  CHECK(missing.bones == std::vector<std::string>{"t4"});
  CHECK(animator.rig()->aims[0].bone == BoneId{1});
  CHECK(animator.rig()->springs[0].bones == std::vector<BoneId>{BoneId{2}, BoneId{3}, BoneId{4}, BoneId::none});
  REQUIRE(animator.rig_control("look") != nullptr);
  CHECK(animator.rig_control("look")->target == Vec2{100, 0});
  Pose pose;
  animator.set_rig_placement(moved(50));
  animator.advance(0.1);
  animator.sample(pose);
  CHECK(pose.rotation_degrees[1] != 0);
}

TEST_CASE("a rig that does not fit the character says why and has no effect", "[rig]") {
  const Character character = tail();
  const auto error = [&](const Rig& rig) {
    RigState state;
    Pose pose = bind_of(character);
    apply_rig(rig, character, 0.1, state, pose);
    state.instances[0].placement = moved(30);
    apply_rig(rig, character, 0.1, state, pose);
    CHECK(pose == bind_of(character));
    const auto found = find_rig_error(rig, character);
    return found ? describe(*found) : std::string();
  };
  Rig rig;
  CHECK(error(rig).empty());
  rig.aims.push_back({.name = "look", .bone = BoneId{99}});
  CHECK_THAT(error(rig), contains("aim[0] \"look\"") && contains("bone that does not exist"));
  rig.aims[0] = {.bone = BoneId{1}, .target_bone = BoneId{3}};
  CHECK_THAT(error(rig), contains("moves with the bone"));
  rig = {};
  rig.ik.push_back({.upper = BoneId{1}, .lower = BoneId{3}});
  CHECK_THAT(error(rig), contains("ik[0]") && contains("not a child of the upper bone"));
  rig = tail_rig();
  rig.springs[0].bones = {BoneId{1}, BoneId{3}};
  CHECK_THAT(error(rig), contains("springs[0]") && contains("not a child of the one before"));
  rig = {};
  rig.feet.push_back({.ik = 3});
  CHECK_THAT(error(rig), contains("feet[0]"));
  rig = tail_rig();
  rig.aims.resize(kMaxRigAims + 1);
  CHECK_THAT(error(rig), contains("aim has 257 elements, but at most 256 are allowed"));
  rig = tail_rig();
  rig.ik.resize(kMaxRigLimbs + 1);
  CHECK_THAT(error(rig), contains("ik has 257 elements, but at most 256 are allowed"));
  rig = tail_rig();
  rig.feet.resize(kMaxRigFeet + 1);
  CHECK_THAT(error(rig), contains("feet has 257 elements, but at most 256 are allowed"));
  rig.feet.clear();
  rig.springs.resize(kMaxRigSprings + 1, rig.springs[0]);
  CHECK_THAT(error(rig), contains("springs has 1025 elements, but at most 1024 are allowed"));
  rig.springs.resize(251);
  rig.step_seconds = 0.001;
  CHECK_THAT(error(rig), contains("step is 0.001, with which springs move bones 1004000 times per second, but at most "
                                  "1000000 are allowed"));
  // Exactly as many as the limits allow.
  rig.springs.resize(250);
  CHECK_FALSE(find_rig_error(rig, character));
  rig.springs.resize(kMaxRigSprings, rig.springs[0]);
  rig.step_seconds = Rig().step_seconds;
  rig.aims.resize(kMaxRigAims, {.bone = BoneId{1}});
  CHECK_FALSE(find_rig_error(rig, character));
  CHECK(chain_from(character, BoneId{1}) == kTail);
  CHECK(chain_from(character, BoneId::none).empty());
}

}  // namespace rig_test
