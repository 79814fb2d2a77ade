// SPDX-License-Identifier: MIT
// The parts of a character: their selection and their lists.
#include "document/parts.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

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

namespace pchr::player::artwork_layers_test {
namespace {

/// hat; body (a folded group) with arm (hidden), its mask shade, and leg; sketch (a reference).
Artwork figure() {
  Artwork artwork;
  artwork.layers = {{.name = "hat"},
                    {.name = "body", .kind = LayerKind::group, .expanded = false},
                    {.name = "arm", .parent = 1, .visible = false},
                    {.name = "shade", .parent = 2, .use = LayerUse::clipping_mask},
                    {.name = "leg", .parent = 1},
                    {.name = "sketch", .kind = LayerKind::reference}};
  return artwork;
}

/// Returns the listed names, each after a dot per ancestor, in parentheses if it is not seen.
std::string listed(const Artwork& artwork, const LayerChoice& choice, ArtworkLayers& layers) {
  list_layers(artwork, choice, layers);
  std::string text;
  for (const LayerRow& row : layers.rows) {
    const std::string name = std::string(row.depth, '.') + artwork.layers[row.layer].name;
    text += (text.empty() ? "" : " ") + (row.seen ? name : "(" + name + ")");
  }
  return text;
}

}  // namespace

TEST_CASE("layers are listed as a tree, initially folded as in the file", "[player][layers]") {
  const Artwork artwork = figure();
  ArtworkLayers layers;
  CHECK(listed(artwork, {}, layers) == "hat body (sketch)");
  layers.folded[1] = 0;
  CHECK(listed(artwork, {}, layers) == "hat body (.arm) (..shade) .leg (sketch)");
  CHECK(layers.rows[1].foldable);
  CHECK_FALSE(layers.rows[4].foldable);
  layers.folded[2] = 1;
  CHECK(listed(artwork, {}, layers) == "hat body (.arm) .leg (sketch)");
}

TEST_CASE("a layer is seen if it and its ancestors are drawn", "[player][layers]") {
  const Artwork artwork = figure();
  ArtworkLayers layers;
  list_layers(artwork, {}, layers);
  layers.folded[1] = 0;
  CHECK(listed(artwork, {.which = LayerChoice::Which::all}, layers) == "hat body .arm ..shade .leg (sketch)");
  LayerChoice choice = with_layer(artwork, {}, 2, true);
  CHECK(listed(artwork, choice, layers) == "hat body .arm ..shade .leg (sketch)");
  choice = with_layer(artwork, choice, 1, false);
  CHECK(listed(artwork, choice, layers) == "hat (body) (.arm) (..shade) (.leg) (sketch)");
}

TEST_CASE("a reference layer is drawn only if it is enabled itself", "[player][layers]") {
  const Artwork artwork = figure();
  ArtworkLayers layers;
  CHECK_FALSE(is_drawn(artwork, {}, 5));
  CHECK_FALSE(is_drawn(artwork, {.which = LayerChoice::Which::all}, 5));
  const LayerChoice choice = with_layer(artwork, {}, 5, true);
  CHECK(choice.overrides == std::vector{LayerOverride{5, true}});
  CHECK(listed(artwork, choice, layers) == "hat body sketch");
  CHECK(with_layer(artwork, choice, 5, false).overrides.empty());
}

TEST_CASE("a redundant layer override is removed", "[player][layers]") {
  const Artwork artwork = figure();
  LayerChoice choice = with_layer(artwork, {}, 0, false);
  CHECK(choice.overrides == std::vector{LayerOverride{0, false}});
  choice = with_layer(artwork, choice, 0, true);
  CHECK(choice.overrides.empty());
  CHECK(with_layer(artwork, {.which = LayerChoice::Which::all}, 2, true).overrides.empty());
}

}  // namespace pchr::player::artwork_layers_test
