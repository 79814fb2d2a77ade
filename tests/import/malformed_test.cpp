// SPDX-License-Identifier: MIT
// Broken and borderline files that test one thing each.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/queries.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <simdjson.h>

#include <map>
#include <string>

namespace malformed_test {
using namespace pchr;

namespace {

/// Warnings of this project for files that the specification leaves open.
const std::map<std::string, std::vector<DiagnosticId>> kPolicies = {
    {"023_trailing_1.pchr", {DiagnosticId::trailing_bytes}},
    {"024_trailing_file.pchr", {DiagnosticId::trailing_bytes}},
    {"025_flags.pchr", {DiagnosticId::reserved_flags}},
    {"026_fps_0.pchr", {DiagnosticId::zero_frame_rate}},
    {"062_name_nul.pchr", {}},
    {"063_names_duplicate.pchr", {}},
    {"064_anims_duplicate.pchr", {}},
    {"099_weights_zero.pchr", {}},
    {"100_weights_negative.pchr", {DiagnosticId::negative_weight}},
    {"116_floats_huge.pchr", {}},
    {"117_zero_frames.pchr", {DiagnosticId::clip_without_frames}},
    {"118_zero_frames_bind.pchr", {DiagnosticId::clip_without_frames, DiagnosticId::uncertain_bind_pose}},
    {"133_bind_singular.pchr", {DiagnosticId::bind_not_invertible}},
    {"143_json_no_influences.json", {}},
    {"144_json_bom.json", {DiagnosticId::byte_order_mark}},
    {"169_json_fps_0.json", {DiagnosticId::zero_frame_rate}},
    {"191_json_zorder_big.json", {DiagnosticId::large_z_order}},
    {"195_json_no_frames.json", {DiagnosticId::clip_without_frames}},
    {"216_json_path_dot.json", {}},
    {"228_packed_trailing.pchr", {DiagnosticId::trailing_bytes}},
    {"233_packed_two_images.pchr", {DiagnosticId::image_absent}},
    {"234_packed_path_up.pchr", {}},
};

/// Errors of this project for files that the specification leaves open.
const std::map<std::string, DiagnosticId> kRefusals = {
    {"145_json_duplicate_key.json", DiagnosticId::contradiction},
    {"146_json_lone_surrogate.json", DiagnosticId::invalid_utf8},
    {"171_json_fps_fraction.json", DiagnosticId::wrong_type},
};

/// Poses every frame of every clip, so that everything that loads is also used.
void play(const Character& character) {
  PoseBuffers posed;
  for (const ClipId clip : character.clips().ids()) {
    for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; ++frame) {
      const std::uint32_t next = (frame + 1) % character.clips()[clip].frame_count;
      pose_clip(character, clip, {frame, next, 0.5F}, posed);
      (void)bounds(character, posed);
    }
  }
  pose_bind(character, posed);
  (void)bounds(character, posed);
}

}  // namespace

TEST_CASE("each malformed file is rejected or loads with the documented warnings", "[malformed][conformance]") {
  const auto folder = test::conformance_folder();
  if (!folder) {
    WARN("the conformance folder is not here; the tests of prefixes and counts stand in for it");
    return;
  }
  simdjson::dom::parser parser;
  int checked = 0;
  for (const simdjson::dom::element entry : parser.load((*folder / "malformed/index.json").string()).get_array()) {
    const std::string file{std::string_view(entry["file"])};
    const std::string expect{std::string_view(entry["expect"])};
    ++checked;
    INFO(file << ": " << std::string_view(entry["what"]));
    const auto character = load_character(*folder / "malformed" / file);
    const auto images = character ? decode_images(*character) : std::vector<Bitmap>();
    if (!character) UNSCOPED_INFO(describe(character.error(), file));
    if (!images) UNSCOPED_INFO(describe(images.error(), file));
    // Other readers reject a character without images. Here its meshes are drawn with a checkerboard.
    if (expect == "reject" && file != "051_no_image.pchr") {
      CHECK_FALSE((character && images));
      continue;
    }
    if (kRefusals.contains(file)) {
      REQUIRE_FALSE(character);
      CHECK(code(character.error().id) == code(kRefusals.at(file)));
      continue;
    }
    REQUIRE(character);
    CHECK(images);
    play(*character);
    if (expect != "policy") continue;
    REQUIRE(kPolicies.contains(file));
    std::vector<DiagnosticId> found;
    for (const Diagnostic& warning : character->warnings()) found.push_back(warning.id);
    CHECK(found == kPolicies.at(file));
  }
  CHECK(checked == 235);
}

}  // namespace malformed_test
