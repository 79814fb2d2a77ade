// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <fstream>
#include <string>

namespace draw_list_test {
using namespace pchr;

namespace {

std::vector<std::uint32_t> meshes_of(const DrawList& list) {
  std::vector<std::uint32_t> meshes;
  for (const DrawItem& item : list) meshes.push_back(static_cast<std::uint32_t>(item.mesh));
  return meshes;
}

/// Returns the draw lists of a few frames of every clip, as text.
std::string draw_stream(const Character& character) {
  std::string text;
  PoseBuffers posed;
  for (const ClipId clip : character.clips().ids()) {
    const std::uint32_t count = character.clips()[clip].frame_count;
    for (const std::uint32_t frame : {0U, count / 3, 2 * count / 3}) {
      pose_clip(character, clip, {frame, frame, 0}, posed);
      text += "clip \"" + character.clips()[clip].name + "\" frame " + std::to_string(frame) + "\n";
      text += describe(character, posed.pose.frame(0, character.bones().size()), posed.draw_list);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("meshes are drawn in ascending z order, with file order among equals", "[draw_list]") {
  CharacterData data;
  data.images.push_back(test::plain_image(1, 1, {255, 255, 255, 255}));
  const int orders[] = {3, -2, 3, 0, -32768, 3, 40000};
  for (std::uint16_t i = 0; i < std::size(orders); ++i) {
    data.bones.push_back({"bone", BoneId::none});
    test::add_quad(data, "quad", 0, {{0, 0}, {1, 1}}, i);
  }
  Clip clip = test::resting_clip("bind", 1, std::size(orders));
  clip.samples.z_order.assign(std::begin(orders), std::end(orders));
  data.clips.push_back(std::move(clip));
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  PoseBuffers posed;
  pose_clip(*character, ClipId{0}, {}, posed);
  CHECK(meshes_of(posed.draw_list) == std::vector<std::uint32_t>{4, 1, 3, 0, 2, 5, 6});
}

TEST_CASE("previous contents of a draw list do not change the result", "[draw_list]") {
  const auto character = Character::build(test::two_bone_arm());
  REQUIRE(character);
  const PoseView pose = character->clips()[1].samples.frame(0, 3);
  const DrawList before[] = {{},
                             {{MeshId{0}, 1}},
                             {{MeshId{0}, 1}, {MeshId{0}, 1}},
                             {{MeshId{1}, 1}, {MeshId{0}, 1}},
                             {{MeshId{0}, 0.5F}, {MeshId{1}, 0.5F}},
                             {{MeshId{0}, 1}, {MeshId{7}, 1}},
                             {{MeshId{0}, 1}, {MeshId{1}, 1}, {MeshId{2}, 1}}};
  for (DrawList list : before) {
    build_draw_list(*character, pose, list);
    CHECK(meshes_of(list) == std::vector<std::uint32_t>{0, 1});
    CHECK(list[0].opacity == 1);
    CHECK(list[1].opacity == 1);
  }
}

TEST_CASE("only its governing bone hides a mesh", "[draw_list]") {
  const auto character = Character::build(test::two_bone_arm());
  REQUIRE(character);
  PoseBuffers posed;
  pose_clip(*character, ClipId{1}, {1, 1, 0}, posed);
  CHECK(meshes_of(posed.draw_list) == std::vector<std::uint32_t>{0});
  posed.pose.visible = {1, 0, 1};  // Bone 0 governs the strip.
  update(*character, posed);
  CHECK(meshes_of(posed.draw_list) == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("the opacity of the governing bone reaches the draw list", "[draw_list]") {
  const auto character = Character::build(test::two_bone_arm());
  REQUIRE(character);
  PoseBuffers posed;
  pose_bind(*character, posed);
  posed.pose.opacity[2] = 0.25F;
  update(*character, posed);
  CHECK(posed.draw_list[0].opacity == 1);
  CHECK(posed.draw_list[1].opacity == 0.25F);
}

TEST_CASE("a character without bones draws its meshes in file order", "[draw_list]") {
  CharacterData data;
  data.images.push_back(test::plain_image(1, 1, {255, 255, 255, 255}));
  test::add_quad(data, "a", 0, {{0, 0}, {1, 1}}, 0);
  test::add_quad(data, "b", 0, {{0, 0}, {1, 1}}, 0);
  for (auto& vertex : data.vertices) vertex.weights[0] = 0;
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  PoseBuffers posed;
  pose_bind(*character, posed);
  CHECK(meshes_of(posed.draw_list) == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("the draw lists of the samples match their golden files", "[draw_list][golden]") {
  for (const std::string name : {"quad", "corners", "kiri"}) {
    const auto character = load_character(test::asset(name + ".pchr"));
    REQUIRE(character);
    const std::string actual = draw_stream(*character);
    const auto reference = test::golden(name + ".draws");
    if (test::updating_goldens()) std::ofstream(reference) << actual;
    CHECK(actual == test::read_text(reference));
  }
}

}  // namespace draw_list_test
