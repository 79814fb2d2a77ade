// SPDX-License-Identifier: MIT
// Posing 3D characters, with the same functions as 2D ones.
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/animator.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>
#include <pchr/3d.hpp>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace pose_3d_test {
using namespace pchr;
using namespace pchr::test;

namespace {

/// Returns a rotation about an axis.
Quat rotation_about(Vec3 axis, double degrees) {
  const double half = degrees * std::numbers::pi / 360;
  const auto sine = static_cast<float>(std::sin(half));
  return {axis.x * sine, axis.y * sine, axis.z * sine, static_cast<float>(std::cos(half))};
}

constexpr Vec3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};

/// Two bones: an arm along x and a hand two units from the shoulder, each with a square. The hand's square is drawn
/// first but nearer to the viewer. Clip "still" has one frame. "raise" rotates the arm about z to 90 degrees and moves
/// the hand forward by one unit.
Character arm() {
  CharacterData data;
  data.is_3d = true;
  data.frames_per_second = 10;
  data.bones = {{"arm", BoneId::none}, {"hand", BoneId{0}}};
  data.images = {plain_image(1, 1, {255, 255, 255, 255})};
  add_quad(data, "near", 0, {{1, -1}, {3, 1}}, 1);
  add_quad(data, "far", 0, {{1, -1}, {3, 1}}, 0);
  for (std::size_t i = 0; i < data.vertices.size(); ++i) data.vertices_3d.push_back({i < 4 ? 1.0F : -1.0F});
  for (const auto& [name, frames] : {std::pair{"still", 1U}, std::pair{"raise", 3U}}) {
    Clip clip = resting_clip(name, frames, 2, 10);
    clip.samples.samples_3d.resize(std::size_t{frames} * 2);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      clip.samples.x[frame * 2 + 1] = 2;
      clip.samples.samples_3d[frame * 2].rotation = rotation_about(kZ, 45.0 * frame);
      clip.samples.samples_3d[frame * 2 + 1].z = 0.5F * static_cast<float>(frame);
    }
    data.clips.push_back(std::move(clip));
  }
  return Character::build(std::move(data), ClipBindPose{"still", 0}).value();
}

bool near(Vec3 a, Vec3 b) {
  return std::abs(a.x - b.x) < 1e-5F && std::abs(a.y - b.y) < 1e-5F && std::abs(a.z - b.z) < 1e-5F;
}

Vec3 hand_of(const PoseBuffers& posed) { return posed.world_3d[1][3]; }

}  // namespace

TEST_CASE("a rotation's conjugate and an affine transform's inverse undo it", "[3d]") {
  const Quat rotation = normalized({1, 2, 3, 4});
  const Quat none = concatenate(rotation, conjugate(rotation));
  CHECK(none.w == Approx(1));
  const Affine3 transform = transform_of({1, 2, 3}, rotation, {2, -3, 0.5F});
  const Affine3 back = concatenate(inverse(transform).value(), transform);
  for (int column = 0; column < 4; ++column) CHECK(near(back[column], kIdentity3[column]));
  CHECK_FALSE(inverse(transform_of({}, rotation, {2, 0, 1})).has_value());
}

TEST_CASE("interpolating rotations takes the shorter way, whatever the signs of the ends", "[3d]") {
  const Quat from = rotation_about(kY, 10), to = rotation_about(kY, 50);
  const Quat negative{-to.x, -to.y, -to.z, -to.w};
  for (const Quat& end : {to, negative}) {
    const Quat middle = turn_towards(from, end, 0.5F);
    CHECK(middle.y == Approx(rotation_about(kY, 30).y));
    CHECK(middle.w == Approx(rotation_about(kY, 30).w));
  }
}

TEST_CASE("a 3D transform scales, then rotates, then moves", "[3d]") {
  const Affine3 transform = transform_of({0, 0, 5}, rotation_about(kX, 90), {1, 2, 1});
  CHECK(near(apply(transform, {1, 1, 0}), {1, 0, 7}));
}

TEST_CASE("a 3D clip is posed on its frames and between them", "[3d]") {
  const Character character = arm();
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {2, 2, 0}, posed);
  CHECK(near(hand_of(posed), {0, 2, 1}));
  pose_clip(character, ClipId{1}, {0, 2, 0.5F}, posed);
  const float diagonal = std::sqrt(2.0F);
  CHECK(near(hand_of(posed), {diagonal, diagonal, 0.5F}));
  pose_bind(character, posed);
  for (const Affine3& bone : posed.palette_3d) CHECK(near(bone[3], Vec3{0.0F}));
}

