// SPDX-License-Identifier: MIT
// `pchr pose`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/expected.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <simdjson.h>

#include <limits>
#include <string>

namespace pose_test {
namespace {

using namespace pchr::test;
using simdjson::dom::element;

float number(const element& value) { return static_cast<float>(double(value)); }

// The output of `pchr pose`, read back.
struct PrintedPose {
  std::string clip;  ///< Empty for null.
  std::int64_t frame = -1;
  std::vector<std::string> bone_names;
  std::vector<pchr::Affine> world;
  std::vector<std::uint32_t> draw_order;
  std::vector<std::string> mesh_names;
  std::vector<std::vector<pchr::Vec2>> meshes;
};

PrintedPose printed_pose(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_pchr(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  simdjson::dom::parser parser;
  const element document = parser.parse(outcome.out);
  PrintedPose printed;
  if (const element clip = document["clip"]; !clip.is_null()) printed.clip = std::string_view(clip);
  if (const element frame = document["frame"]; !frame.is_null()) printed.frame = frame;
  for (const element bone : document["bones"].get_array()) {
    printed.bone_names.emplace_back(std::string_view(bone["name"]));
    const element w = bone["world"];
    printed.world.push_back(
        {number(w.at(0)), number(w.at(1)), number(w.at(2)), number(w.at(3)), number(w.at(4)), number(w.at(5))});
  }
  for (const element mesh : document["drawOrder"].get_array()) {
    printed.draw_order.push_back(static_cast<std::uint32_t>(std::uint64_t(mesh)));
  }
  for (const element mesh : document["meshes"].get_array()) {
    printed.mesh_names.emplace_back(std::string_view(mesh["name"]));
    auto& vertices = printed.meshes.emplace_back();
    for (const element vertex : mesh["vertices"].get_array()) {
      vertices.push_back({number(vertex.at(0)), number(vertex.at(1))});
    }
  }
  return printed;
}

void check_same(const PrintedPose& printed, const pchr::Character& character, const pchr::PoseBuffers& posed) {
  REQUIRE(printed.world.size() == character.bones().size());
  for (std::size_t bone = 0; bone < printed.world.size(); ++bone) {
    CHECK(printed.bone_names[bone] == character.bones()[bone].name);
    CHECK(printed.world[bone] == posed.world[bone]);
  }
  std::vector<std::uint32_t> draw_order;
  for (const pchr::DrawItem& item : posed.draw_list) draw_order.push_back(static_cast<std::uint32_t>(item.mesh));
  CHECK(printed.draw_order == draw_order);

  REQUIRE(printed.meshes.size() == character.meshes().size());
  for (std::size_t i = 0; i < printed.meshes.size(); ++i) {
    const pchr::Mesh& mesh = character.meshes()[i];
    std::vector<pchr::Vec2> skinned(mesh.vertex_count);
    pchr::deform(character.vertices(mesh), posed.palette, skinned);
    CHECK(printed.mesh_names[i] == mesh.name);
    CHECK(printed.meshes[i] == skinned);
  }
}

TEST_CASE("pose prints exactly the bones and vertices that the runtime computes", "[tools][pose]") {
  const std::string file = character_file("pose_arm.pchr", two_bone_arm());
  const pchr::Character character = pchr::load_character(file).value();
  pchr::PoseBuffers posed;
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    pchr::pose_clip(character, pchr::ClipId{1}, {frame, frame, 0}, posed);
    const PrintedPose printed = printed_pose({"pose", file, "--clip", "bend", "--frame", std::to_string(frame)});
    CHECK(printed.clip == "bend");
    CHECK(printed.frame == frame);
    check_same(printed, character, posed);
  }
}

TEST_CASE("pose without a clip prints the bind pose", "[tools][pose]") {
  const std::string file = character_file("pose_bind.pchr", two_bone_arm());
  const pchr::Character character = pchr::load_character(file).value();
  pchr::PoseBuffers posed;
  pchr::pose_bind(character, posed);
  const PrintedPose printed = printed_pose({"pose", file});
  CHECK(printed.clip.empty());
  CHECK(printed.frame == -1);
  check_same(printed, character, posed);
}

TEST_CASE("pose --time holds the frame, or with --smooth interpolates and reports the earlier frame", "[tools][pose]") {
  const std::string file = character_file("pose_time.pchr", two_bone_arm());
  const pchr::Character character = pchr::load_character(file).value();
  const double seconds = 2.5 / 12;
  pchr::PoseBuffers posed;
  for (const bool smooth : {false, true}) {
    std::vector<std::string> arguments{"pose", file, "--clip", "bend", "--time", std::to_string(seconds)};
    if (smooth) arguments.emplace_back("--smooth");
    const pchr::Sampling sampling = smooth ? pchr::Sampling::smooth : pchr::Sampling::step;
    pchr::pose_clip(character, pchr::ClipId{1},
                    pchr::clip_time(character.clips()[1], std::stod(arguments[5]), sampling), posed);
    const PrintedPose printed = printed_pose(arguments);
    CHECK(printed.frame == 2);
    check_same(printed, character, posed);
  }
}

TEST_CASE("pose prints empty lists for a character without parts", "[tools][pose]") {
  const PrintedPose printed = printed_pose({"pose", character_file("pose_empty.pchr", {})});
  CHECK(printed.world.empty());
  CHECK(printed.draw_order.empty());
  CHECK(printed.meshes.empty());
}

TEST_CASE("poses of several files are an array, and name their files", "[tools][pose]") {
  const std::string arm = character_file("pose_list_arm.pchr", two_bone_arm());
  const std::string quad = character_file("pose_list_quad.pchr", sliding_quad());
  const Outcome both = run_pchr({"pose", arm, quad});
  CHECK(both.exit_code == 0);
  simdjson::dom::parser parser;
  const element documents = parser.parse(both.out);
  CHECK(documents.get_array().size() == 2);
  CHECK(std::string_view(documents.at(0)["file"]) == arm);
  CHECK(std::string_view(documents.at(1)["file"]) == quad);
  const std::string first = run_pchr({"pose", arm}).out, second = run_pchr({"pose", quad}).out;
  CHECK("[\n" + first.substr(0, first.size() - 1) + ",\n" + second + "]\n" == both.out);
  CHECK(run_pchr({"pose", "--shard", "1/1", arm}).out == first);
}

TEST_CASE("pose prints overflowing numbers as null", "[tools][pose]") {
  pchr::CharacterData data = sliding_quad();
  data.bones.push_back({"child", pchr::BoneId{0}});
  data.clips = {resting_clip("grow", 1, 2)};
  data.clips[0].samples.scale_x = {std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
  const Outcome outcome =
      run_pchr({"pose", character_file("pose_overflow.pchr", data), "--clip", "grow", "--bind", "identity"});
  REQUIRE(outcome.exit_code == 0);
  simdjson::dom::parser parser;
  const element document = parser.parse(outcome.out);
  CHECK(element(document["bones"].at(1)["world"].at(0)).is_null());
  CHECK(number(document["bones"].at(0)["world"].at(0)) == std::numeric_limits<float>::max());
}

TEST_CASE("pose matches independently computed values", "[tools][pose][conformance]") {
  for (const auto& file : conformance_characters()) {
    const Expected expected = read_expected(std::filesystem::path(file).replace_extension(".expected.json"));
    for (const ExpectedFrame& frame : expected.frames) {
      INFO(file << " " << frame.clip << " " << frame.frame);
      const PrintedPose printed =
          printed_pose({"pose", file.string(), "--clip", frame.clip, "--frame", std::to_string(frame.frame)});
      CHECK(printed.draw_order == frame.draw_order);
      for (std::size_t bone = 0; bone < frame.world.size(); ++bone) {
        CHECK(agrees(printed.world[bone], frame.world[bone]));
      }
      REQUIRE(printed.meshes.size() == frame.meshes.size());
      for (std::size_t mesh = 0; mesh < frame.meshes.size(); ++mesh) {
        for (std::size_t i = 0; i < frame.meshes[mesh].vertices.size(); ++i) {
          const std::uint32_t vertex = frame.meshes[mesh].vertices[i];
          CHECK(agrees(printed.meshes[mesh][vertex], frame.meshes[mesh].positions[i]));
        }
      }
    }
  }
}

}  // namespace

}  // namespace pose_test
