// SPDX-License-Identifier: MIT
// The bone list: order, folding, hiding.
#include "document/bone_tree.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <initializer_list>
#include <string_view>

namespace pchr::player::bone_tree_test {
namespace {

/// Bones that are not in tree order: hip, left leg, right leg, left foot, right foot, each with a mesh of the same name
/// and index.
Character legs() {
  CharacterData data = test::sliding_quad();
  data.clips.clear();
  data.bones = {{"hip", BoneId::none},
                {"left leg", BoneId{0}},
                {"right leg", BoneId{0}},
                {"left foot", BoneId{1}},
                {"right foot", BoneId{2}}};
  data.meshes[0].name = "hip";
  for (std::uint16_t bone = 1; bone < 5; ++bone) {
    test::add_quad(data, data.bones[bone].name, 0, {{-4, -4}, {4, 4}}, bone);
  }
  return Character::build(std::move(data)).value();
}

struct Scene {
  Character character = legs();
  Selection selection{};
  NameFilter filter{};

  std::vector<BoneRow> rows() {
    std::vector<BoneRow> listed;
    list_bones(character, selection, filter, listed);
    return listed;
  }
  std::vector<std::uint32_t> bones() {
    std::vector<std::uint32_t> numbers;
    for (const BoneRow& row : rows()) numbers.push_back(static_cast<std::uint32_t>(row.bone));
    return numbers;
  }
  void find(std::string_view text) { filter.text[text.copy(filter.text.data(), filter.text.size() - 1)] = '\0'; }
};

using Numbers = std::vector<std::uint32_t>;
using Hidden = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("a bone is listed before its descendants, which precede its siblings", "[player][subtree]") {
  Scene scene;
  CHECK(scene.bones() == Numbers{0, 1, 3, 2, 4});
  const auto rows = scene.rows();
  CHECK(rows[0].depth == 0);
  CHECK(rows[2].depth == 2);
  CHECK(rows[1].foldable);
  CHECK_FALSE(rows[2].foldable);
  CHECK(rows[0].meshes == 5);
  CHECK(rows[1].meshes == 2);
}

TEST_CASE("descendants of a folded bone are not listed until one is selected", "[player][subtree]") {
  Scene scene;
  set_folded(scene.selection, scene.character, BoneId{1}, true);
  CHECK(scene.bones() == Numbers{0, 1, 2, 4});
  set_folded(scene.selection, scene.character, BoneId{0}, true);
  CHECK(scene.bones() == Numbers{0});
  unfold_to(scene.selection, scene.character, BoneId{3});
  CHECK(scene.bones() == Numbers{0, 1, 3, 2, 4});
}

TEST_CASE("a filter lists matching names, ignoring case, without a tree", "[player][subtree]") {
  Scene scene;
  set_folded(scene.selection, scene.character, BoneId{0}, true);
  scene.find("LEFT");
  CHECK(scene.bones() == Numbers{1, 3});
  CHECK(scene.rows()[1].depth == 0);
  std::vector<MeshId> meshes;
  list_meshes(scene.character, scene.filter, meshes);
  CHECK(meshes == std::vector{MeshId{1}, MeshId{3}});
  scene.find("arm");
  CHECK(scene.bones().empty());
}

TEST_CASE("a subtree is hidden and shown as a whole", "[player][subtree]") {
  Scene scene;
  CHECK_FALSE(is_subtree_hidden(scene.selection, scene.character, BoneId{1}));
  set_subtree_hidden(scene.selection, scene.character, BoneId{1}, true);
  CHECK(scene.selection.hidden == Hidden{0, 1, 0, 1, 0});
  CHECK(is_subtree_hidden(scene.selection, scene.character, BoneId{1}));
  CHECK(is_subtree_hidden(scene.selection, scene.character, BoneId{3}));
  CHECK_FALSE(is_subtree_hidden(scene.selection, scene.character, BoneId{0}));
  CHECK(scene.rows()[0].hidden == 2);
  set_subtree_hidden(scene.selection, scene.character, BoneId{0}, false);
  CHECK(scene.selection.hidden == Hidden(5));
}

TEST_CASE("soloing the selected bone's subtree twice shows everything again", "[player][subtree]") {
  Scene scene;
  toggle_subtree_solo(scene.selection, scene.character);
  CHECK(scene.selection.hidden.empty());
  select_bone(scene.selection, BoneId{2});
  toggle_subtree_solo(scene.selection, scene.character);
  CHECK(scene.selection.hidden == Hidden{1, 1, 0, 1, 0});
  toggle_subtree_solo(scene.selection, scene.character);
  CHECK(scene.selection.hidden.empty());
}

TEST_CASE("the selection moves through meshes, or through bones in list order", "[player][subtree]") {
  Scene scene;
  Selection& selection = scene.selection;
  for (const std::uint32_t expected : {0U, 1U, 3U, 2U, 4U, 4U}) {
    select_neighbor(selection, scene.character, 1);
    CHECK(selection.bone == BoneId{expected});
  }
  select_neighbor(selection, scene.character, -1);
  CHECK(selection.bone == BoneId{2});
  set_folded(selection, scene.character, BoneId{1}, true);
  select_neighbor(selection, scene.character, -1);
  CHECK(selection.bone == BoneId{1});
  select_mesh(selection, scene.character, MeshId{3});
  select_neighbor(selection, scene.character, 1);
  CHECK(selection.mesh == MeshId{4});
  select_neighbor(selection, scene.character, 1);
  CHECK(selection.mesh == MeshId{4});
}

TEST_CASE("folds are carried over by name", "[player][subtree]") {
  Scene scene;
  set_folded(scene.selection, scene.character, BoneId{2}, true);
  CharacterData data = scene.character.data();
  std::swap(data.bones[1].name, data.bones[2].name);
  const Character after = Character::build(data).value();
  CHECK(carried_over(scene.selection, scene.character, after).folded == Hidden{0, 1, 0, 0, 0});
}

}  // namespace pchr::player::bone_tree_test
