// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include "character/sine_cosine.hpp"

#include <pchr/queries.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <bit>
#include <cmath>
#include <utility>

namespace pose_test {
using namespace pchr;

namespace {

Character built(CharacterData data) {
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

/// Hashes every bit of every matrix, skinned vertex and draw list of every clip.
std::uint64_t hash_of_all_poses(const Character& character) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](std::uint32_t word) { hash = (hash ^ word) * 1099511628211ULL; };
  PoseBuffers posed;
  std::vector<Vec2> points(character.vertices().size());
  for (const ClipId clip : character.clips().ids()) {
    for (int i = 0; i < 40; ++i) {
      pose_clip(character, clip, clip_time(character.clips()[clip], i * 0.061, Sampling::smooth), posed);
      deform(character.vertices(), posed.palette, points);
      for (const Vec2 point : points) {
        add(std::bit_cast<std::uint32_t>(point.x));
        add(std::bit_cast<std::uint32_t>(point.y));
      }
      for (const DrawItem& item : posed.draw_list) add(static_cast<std::uint32_t>(item.mesh));
    }
  }
  return hash;
}

}  // namespace

TEST_CASE("sine and cosine of degrees are exact at quarters and close everywhere", "[pose]") {
  const float quarters[][3] = {{0, 0, 1},     {90, 1, 0},    {180, 0, -1},  {270, -1, 0},  {-90, -1, 0},
                               {-180, 0, -1}, {36000, 0, 1}, {36090, 1, 0}, {3.6e8F, 0, 1}};
  for (const auto& [degrees, sine, cosine] : quarters) {
    INFO(degrees);
    CHECK(sine_cosine_degrees(degrees).sine == sine);
    CHECK(sine_cosine_degrees(degrees).cosine == cosine);
  }
  double worst = 0;
  for (float degrees = -1000; degrees < 1000; degrees += 0.37F) {
    const double radians = static_cast<double>(degrees) * 3.14159265358979323846 / 180;
    const SineCosine result = sine_cosine_degrees(degrees);
    worst = std::max({worst, std::abs(result.sine - std::sin(radians)), std::abs(result.cosine - std::cos(radians))});
  }
  CHECK(worst < 1.2e-7);
  for (const float degrees : {3e38F, -3e38F, 1e-40F, 16777216.0F}) {
    const SineCosine result = sine_cosine_degrees(degrees);
    CHECK(result.sine * result.sine + result.cosine * result.cosine == Approx(1));
  }
  CHECK(sine_cosine_degrees(HUGE_VALF).cosine == 1);
  CHECK(sine_cosine_degrees(std::nanf("")).sine == 0);
}

TEST_CASE("rotations whose difference overflows still give finite matrices", "[pose]") {
  CharacterData data = test::sliding_quad();
  data.clips[1].samples.rotation_degrees = {3e38F, -3e38F, 0, 0};
  const Character character = built(std::move(data));
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {0, 1, 0.5F}, posed);
  CHECK(std::isfinite(posed.world[0][0].x));
}

TEST_CASE("time maps to the frame floor(seconds * rate)", "[pose]") {
  Clip clip = test::resting_clip("clip", 4, 1, 8);
  const auto frame_at = [&](double seconds) { return clip_time(clip, seconds, Sampling::step).frame; };
  CHECK(frame_at(0.1249) == 0);
  CHECK(frame_at(0.125) == 1);
  CHECK(frame_at(0.49) == 3);
  CHECK(frame_at(0.5) == 3);
  CHECK(frame_at(1e300) == 3);
  CHECK(frame_at(-1) == 0);
  clip.looping = true;
  CHECK(frame_at(0.5) == 0);
  CHECK(frame_at(0.625) == 1);
  CHECK(frame_at(-0.1) == 3);
  CHECK(frame_at(1e300) < 4);
  CHECK(frame_at(3600.0 * 24 * 365) == 0);
  CHECK(frame_at(-3600.0 * 24 * 365) == 0);
  // Just before the start is the end of the last frame, however close.
  CHECK(frame_at(-1e-300) == 3);
  CHECK(clip_time(clip, -1e-300, Sampling::smooth).factor == std::nextafter(1.0F, 0.0F));
  clip.frames_per_second = 0;
  CHECK(frame_at(5) == 0);
}

