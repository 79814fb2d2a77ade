// SPDX-License-Identifier: MIT
#include "document/selection.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

namespace pchr::player::selection_test {
namespace {

/// Three quads on one bone: "low" and "high" overlap at the origin, "far" is next to them.
Character three_quads() {
  CharacterData data = test::sliding_quad();
  data.meshes[0].name = "low";
  test::add_quad(data, "high", 0, {{-4, -4}, {4, 4}}, 0);
  test::add_quad(data, "far", 0, {{20, -4}, {28, 4}}, 0);
  return Character::build(std::move(data)).value();
}

struct Scene {
  Character character = three_quads();
  PoseBuffers posed{};
  Selection selection{};

  Scene() {
    selection.masks = alpha_masks(character).value();
    pose_bind(character, posed);
  }
  void click(Vec2 at) { select_at(selection, character, posed, at, 1); }
};

}  // namespace

TEST_CASE("a click selects the topmost mesh, another click the one below", "[player][selection]") {
  Scene scene;
  scene.click({0, 0});
  CHECK(scene.selection.mesh == MeshId{1});
  CHECK(scene.selection.bone == BoneId{0});
  scene.click({0.5F, 0});
  CHECK(scene.selection.mesh == MeshId{0});
  scene.click({0, 0});
  CHECK(scene.selection.mesh == MeshId{1});
  scene.click({24, 0});
  CHECK(scene.selection.mesh == MeshId{2});
  scene.click({24, 0});
  CHECK(scene.selection.mesh == MeshId{2});
  scene.click({100, 0});
  CHECK_FALSE(scene.selection.mesh);
  CHECK_FALSE(scene.selection.bone);
}

TEST_CASE("bones are found by their joint, then by the line from their parent's", "[player][selection]") {
  // Joints of upper, lower and badge are at (0, 0), (0, 40) and (0, 20).
  const Character arm = Character::build(test::two_bone_arm()).value();
  PoseBuffers posed;
  pose_bind(arm, posed);
  constexpr BoneId kUpper{0}, kLower{1}, kBadge{2};
  CHECK(bones_at(arm, posed, {1, 1}, 4) == std::vector{kUpper, kLower, kBadge});
  CHECK(bones_at(arm, posed, {0, 39}, 4) == std::vector{kLower});
  CHECK(bones_at(arm, posed, {1, 30}, 4) == std::vector{kLower});
  CHECK(bones_at(arm, posed, {1, 20}, 4) == std::vector{kBadge, kLower});
  CHECK(bones_at(arm, posed, {3, 30}, 4).empty());
  posed.pose.visible[index(kBadge)] = 0;
  CHECK(bones_at(arm, posed, {1, 20}, 4) == std::vector{kLower, kBadge});
}

TEST_CASE("a click selects a bone before the meshes under it, another click the next part", "[player][selection]") {
  Scene scene;
  const auto click = [&](Vec2 at) {
    const BoneId bone{0};
    select_at(scene.selection, scene.character, scene.posed, at, 1, {&bone, 1});
  };
  click({0, 0});
  CHECK(scene.selection.bone == BoneId{0});
  CHECK_FALSE(scene.selection.mesh);
  click({0.5F, 0});
  CHECK(scene.selection.mesh == MeshId{1});
  click({0, 0});
  CHECK(scene.selection.mesh == MeshId{0});
  click({0, 0});
  CHECK_FALSE(scene.selection.mesh);
  click({24, 0});
  CHECK(scene.selection.bone == BoneId{0});
}

TEST_CASE("the outline consists of the edges of a single triangle", "[player][selection]") {
  Scene scene;
  select_mesh(scene.selection, scene.character, MeshId{1});
  find_outline(scene.selection, scene.character);
  // The four sides of a quad without its diagonal.
  CHECK(scene.selection.outline.size() == 4);
  select_nothing(scene.selection);
  find_outline(scene.selection, scene.character);
  CHECK(scene.selection.outline.empty());
}

TEST_CASE("a hidden mesh is neither drawn nor clickable", "[player][selection]") {
  Scene scene;
  set_hidden(scene.selection, scene.character, MeshId{1}, true);
  remove_hidden(scene.selection, scene.posed.draw_list);
  CHECK(scene.posed.draw_list.size() == 2);
  scene.click({0, 0});
  CHECK(scene.selection.mesh == MeshId{0});
  toggle_solo(scene.selection, scene.character);
  CHECK(scene.selection.hidden == std::vector<std::uint8_t>{0, 1, 1});
  toggle_solo(scene.selection, scene.character);
  CHECK(scene.selection.hidden.empty());
}

TEST_CASE("selection and hidden meshes are carried over by name", "[player][selection]") {
  Scene scene;
  select_mesh(scene.selection, scene.character, MeshId{2});
  set_hidden(scene.selection, scene.character, MeshId{0}, true);
  CharacterData data = scene.character.data();
  std::swap(data.meshes[0], data.meshes[2]);
  const Character after = Character::build(data).value();
  const Selection carried = carried_over(scene.selection, scene.character, after);
  CHECK(carried.mesh == MeshId{0});
  CHECK(carried.bone == BoneId{0});
  CHECK(carried.hidden == std::vector<std::uint8_t>{0, 0, 1});
  data.meshes[0].name = "other";
  CHECK_FALSE(carried_over(scene.selection, scene.character, Character::build(data).value()).mesh);
}

}  // namespace pchr::player::selection_test
