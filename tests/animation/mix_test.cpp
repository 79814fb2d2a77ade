// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/pose.hpp>

namespace mix_test {
using namespace pchr;
using namespace pchr::test;

namespace {

Pose pose_of(float x, float rotation_degrees, float scale_x, float opacity) {
  Pose pose;
  pose.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    pose.x[i] = x;
    pose.rotation_degrees[i] = rotation_degrees;
    pose.scale_x[i] = scale_x;
  }
  pose.opacity = SampleArray<float>(3, opacity);
  return pose;
}

Character chain_of_four() {
  CharacterData data;
  data.bones = {{"a", BoneId::none}, {"b", BoneId{0}}, {"c", BoneId{1}}, {"d", BoneId{0}}};
  return Character::build(std::move(data)).value();
}

}  // namespace

TEST_CASE("a subtree mask contains a bone and its descendants", "[mix]") {
  const Character character = chain_of_four();
  CHECK(mask_of_subtree(character, BoneId{0}) == BoneMask{1, 1, 1, 1});
  CHECK(mask_of_subtree(character, BoneId{1}) == BoneMask{0, 1, 1, 0});
  CHECK(mask_of_subtree(character, BoneId{3}) == BoneMask{0, 0, 0, 1});
  CHECK(mask_of_bones(character, std::vector{BoneId{0}, BoneId{2}}) == BoneMask{1, 0, 1, 0});
}

TEST_CASE("a masked blend changes only the masked bones", "[mix]") {
  const Pose to = pose_of(8, 350, 3, 0.5F);
  for (const float weight : {0.0F, 0.25F, 0.5F, 1.0F, 2.0F}) {
    Pose all = pose_of(4, 10, 1, 1), masked = all, untouched = all;
    blend(view(to), weight, all);
    blend(view(to), weight, BoneMask{0, 1, 0}, masked);
    CAPTURE(weight);
    for (const std::size_t i : {0, 1, 2}) {
      const Pose& expected = i == 1 ? all : untouched;
      CHECK(masked.x[i] == expected.x[i]);
      CHECK(masked.rotation_degrees[i] == expected.rotation_degrees[i]);
      CHECK(masked.scale_x[i] == expected.scale_x[i]);
      CHECK(masked.opacity[i] == expected.opacity[i]);
    }
  }
}

TEST_CASE("an additive blend adds the difference between a pose and its reference", "[mix]") {
  Pose pose = pose_of(10, 90, 2, 0.75F);
  const Pose layer = pose_of(5, -170, 1.5F, 0), reference = pose_of(1, 170, 1, 1);
  blend_additive(view(layer), view(reference), 0.5F, {}, pose);
  CHECK(pose.x[0] == 12.0F);
  CHECK(pose.rotation_degrees[0] == 100.0F);  // Half of the 20 degrees that are the shorter way.
  CHECK(pose.scale_x[0] == 2.25F);
  CHECK(pose.opacity[0] == 0.25F);
  blend_additive(view(layer), view(reference), 1, BoneMask{1, 0, 0}, pose);
  CHECK(pose.opacity[0] == 0.0F);
  CHECK(pose.opacity[1] == 0.25F);
}

TEST_CASE("an override replaces or adds, scaled by its weight", "[mix]") {
  Pose pose = pose_of(10, 170, 2, 1);
  const std::vector<BoneOverride> overrides{
      {.bone = BoneId{0}, .x = 20.0F, .rotation_degrees = -170.0F, .scale_x = 4.0F, .weight = 0.5F},
      {.bone = BoneId{1},
       .x = 20.0F,
       .rotation_degrees = 40.0F,
       .scale_x = 4.0F,
       .z_order = 3,
       .weight = 0.5F,
       .relative = true},
      {.bone = BoneId{2}, .x = 1.0F, .visible = false, .weight = 0.4F},
  };
  override_bones(overrides, pose);
  CHECK(pose.x[0] == 15.0F);
  CHECK(pose.rotation_degrees[0] == 180.0F);
  CHECK(pose.scale_x[0] == 3.0F);
  CHECK(pose.x[1] == 20.0F);
  CHECK(pose.rotation_degrees[1] == 190.0F);
  CHECK(pose.scale_x[1] == 5.0F);
  CHECK(pose.z_order[1] == 3);
  CHECK(pose.x[2] == Approx(6.4));
  CHECK(pose.visible[2] == 1);
}

}  // namespace mix_test