TEST_CASE("smooth sampling blends the last frame into the first only in a looping clip", "[pose]") {
  Clip clip = test::resting_clip("clip", 4, 1, 8);
  clip.looping = true;
  const ClipTime seam = clip_time(clip, 3.5 / 8, Sampling::smooth);
  CHECK(seam.frame == 3);
  CHECK(seam.next == 0);
  CHECK(seam.factor == Approx(0.5));
  clip.looping = false;
  const ClipTime end = clip_time(clip, 3.5 / 8, Sampling::smooth);
  CHECK(end.frame == 3);
  CHECK(end.factor == 0);
}

TEST_CASE("position and scale are linear between frames, and step holds the frame", "[pose]") {
  CharacterData data = test::sliding_quad();
  data.clips[1].samples.scale_y = {1, 2, 1, 1};
  const Character character = built(std::move(data));
  Pose pose;
  sample(character, ClipId{1}, {0, 1, 0.25F}, pose);
  CHECK(pose.x[0] == 1);
  CHECK(pose.scale_y[0] == 1.25F);
  sample(character, ClipId{1}, {3, 0, 0.5F}, pose);
  CHECK(pose.x[0] == 6);
  sample(character, ClipId{1}, {1, 1, 0}, pose);
  CHECK(pose.x[0] == 4);
}

TEST_CASE("rotation takes the shortest arc", "[pose]") {
  const float cases[][3] = {{170, -170, 180}, {-170, 170, -180}, {350, 10, 360},    {0, 720, 0},
                            {10, 190, 100},   {0, -90, -45},     {36045, 45, 36045}};
  for (const auto& [from, to, middle] : cases) {
    CharacterData data = test::sliding_quad();
    data.clips[1].samples.rotation_degrees = {from, to, 0, 0};
    const Character character = built(std::move(data));
    Pose pose;
    sample(character, ClipId{1}, {0, 1, 0.5F}, pose);
    INFO(from << " to " << to);
    CHECK(pose.rotation_degrees[0] == Approx(middle).margin(0.01));
  }
}

TEST_CASE("visibility and draw order come from the earlier frame", "[pose]") {
  const Character character = built(test::two_bone_arm());
  Pose pose;
  sample(character, ClipId{1}, {3, 4, 0.99F}, pose);
  CHECK(pose.visible[2] == 0);
  CHECK(pose.z_order[2] == 1);
}

TEST_CASE("opacity is 1 in a clip without it, and otherwise linear", "[pose]") {
  CharacterData data = test::sliding_quad();
  Pose pose;
  sample(built(data), ClipId{1}, {0, 1, 0.5F}, pose);
  CHECK(pose.opacity == SampleArray<float>{1});
  data.clips[1].samples.opacity = {1, 0, 1, 1};
  sample(built(data), ClipId{1}, {0, 1, 0.25F}, pose);
  CHECK(pose.opacity == SampleArray<float>{0.75F});
}

TEST_CASE("a blend is linear in position, scale and opacity, and takes the shortest arc", "[pose]") {
  CharacterData data = test::sliding_quad();
  data.clips[1].samples.opacity = {1, 0, 1, 1};
  data.clips[1].samples.scale_x = {1, 3, 1, 1};
  data.clips[1].samples.rotation_degrees = {170, -170, 0, 0};
  const Character character = built(std::move(data));
  Pose pose;
  sample(character, ClipId{1}, {0, 0, 0}, pose);
  blend(character.clips()[1].samples.frame(1, 1), 0.25F, pose);
  CHECK(pose.x[0] == 1);
  CHECK(pose.scale_x[0] == 1.5F);
  CHECK(pose.opacity[0] == 0.75F);
  CHECK(pose.rotation_degrees[0] == Approx(175));
}

