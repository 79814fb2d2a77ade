// SPDX-License-Identifier: MIT
// `pchr inspect`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/queries.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <simdjson.h>

#include <filesystem>
#include <string>

namespace inspect_test {
namespace {

using namespace pchr::test;
using simdjson::dom::element;

void check_rect(const element& value, const pchr::Rect& rect) {
  if (rect.empty()) {
    CHECK(value.is_null());
    return;
  }
  CHECK(static_cast<float>(double(value.at(0))) == rect.min.x);
  CHECK(static_cast<float>(double(value.at(1))) == rect.min.y);
  CHECK(static_cast<float>(double(value.at(2))) == rect.max.x);
  CHECK(static_cast<float>(double(value.at(3))) == rect.max.y);
}

void check_agrees(const std::string& file) {
  INFO(file);
  const auto character = pchr::load_character(file).value();
  const Outcome outcome = run_pchr({"inspect", file, "--json"});
  REQUIRE(outcome.exit_code == 0);
  simdjson::dom::parser parser;
  const element document = parser.parse(outcome.out);

  CHECK(std::string_view(document["format"]) == character.file.format);
  CHECK(std::uint64_t(document["fileBytes"]) == std::filesystem::file_size(file));
  CHECK(std::uint64_t(document["framesPerSecond"]) == character.data().frames_per_second);
  CHECK(std::uint64_t(document["flags"]) == character.data().reserved_flags);
  const pchr::BindPoseSource bind = character.bind_pose_source();
  CHECK(element(document["bindPose"]).is_null() == (bind.clip == pchr::ClipId::none));
  if (bind.clip != pchr::ClipId::none) {
    CHECK(std::uint64_t(document["bindPose"]["clip"]) == index(bind.clip));
    CHECK(std::string_view(document["bindPose"]["name"]) == character.clips()[bind.clip].name);
    CHECK(std::uint64_t(document["bindPose"]["frame"]) == bind.frame);
  }
  pchr::PoseBuffers posed;
  pchr::pose_bind(character, posed);
  check_rect(document["bindPoseBounds"], pchr::bounds(character, posed));
  check_rect(document["bounds"], pchr::compute_character_bounds(character));

  std::size_t number = 0;
  for (const element image : document["images"].get_array()) {
    const pchr::Image& expected = character.images()[number++];
    CHECK(std::string_view(image["name"]) == expected.name);
    CHECK(std::uint64_t(image["width"]) == expected.width);
    CHECK(std::uint64_t(image["height"]) == expected.height);
    CHECK(std::string_view(image["encoding"]) == (expected.encoding == pchr::ImageEncoding::png ? "png" : "rgba8888"));
    CHECK(std::uint64_t(image["bytes"]) == expected.bytes.size());
  }
  CHECK(number == character.images().size());

  number = 0;
  for (const element bone : document["bones"].get_array()) {
    const pchr::Bone& expected = character.bones()[number++];
    CHECK(std::string_view(bone["name"]) == expected.name);
    CHECK(std::int64_t(bone["parent"]) == static_cast<std::int32_t>(expected.parent));
  }
  CHECK(number == character.bones().size());

  number = 0;
  for (const element mesh : document["meshes"].get_array()) {
    const pchr::Mesh& expected = character.meshes()[number];
    CHECK(std::string_view(mesh["name"]) == expected.name);
    CHECK(std::uint64_t(mesh["image"]) == index(expected.image));
    CHECK(std::uint64_t(mesh["vertices"]) == expected.vertex_count);
    CHECK(std::uint64_t(mesh["triangles"]) == expected.index_count / 3);
    CHECK(std::uint64_t(mesh["governingBone"]) == index(character.governing_bone(pchr::MeshId(number++))));
    CHECK(std::uint64_t(mesh["influences"]) <= 4);
  }
  CHECK(number == character.meshes().size());

  number = 0;
  for (const element clip : document["clips"].get_array()) {
    const pchr::Clip& expected = character.clips()[number];
    CHECK(std::string_view(clip["name"]) == expected.name);
    CHECK(std::uint64_t(clip["frames"]) == expected.frame_count);
    CHECK(double(clip["seconds"]) == expected.duration_seconds());
    CHECK(bool(clip["loop"]) == expected.looping);
    check_rect(clip["bounds"], pchr::compute_clip_bounds(character, pchr::ClipId(number++)));
  }
  CHECK(number == character.clips().size());

  number = 0;
  for (const element warning : document["warnings"].get_array()) {
    CHECK(std::string_view(warning["id"]) == pchr::code(character.warnings()[number++].id));
  }
  CHECK(number == character.warnings().size());
}

TEST_CASE("inspect --json prints valid JSON that matches the character", "[tools][inspect]") {
  check_agrees(character_file("inspect_quad.pchr", sliding_quad()));
  check_agrees(character_file("inspect_arm.pchr", two_bone_arm()));
  check_agrees(character_file("inspect_empty.pchr", {}));
  pchr::CharacterData odd = sliding_quad();
  odd.frames_per_second = 0;
  odd.reserved_flags = 5;
  odd.bones[0].name = "\"\\\n\x01\xe2\x98\x83";
  odd.clips.push_back(resting_clip("", 0, 1));
  odd.clips[1].samples.visible = {0, 0, 0, 0};
  check_agrees(character_file("inspect_odd.pchr", odd));
  for (const auto& file : conformance_characters()) check_agrees(file.string());
}

TEST_CASE("inspect shows the parts of a character as aligned tables", "[tools][inspect]") {
  const std::string file = character_file("inspect_shown.pchr", two_bone_arm());
  const Outcome outcome = run_pchr({"inspect", file});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out, contains("  bind pose   frame 0 of clip 0 bind\n"));
  CHECK_THAT(outcome.out, contains(R"(
2 images
  #  name     size  encoding  bytes
  0  arm    8 x 32  rgba8888  1,024
  1  badge   4 x 4  rgba8888     64

3 bones, 1 root, 2 deep
  #  name
  0  upper
  1    lower
  2    badge

2 meshes, 22 vertices, 18 triangles
  #  name   image    vertices  triangles  influences  governing bone
  0  strip  0 arm          18         16           2  0 upper
  1  badge  1 badge         4          2           1  2 badge

2 clips
  #  name  frames  seconds  loop)"));
}

TEST_CASE("inspect escapes control characters and aligns wide letters", "[tools][inspect]") {
  pchr::CharacterData data = sliding_quad();
  data.images = {plain_image(1, 1, {}, "a\x1b[31m"), plain_image(1, 1, {}, "\xe7\x8c\xab"),
                 plain_image(1, 1, {}, "\xc2\x9b\xe2\x80\xae"), plain_image(1, 1, {}, "")};
  const Outcome outcome = run_pchr({"inspect", character_file("inspect_names.pchr", data)});
  CHECK_THAT(outcome.out, contains("  0  a\\x1b[31m     1 x 1  rgba8888      4\n"
                                   "  1  \xe7\x8c\xab            1 x 1  rgba8888      4\n"
                                   "  2  \\u009b\\u202e  1 x 1  rgba8888      4\n"
                                   "  3  \"\"            1 x 1  rgba8888      4\n"));
}

TEST_CASE("inspect lists many bones only with --bones", "[tools][inspect]") {
  pchr::CharacterData data = sliding_quad();
  for (std::int32_t bone = 1; bone < 100; ++bone) data.bones.push_back({"tail", pchr::BoneId(bone - 1)});
  data.clips.clear();
  const std::string file = character_file("inspect_bones.pchr", data);
  CHECK_THAT(run_pchr({"inspect", file}).out, contains("100 bones, 1 root, 100 deep (listed with --bones)\n\n"));
  CHECK_THAT(run_pchr({"inspect", file, "--bones"}).out, contains("   1    tail\n   2      tail\n"));
}

TEST_CASE("inspect shows which bind pose is used", "[tools][inspect]") {
  const std::string file = character_file("inspect_bind.pchr", two_bone_arm());
  CHECK_THAT(run_pchr({"inspect", file, "--bind", "auto"}).out, contains("  bind pose   frame 0 of clip 0 bind\n"));
  CHECK_THAT(run_pchr({"inspect", file, "--bind", "bend:3"}).out, contains("  bind pose   frame 3 of clip 1 bend\n"));
  CHECK_THAT(run_pchr({"inspect", file, "--bind", "identity"}).out, contains("  bind pose   identity\n"));
  const std::string guessed = (std::filesystem::path(PCHR_DIAGNOSTICS_DIR) / "W211_uncertain_bind_pose.pchr").string();
  const Outcome outcome = run_pchr({"inspect", guessed});
  CHECK_THAT(outcome.out, contains("  bind pose   frame 0 of clip 0 fall\n"
                                   "              guessed, with a score of 1.000; next is frame 0 of clip 1 slide with "
                                   "1.000\n") &&
                              contains("warning W211"));
  CHECK_THAT(run_pchr({"inspect", guessed, "--json"}).out,
             contains(R"("bindPoseGuess": {)") && contains(R"("runnerUp": {"clip": 1, "name": "slide", "frame": 0})"));
}

TEST_CASE("inspect lists the markers next to a character and rejects invalid ones", "[tools][inspect]") {
  const Outcome outcome = run_pchr({"inspect", asset("kiri.pchr").string()});
  CHECK_THAT(outcome.out, contains("4 markers\n"));
  CHECK_THAT(outcome.out, contains("  3  land  4 jump     33\n"));
  simdjson::dom::parser parser;
  const std::string json = run_pchr({"inspect", asset("kiri.pchr").string(), "--json"}).out;
  const element markers = parser.parse(json)["markers"];
  CHECK(std::string_view(markers.at(2)["name"]) == "leap");
  CHECK(std::uint64_t(markers.at(2)["frame"]) == 16);

  const std::filesystem::path file = output("marked.pchr");
  write_file(file, write_v1(sliding_quad()));
  const std::string wrong = R"({"markers": [{"clip": "slide", "frame": 9, "name": "x"}]})";
  write_file(output("marked.markers.json"), std::as_bytes(std::span(wrong)));
  const Outcome refused = run_pchr({"inspect", file.string()});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("marked.markers.json"));
  CHECK_THAT(refused.err, contains("markers[0].frame"));
}

}  // namespace

}  // namespace inspect_test
