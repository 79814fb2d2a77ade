// SPDX-License-Identifier: MIT
// Compares third-party characters with values that an independent program computed in double precision.
#include "support/catch.hpp"
#include "support/expected.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/queries.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

namespace animation_conformance_test {
using namespace pchr;
using namespace pchr::test;

namespace {

void check_frame(const Character& character, const ExpectedFrame& expected) {
  PoseBuffers posed;
  const ClipId clip = character.find_clip(expected.clip);
  pose_clip(character, clip, {expected.frame, expected.frame, 0}, posed);
  for (std::size_t bone = 0; bone < expected.world.size(); ++bone) {
    INFO("bone " << bone);
    CHECK(agrees(posed.world[bone], expected.world[bone]));
  }
  std::vector<std::uint32_t> order;
  for (const DrawItem& item : posed.draw_list) order.push_back(static_cast<std::uint32_t>(item.mesh));
  CHECK(order == expected.draw_order);
  for (std::size_t mesh = 0; mesh < expected.meshes.size(); ++mesh) {
    const auto vertices = character.vertices(character.meshes()[mesh]);
    std::vector<Vec2> points(vertices.size());
    deform(vertices, posed.palette, points);
    for (std::size_t i = 0; i < expected.meshes[mesh].vertices.size(); ++i) {
      INFO("mesh " << mesh << " vertex " << expected.meshes[mesh].vertices[i]);
      CHECK(agrees(points[expected.meshes[mesh].vertices[i]], expected.meshes[mesh].positions[i]));
    }
  }
  const Rect box = bounds(character, posed);
  const Rect kept = compute_frame_bounds(character, clip, expected.frame);
  CHECK((kept.min == box.min && kept.max == box.max));
  if (box.empty()) {
    CHECK(expected.visible_bounds.size() == Vec2{0, 0});
    return;
  }
  CHECK(agrees(box.min, expected.visible_bounds.min));
  CHECK(agrees(box.max, expected.visible_bounds.max));
}

void check_character(const std::filesystem::path& file, std::filesystem::path expected_file = {}) {
  if (expected_file.empty()) expected_file = std::filesystem::path(file).replace_extension(".expected.json");
  const test::Expected expected = read_expected(expected_file);
  INFO(file.filename().string());
  const auto character = load_character(file);
  REQUIRE(character);
  REQUIRE(character->bones().size() == expected.bone_names.size());
  for (std::size_t i = 0; i < expected.bone_names.size(); ++i) {
    CHECK(character->bones()[i].name == expected.bone_names[i]);
    CHECK(static_cast<std::int32_t>(character->bones()[i].parent) == expected.parents[i]);
  }
  REQUIRE(character->meshes().size() == expected.governing_bones.size());
  for (std::size_t i = 0; i < expected.governing_bones.size(); ++i) {
    CHECK(index(character->governing_bone(MeshId(i))) == expected.governing_bones[i]);
  }
  if (const ClipId bind = character->bind_pose_source().clip; bind != ClipId::none) {
    CHECK(character->clips()[bind].name == expected.bind_clip);
  }
  for (const ExpectedFrame& frame : expected.frames) {
    INFO("clip " << frame.clip << " frame " << frame.frame);
    check_frame(*character, frame);
  }
}

}  // namespace

TEST_CASE("the samples' matrices, vertices, draw orders and bounds agree with an independent program",
          "[conformance]") {
  for (const std::string name : {"kiri", "corners", "quad"}) {
    check_character(asset(name + ".pchr"), own_conformance_folder() / (name + ".expected.json"));
  }
}

TEST_CASE("matrices, skinned vertices, draw orders and bounds agree with an independent program", "[conformance]") {
  const auto files = conformance_characters();
  if (files.empty()) WARN("the conformance folder does not exist; only the samples are tested");
  for (const auto& file : files) check_character(file);
}

TEST_CASE("unusual but valid files agree with an independent program", "[conformance]") {
  const auto folder = conformance_folder();
  if (!folder) return;
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder / "malformed")) {
    const std::string name = entry.path().filename().string();
    const std::size_t suffix = name.find(".expected.json");
    if (suffix == std::string::npos) continue;
    if (name.starts_with("141_")) continue;  // Expects all six influences of a vertex; four are kept here.
    const auto stem = entry.path().parent_path() / name.substr(0, suffix);
    const auto binary = stem.string() + ".pchr";
    check_character(std::filesystem::exists(binary) ? binary : stem.string() + ".json");
    ++checked;
  }
  CHECK(checked == 45);
}

}  // namespace animation_conformance_test