TEST_CASE("a blend takes visibility and draw order from the heavier side", "[pose]") {
  const Character character = built(test::two_bone_arm());
  const PoseView to = character.clips()[1].samples.frame(5, 3);
  Pose pose;
  sample(character, ClipId{1}, {0, 0, 0}, pose);
  blend(to, 0.49F, pose);
  CHECK(pose.visible[2] == 1);
  CHECK(pose.z_order[2] == 1);
  blend(to, 0.5F, pose);
  CHECK(pose.visible[2] == 0);
  CHECK(pose.z_order[2] == -1);
}

TEST_CASE("a blend's weight is clamped, and its ends are exact", "[pose]") {
  CharacterData data = test::sliding_quad();
  data.clips[1].samples.x = {0.1F, 0.7F, 0, 0};
  const Character character = built(std::move(data));
  const PoseView to = character.clips()[1].samples.frame(1, 1);
  for (const auto& [weight, x] :
       {std::pair{-1.0F, 0.1F}, {0.0F, 0.1F}, {std::nanf(""), 0.1F}, {1.0F, 0.7F}, {2.0F, 0.7F}}) {
    INFO(weight);
    Pose pose;
    sample(character, ClipId{1}, {0, 0, 0}, pose);
    blend(to, weight, pose);
    CHECK(pose.x[0] == x);
    sample(character, PoseRequest{ClipId{1}, {0, 0, 0}, ClipId{1}, {1, 1, 0}, weight}, pose);
    CHECK(pose.x[0] == x);
  }
}

TEST_CASE("a pose without opacity blends as if it were 1", "[pose]") {
  const Character character = built(test::sliding_quad());
  Pose pose;
  sample(character, ClipId{1}, {0, 0, 0}, pose);
  Pose to = pose;
  to.opacity = {0.5F};
  pose.opacity.clear();
  blend(to.frame(0, 1), 0.5F, pose);
  CHECK(pose.opacity == SampleArray<float>{0.75F});
}

TEST_CASE("posing many requests equals posing each", "[pose]") {
  const Character character = built(test::two_bone_arm());
  const PoseRequest requests[] = {
      {ClipId{1}, {3, 3, 0}}, {ClipId{0}, {}, ClipId{1}, {2, 3, 0.5F}, 1}, {ClipId{1}, {1, 2, 0.5F}}};
  std::vector<PoseBuffers> many(3);
  pose_many(character, std::span(requests).first(2), std::span(many).first(2));
  pose_many(character, std::span(requests).last(1), std::span(many).last(1));
  const std::pair<std::uint32_t, ClipTime> each[] = {{1, {3, 3, 0}}, {1, {2, 3, 0.5F}}, {1, {1, 2, 0.5F}}};
  for (int i = 0; i < 3; ++i) {
    PoseBuffers one;
    pose_clip(character, ClipId{each[i].first}, each[i].second, one);
    CHECK(many[i].pose == one.pose);
    CHECK(many[i].palette == one.palette);
    CHECK(many[i].draw_list.size() == one.draw_list.size());
  }
}

TEST_CASE("posing at a time equals posing at the clip time of that moment", "[pose]") {
  auto loaded = load_character(test::asset("kiri.pchr"));
  REQUIRE(loaded);
  PoseBuffers at_seconds, at_place;
  for (const ClipId clip : loaded->clips().ids()) {
    for (const Sampling sampling : {Sampling::step, Sampling::smooth}) {
      for (const double seconds : {-0.3, 0.0, 0.26, 0.71, 1e6}) {
        pose_clip(*loaded, clip, seconds, sampling, at_seconds);
        pose_clip(*loaded, clip, clip_time(loaded->clips()[clip], seconds, sampling), at_place);
        CHECK(at_seconds.palette == at_place.palette);
        CHECK(at_seconds.draw_list.size() == at_place.draw_list.size());
      }
    }
  }
}

TEST_CASE("a clip without frames shows the bind pose", "[pose]") {
  CharacterData data = test::sliding_quad();
  data.clips[0].samples.y = {5};
  data.clips[1].frame_count = 0;
  data.clips[1].samples = {};
  Pose pose;
  sample(built(std::move(data)), ClipId{1}, {}, pose);
  CHECK(pose.y == SampleArray<float>{5});
}

