// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/pose.hpp>
#include <pchr/draw_list.hpp>

namespace skin_test {
using namespace pchr;
using test::contains;

namespace {

Character arm() {
  auto character = Character::build(test::two_bone_arm());
  REQUIRE(character);
  return *character;
}

constexpr MeshId kStrip{0}, kBadge{1};

std::string problem(const SkinData& skin) {
  const auto found = validate_skin(skin, arm());
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("a skin that hides, tints and replaces images fits its character", "[skin]") {
  const Character character = arm();
  SkinData skin{"winter", {}, {}};
  CHECK_FALSE(validate_skin(skin, character));
  part_of(skin, MeshId{kStrip}).visible = false;
  part_of(skin, MeshId{kBadge}).image = add_image(skin, character, {1, 1, {0, 0, 0, 0}});
  CHECK(skin.parts[index(kBadge)].image == ImageId{2});
  CHECK(add_image(skin, character, {1, 1, {0, 0, 0, 0}}) == ImageId{3});
  CHECK_FALSE(validate_skin(skin, character));
  skin.parts[index(kBadge)].image = ImageId{0};
  CHECK_FALSE(validate_skin(skin, character));
}

TEST_CASE("a skin that does not fit its character gives the reason", "[skin]") {
  const Character character = arm();
  SkinData skin{"winter", {}, {}};
  skin.parts.resize(3);
  CHECK_THAT(problem(skin), contains("\"winter\" has parts for 3 meshes") && contains("has 2"));
  skin.parts.resize(2);
  skin.parts[index(kBadge)].image = ImageId{3};
  skin.images = {{1, 1, {0, 0, 0, 0}}};
  CHECK_THAT(problem(skin), contains("image 3 for meshes[1] \"badge\"") && contains("has 2 images and the skin 1"));
  skin.parts[index(kBadge)].image = ImageId{2};
  skin.images = {{2, 1, {0, 0, 0, 0}}};
  CHECK_THAT(problem(skin), contains("images[0]") && contains("2 x 1 pixels and 4 bytes"));
  skin.images = {{0, 1, {}}};
  CHECK_THAT(problem(skin), contains("0 x 1 pixels"));
}

TEST_CASE("applying a skin removes hidden meshes, multiplies tints, sets images, and keeps order and opacity",
          "[skin]") {
  SkinData skin;
  part_of(skin, MeshId{0}).visible = false;
  part_of(skin, MeshId{2}).tint = {0.5F, 1, 1, 0.25F};
  part_of(skin, MeshId{3}).image = ImageId{7};
  DrawList list{{MeshId{3}, 1, {1, 1, 1, 1}, ImageId{1}},
                {MeshId{0}},
                {MeshId{2}, 0.5F, {0.5F, 0.5F, 1, 1}},
                {MeshId{9}, 1, {1, 1, 1, 1}, ImageId{2}}};
  apply_skin(skin, list);
  REQUIRE(list.size() == 3);
  CHECK(list[0].mesh == MeshId{3});
  CHECK(list[0].image == ImageId{7});
  CHECK(list[1].mesh == MeshId{2});
  CHECK(list[1].opacity == 0.5F);
  CHECK(list[1].tint == std::array{0.25F, 0.5F, 1.0F, 0.25F});
  CHECK(list[1].image == ImageId::none);
  // Past the skin's parts.
  CHECK(list[2].mesh == MeshId{9});
  CHECK(list[2].image == ImageId{2});
}

TEST_CASE("posing again removes the skin, whether the draw order was kept or not", "[skin]") {
  const Character character = arm();
  SkinData tints, hides;
  part_of(tints, kStrip) = {true, {1, 0, 0, 1}, ImageId{1}};
  part_of(hides, kStrip).visible = false;
  for (const SkinData& skin : {tints, hides}) {
    PoseBuffers posed;
    pose_bind(character, posed);
    apply_skin(skin, posed.draw_list);
    pose_bind(character, posed);
    REQUIRE(posed.draw_list.size() == 2);
    CHECK(posed.draw_list[0].mesh == kStrip);
    CHECK(posed.draw_list[0].tint == std::array{1.0F, 1.0F, 1.0F, 1.0F});
    CHECK(posed.draw_list[0].image == ImageId::none);
  }
}

}  // namespace skin_test