TEST_CASE("2D functions see a 3D pose from the front", "[3d]") {
  const Character character = arm();
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {0, 2, 0.5F}, posed);
  std::vector<Affine> world(2), palette(2);
  compose(character.bones(), view(posed.pose), world);
  for (const std::uint32_t number : {0U, 1U}) {
    const BoneId bone{number};
    const Affine expected = front_view(posed.world_3d[number]);
    for (const Affine& found :
         {world[number], posed.world[number], bone_world(character.bones(), view(posed.pose), bone),
          bone_world(character, ClipId{1}, {0, 2, 0.5F}, bone),
          front_view(bone_world_3d(character.bones(), view(posed.pose), bone))}) {
      CHECK(position_of(found).x == Approx(position_of(expected).x).margin(1e-5));
      CHECK(position_of(found).y == Approx(position_of(expected).y).margin(1e-5));
    }
  }
  std::vector<Vec2> points(4);
  deform_mesh(character, posed, MeshId{1}, points);
  CHECK(points[0].x == Approx(posed.palette_3d[0][0].x * character.vertices()[4].x +
                              posed.palette_3d[0][1].x * character.vertices()[4].y));
  // The squares span 1 to 3 along the arm, which points up at the end.
  pose_clip(character, ClipId{1}, {2, 2, 0}, posed);
  const Rect area = bounds(character, posed);
  CHECK(area.max.y == Approx(3));
  CHECK(area.min.x == Approx(-1));
  CHECK(compute_frame_bounds(character, ClipId{1}, 2).max.y == Approx(3));
}

TEST_CASE("3D clips crossfade, and an animator plays them", "[3d]") {
  const Character character = arm();
  PoseRequest request;
  request.fade_clip = ClipId{1};
  request.fade_position = {2, 2, 0};
  request.fade_weight = 0.5F;
  Pose pose;
  sample(character, request, pose);
  CHECK(pose.samples_3d[0].rotation.z == Approx(rotation_about(kZ, 45).z));
  CHECK(pose.samples_3d[1].z == Approx(0.5F));
  CHECK(near(bone_world_3d(character.bones(), view(pose), BoneId{1})[3], {std::sqrt(2.0F), std::sqrt(2.0F), 0.5F}));
  CHECK(bone_world(character, request, BoneId{1})[2].x == Approx(std::sqrt(2.0F)));

  Animator animator(character);
  animator.play(ClipId{1});
  animator.advance(0.1);
  PoseBuffers posed;
  animator.pose(posed);
  CHECK(near(hand_of(posed), {std::sqrt(2.0F), std::sqrt(2.0F), 0.5F}));
}

TEST_CASE("masks, additive layers and overrides work on 3D poses", "[3d]") {
  const Character character = arm();
  Pose raised, pose;
  sample(character, ClipId{1}, {2, 2, 0}, raised);
  sample_bind_pose(character, pose);
  blend(view(raised), 0.5F, mask_of_bones(character, std::vector{BoneId{1}}), pose);
  CHECK(pose.samples_3d[0] == BoneSample3D{});
  CHECK(pose.samples_3d[1].z == Approx(0.5F));

  sample_bind_pose(character, pose);
  blend_additive(view(raised), character.bind_pose(), 0.5F, {}, pose);
  CHECK(pose.samples_3d[0].rotation.z == Approx(rotation_about(kZ, 45).z));
  CHECK(pose.samples_3d[1].z == Approx(0.5F));

  BoneOverride change;
  change.bone = BoneId{0};
  change.rotation_degrees = -90.0F;
  change.relative = true;
  sample(character, ClipId{1}, {2, 2, 0}, pose);
  override_bones({&change, 1}, pose);
  CHECK(near(bone_world_3d(character.bones(), view(pose), BoneId{1})[3], {2, 0, 1}));
}

TEST_CASE("the nearest triangle of a 3D character is hit first", "[3d]") {
  const Character character = arm();
  PoseBuffers posed;
  pose_bind(character, posed);
  std::vector<Hit> hits;
  hit_test_all(character, posed, {}, {2, 0}, hits);
  REQUIRE(hits.size() == 2);
  CHECK(hits[0].mesh == MeshId{0});
  CHECK(hit_test(character, posed, {}, {2, 0})->bone == BoneId{1});
}

TEST_CASE("the box of a 2D character is empty", "[3d]") {
  const Character character = build(two_bone_arm());
  PoseBuffers posed;
  pose_bind(character, posed);
  REQUIRE(!posed.draw_list.empty());
  CHECK(box_of(character, posed).empty());
}

TEST_CASE("a 3D character without 3D data is rejected, and so is a 2D character with it", "[3d]") {
  CharacterData data = arm().data();
  data.vertices_3d.pop_back();
  CHECK(Character::build(data).error().id == DiagnosticId::invalid_structure);
  data = arm().data();
  data.clips[1].samples.samples_3d.pop_back();
  CHECK(Character::build(data).error().id == DiagnosticId::invalid_structure);
  data = arm().data();
  data.vertices_3d[1].normal.y = NAN;
  CHECK(Character::build(data).error().id == DiagnosticId::not_finite);
  data = arm().data();
  data.clips[1].samples.samples_3d[3].rotation.w = INFINITY;
  CHECK(Character::build(data).error().id == DiagnosticId::not_finite);
  data = sliding_quad();
  data.vertices_3d.resize(1);
  CHECK(Character::build(data).error().id == DiagnosticId::invalid_structure);
  data = sliding_quad();
  data.bind_pose.resize(2);
  CHECK(Character::build(data).error().id == DiagnosticId::invalid_structure);
}

TEST_CASE("a singular bone in a 3D bind pose is a warning", "[3d]") {
  CharacterData data = arm().data();
  data.clips[0].samples.samples_3d[1].scale_z = 0;
  const Character character = Character::build(std::move(data), ClipBindPose{"still", 0}).value();
  REQUIRE(character.warnings().size() == 1);
  CHECK(character.warnings()[0].id == DiagnosticId::bind_not_invertible);
}

}  // namespace pose_3d_test