TEST_CASE("a world transform is the parent's, then T, R, S", "[pose]") {
  CharacterData data = test::two_bone_arm();
  auto& samples = data.clips[0].samples;
  samples.x = {100, 0, 0};
  samples.y = {0, 40, 0};
  samples.rotation_degrees = {90, -90, 0};
  samples.scale_x = {2, 1, 1};
  samples.scale_y = {3, 1, 1};
  const Character character = built(std::move(data));
  PoseBuffers posed;
  pose_clip(character, ClipId{0}, {}, posed);
  CHECK(posed.world[0] == Affine{0, 2, -3, 0, 100, 0});
  CHECK(posed.world[1] == Affine{3, 0, 0, 2, -20, 0});
  CHECK(apply(posed.world[1], {1, 1}) == Vec2{-17, 2});
}

TEST_CASE("in the bind pose every vertex is where it was authored", "[pose]") {
  const auto character = load_character(test::asset("kiri.pchr"));
  REQUIRE(character);
  PoseBuffers posed;
  pose_bind(*character, posed);
  std::vector<Vec2> points(character->vertices().size());
  deform(character->vertices(), posed.palette, points);
  float worst = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vertex& vertex = character->vertices()[i];
    worst = std::max({worst, std::abs(points[i].x - vertex.x), std::abs(points[i].y - vertex.y)});
  }
  CHECK(worst < 1e-3F);
}

TEST_CASE("skinning sums weights as authored and ignores unused slots", "[pose]") {
  const Affine palette[] = {{1, 0, 0, 1, 10, 0}, {1, 0, 0, 1, 0, 20}};
  const Vertex vertices[] = {{2, 3, 0, 0, {0, 1, 65535, 65535}, {0.5F, 0.5F, 0, -0.0F}},
                             {2, 3, 0, 0, {0, 1, 0, 0}, {0.5F, 0, 0, 0}},
                             {2, 3, 0, 0, {9, 1, 0, 0}, {0, 2, 0, 0}},
                             {2, 3, 0, 0, {9, 9, 9, 9}, {0, 0, 0, 0}},
                             {2, 3, 0, 0, {0, 1, 0, 0}, {1.5F, -0.5F, 0, 0}}};
  Vec2 out[5];
  deform(vertices, palette, out);
  CHECK(out[0] == Vec2{7, 13});
  CHECK(out[1] == Vec2{6, 1.5F});
  CHECK(out[2] == Vec2{4, 46});
  CHECK(out[3] == Vec2{0, 0});
  CHECK(out[4] == Vec2{17, -7});
}

TEST_CASE("a character without clips is drawn as authored", "[pose]") {
  CharacterData data = test::two_bone_arm();
  data.clips.clear();
  const Character character = built(std::move(data));
  PoseBuffers posed;
  pose_bind(character, posed);
  CHECK(posed.draw_list.size() == 2);
  for (const Affine& transform : posed.palette) CHECK(transform == kIdentity);
  CHECK(bounds(character, posed).min == Vec2{-10, 0});
  CHECK(bounds(character, posed).max == Vec2{10, 80});
}

TEST_CASE("bounds contain all visible vertices of a frame, a clip and all clips", "[pose]") {
  const Character character = built(test::sliding_quad());
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {1, 1, 0}, posed);
  CHECK(bounds(character, posed).min == Vec2{-4, -8});
  CHECK(compute_clip_bounds(character, ClipId{1}).max == Vec2{20, 8});
  CHECK(compute_clip_bounds(character, ClipId{0}).max == Vec2{8, 8});
  CHECK(compute_character_bounds(character).min == Vec2{-8, -8});
  posed.pose.visible = {0};
  update(character, posed);
  CHECK(bounds(character, posed).empty());
}

TEST_CASE("the same file and time give the same bits in every build", "[pose][golden]") {
  for (const std::string name : {"corners", "kiri"}) {
    const auto character = load_character(test::asset(name + ".pchr"));
    REQUIRE(character);
    const std::string actual = std::to_string(hash_of_all_poses(*character)) + "\n";
    const auto reference = test::golden(name + ".pose_hash");
    if (test::updating_goldens()) test::write_file(reference, std::as_bytes(std::span(actual)));
    CHECK(actual == test::read_text(reference));
  }
}

}  // namespace pose_test
