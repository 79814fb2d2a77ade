// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/character.hpp>
#include <pchr/pose.hpp>

#include <functional>
#include <limits>
#include <thread>
#include <vector>

namespace character_build_test {
using namespace pchr;
using pchr::test::sliding_quad;
using pchr::test::two_bone_arm;

namespace {

struct Broken {
  DiagnosticId id;
  std::string path;
  std::function<void(CharacterData&)> breakage;
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("build rejects each wrong value with its path", "[build]") {
  const std::vector<Broken> cases = {
      {DiagnosticId::image_size_zero, "images[0].width", [](auto& data) { data.images[0].width = 0; }},
      {DiagnosticId::image_size_zero, "images[1].height", [](auto& data) { data.images[1].height = 0; }},
      {DiagnosticId::image_data_size, "images[0].data", [](auto& data) { data.images[0].bytes.pop_back(); }},
      {DiagnosticId::invalid_parent, "bones[0].parent", [](auto& data) { data.bones[0].parent = BoneId{0}; }},
      {DiagnosticId::invalid_parent, "bones[1].parent", [](auto& data) { data.bones[1].parent = BoneId{1}; }},
      {DiagnosticId::invalid_parent, "bones[2].parent", [](auto& data) { data.bones[2].parent = BoneId{0xFFFFFFFE}; }},
      {DiagnosticId::image_out_of_range, "meshes[1].image", [](auto& data) { data.meshes[1].image = ImageId{2}; }},
      {DiagnosticId::invalid_structure, "meshes[1]", [](auto& data) { data.meshes[1].vertex_count = 5; }},
      {DiagnosticId::invalid_structure, "meshes[1]", [](auto& data) { data.meshes[1].first_vertex = 0xffffffff; }},
      {DiagnosticId::invalid_structure, "meshes[0]", [](auto& data) { data.meshes[0].index_count = 0xffffffff; }},
      {DiagnosticId::incomplete_triangle, "meshes[1].indexCount", [](auto& data) { data.meshes[1].index_count = 5; }},
      {DiagnosticId::vertex_out_of_range, "meshes[1].indices[5]", [](auto& data) { data.indices.back() = 4; }},
      {DiagnosticId::bone_out_of_range, "meshes[0].vertices[3].boneIds[1]",
       [](auto& data) {
         data.vertices[3].bones[1] = 3;
         data.vertices[3].weights[1] = 0.25F;
       }},
      {DiagnosticId::not_finite, "meshes[0].vertices[2].x", [](auto& data) { data.vertices[2].x = kNan; }},
      {DiagnosticId::not_finite, "meshes[0].vertices[2].v", [](auto& data) { data.vertices[2].v = kInfinity; }},
      {DiagnosticId::not_finite, "meshes[0].vertices[2].boneWeights[3]",
       [](auto& data) { data.vertices[2].weights[3] = kNan; }},
      {DiagnosticId::invalid_structure, "animations[1]", [](auto& data) { data.clips[1].samples.x.pop_back(); }},
      {DiagnosticId::invalid_structure, "animations[1]", [](auto& data) { data.clips[1].samples.opacity = {1.0F}; }},
      {DiagnosticId::not_finite, "animations[1].frames[2][1].rotation",
       [](auto& data) { data.clips[1].samples.rotation_degrees[2 * 3 + 1] = kNan; }},
      {DiagnosticId::not_finite, "animations[1].frames[0][2].scaleY",
       [](auto& data) {
         data.clips[1].samples.x[5] = kNan;
         data.clips[1].samples.scale_y[2] = -kInfinity;
       }},
      {DiagnosticId::not_finite, "animations[0].fps", [](auto& data) { data.clips[0].frames_per_second = -1; }},
  };
  for (const Broken& broken : cases) {
    CharacterData data = two_bone_arm();
    broken.breakage(data);
    const auto result = Character::build(std::move(data));
    INFO(broken.path);
    REQUIRE_FALSE(result);
    CHECK(code(result.error().id) == code(broken.id));
    CHECK(result.error().path == broken.path);
  }
}

TEST_CASE("build rejects authored influences that are unsorted, too few or without a bone", "[build]") {
  const auto influences = [](std::uint32_t vertex, std::size_t count) {
    return std::vector<AuthoredInfluence>(count, {vertex, 0, 0.2F});
  };
  const auto error = [](std::vector<AuthoredInfluence> authored) {
    CharacterData data = two_bone_arm();
    data.authored_influences = std::move(authored);
    const auto character = Character::build(std::move(data));
    REQUIRE_FALSE(character);
    return character.error();
  };
  auto list = influences(2, 5);
  CharacterData data = two_bone_arm();
  data.authored_influences = list;
  CHECK(Character::build(data));
  CHECK(error(influences(2, 4)).id == DiagnosticId::invalid_structure);
  CHECK(error(influences(0xffffffff, 5)).id == DiagnosticId::invalid_structure);
  const auto before = influences(1, 5);
  list.insert(list.end(), before.begin(), before.end());
  CHECK(error(list).id == DiagnosticId::invalid_structure);
  list = influences(2, 6);
  list[5].bone = 3;
  CHECK(error(list).id == DiagnosticId::bone_out_of_range);
  CHECK(error(list).path == "meshes[0].vertices[2].boneIds[5]");
  list[5] = {2, 0, kInfinity};
  CHECK(error(list).id == DiagnosticId::not_finite);
  CHECK(error(list).path == "meshes[0].vertices[2].boneWeights[5]");
  list[5] = {2, 3, 0.0F};
  data.authored_influences = list;
  CHECK(Character::build(data));
}

TEST_CASE("a slot of weight 0 can have any bone index, and negative zero counts as 0", "[build]") {
  CharacterData data = two_bone_arm();
  data.vertices[0].bones[3] = 65535;
  data.vertices[1].bones[3] = 9999;
  data.vertices[1].weights[3] = -0.0F;
  CHECK(Character::build(std::move(data)));
}

TEST_CASE("the governing bone has the largest sum of weights, and the lowest index of equal ones", "[build]") {
  CharacterData data = two_bone_arm();
  CHECK(Character::build(data)->governing_bone(MeshId{0}) == BoneId{0});  // 0 and 1 share the strip evenly
  data.vertices[0].weights[0] = 0.5F;
  CHECK(Character::build(data)->governing_bone(MeshId{0}) == BoneId{1});
  CHECK(Character::build(data)->governing_bone(MeshId{1}) == BoneId{2});
  for (auto& vertex : data.vertices) std::fill(vertex.weights, vertex.weights + 4, 0.0F);
  CHECK(Character::build(data)->governing_bone(MeshId{1}) == BoneId{0});
}

TEST_CASE("if no sum of weights is positive, the governing bone is the first without weights", "[build]") {
  CharacterData data = two_bone_arm();
  for (auto& vertex : data.vertices) {
    for (float& weight : vertex.weights) weight = -weight;
  }
  CHECK(Character::build(data)->governing_bone(MeshId{0}) == BoneId{2});  // 0 and 1 are negative
  CHECK(Character::build(data)->governing_bone(MeshId{1}) == BoneId{0});  // 2 is negative
  data.bones.resize(2);
  for (auto& vertex : data.vertices) vertex.bones[0] = std::min<std::uint16_t>(vertex.bones[0], 1);
  data.clips.clear();
  data.vertices[0].weights[0] = -3;
  CHECK(Character::build(data)->governing_bone(MeshId{0}) == BoneId{1});  // the less negative one
}

TEST_CASE("many meshes with many bones take no more time than either alone", "[build]") {
  CharacterData data;
  data.images.push_back(test::plain_image(1, 1, {255, 255, 255, 255}));
  data.bones.resize(65535);
  data.meshes.resize(65535);
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  CHECK(character->governing_bone(MeshId{65534}) == BoneId{0});
}

TEST_CASE("the bind pose is a clip with a known name, else the first with frames, else none", "[build]") {
  for (const char* name : {"bind", "Bind_Pose", "BINDPOSE", "rest", "Rest_pose", "setup"}) {
    CharacterData data = sliding_quad();
    data.clips[0].name = "a";
    data.clips[1].name = name;
    CHECK(Character::build(std::move(data))->bind_pose_source().clip == ClipId{1});
  }
  CharacterData data = sliding_quad();
  data.clips[0].name = "binding";
  CHECK(Character::build(data)->bind_pose_source().clip == ClipId{0});
  data.clips[0].frame_count = 0;
  data.clips[0].samples = {};
  CHECK(Character::build(data)->bind_pose_source().clip == ClipId{1});
  data.clips.clear();
  CHECK(Character::build(data)->bind_pose_source().clip == ClipId::none);
}

TEST_CASE("the caller can choose the bind pose or the identity", "[build]") {
  CharacterData data = sliding_quad();
  const auto named = Character::build(data, ClipBindPose{"slide", 2});
  REQUIRE(named);
  CHECK(named->bind_pose().x[0] == 8);
  CHECK(named->inverse_bind()[0] == Affine{1, 0, 0, 1, -8, 0});
  const auto identity = Character::build(data, IdentityBindPose{});
  REQUIRE(identity);
  CHECK(identity->inverse_bind()[0] == kIdentity);
  CHECK(Character::build(data, ClipBindPose{"slide", 4}).error().id == DiagnosticId::unknown_bind_clip);
  CHECK(Character::build(data, ClipBindPose{"none", 0}).error().id == DiagnosticId::unknown_bind_clip);
}

TEST_CASE("a bone that collapses in the bind pose uses the first frame in which it does not", "[build]") {
  CharacterData data = sliding_quad();
  data.clips.erase(data.clips.begin());
  data.clips[0].samples.scale_x = {0, 0, 1, 1};
  const auto character = Character::build(data);
  REQUIRE(character);
  CHECK(character->inverse_bind()[0] == Affine{1, 0, 0, 1, -8, 0});
  REQUIRE(character->warnings().size() == 1);
  CHECK(character->warnings()[0].id == DiagnosticId::bind_not_invertible);
  CHECK(character->warnings()[0].detail ==
        "cannot be inverted in the bind pose; frame 2 of the bind clip is used instead");

  data.clips[0].samples.scale_x = {0, 0, 0, 0};
  const auto flat = Character::build(data);
  REQUIRE(flat);
  CHECK(flat->inverse_bind()[0] == kIdentity);
  CHECK(flat->warnings()[0].detail == "cannot be inverted in the bind pose; the identity transform is used instead");
}

TEST_CASE("a child of a collapsed bone counts as collapsed at any rotation", "[build]") {
  CharacterData data = two_bone_arm();
  for (Clip& clip : data.clips) {
    for (std::size_t i = 0; i < clip.samples.x.size(); ++i) {
      clip.samples.rotation_degrees[i] = 33;
      if (i % 3 == 0) clip.samples.scale_x[i] = 0;
    }
  }
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  CHECK(character->warnings().size() == 3);
  for (const Affine& inverse : character->inverse_bind()) CHECK(inverse == kIdentity);
}

TEST_CASE("negative weights load with one warning per mesh", "[build]") {
  CharacterData data = two_bone_arm();
  data.vertices[2].weights[1] = -0.5F;
  data.vertices[4].weights[0] = -1;
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  REQUIRE(character->warnings().size() == 1);
  CHECK(character->warnings()[0].id == DiagnosticId::negative_weight);
  CHECK(character->warnings()[0].path == "meshes[0].vertices[2].boneWeights[1]");
}

TEST_CASE("a lookup finds the first of several equal names", "[build]") {
  CharacterData data = two_bone_arm();
  data.bones[2].name = "lower";
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  CHECK(character->find_bone("lower") == BoneId{1});
  CHECK(character->find_mesh("badge") == MeshId{1});
  CHECK(character->find_clip("bend") == ClipId{1});
  CHECK(character->find_clip("Bend") == ClipId::none);
}

TEST_CASE("a copy shares its character, and threads can pose it at the same time", "[build]") {
  const auto character = Character::build(two_bone_arm());
  REQUIRE(character);
  const Character copy = *character;
  CHECK(copy.bones().data() == character->bones().data());
  std::vector<PoseBuffers> results(8);
  {
    std::vector<std::jthread> threads;
    for (auto& result : results) {
      threads.emplace_back([copy, &result] {
        for (std::uint32_t i = 0; i < 100; ++i) pose_clip(copy, ClipId{1}, {i % 8, i % 8, 0}, result);
      });
    }
  }
  for (const auto& result : results) CHECK(result.world == results[0].world);
}

}  // namespace character_build_test
