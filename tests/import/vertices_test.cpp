// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/face.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/png.hpp"

#include <pchr/pose.hpp>

#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vertices_test {
using namespace pchr;

namespace {

Expected<Imported, LoadError> import(std::string_view text) {
  const std::vector<std::byte> png = test::png_of(4, 4, std::vector<std::uint8_t>(64, 255));
  const auto read_file = [&](const std::string& path) -> Expected<std::vector<std::byte>, std::string> {
    const auto bytes = std::as_bytes(std::span(text));
    if (path == "face.json") return std::vector<std::byte>(bytes.begin(), bytes.end());
    if (path == "face.png") return png;
    return Unexpected(std::string("there is no such file"));
  };
  ImportOptions options;
  options.read_file = read_file;
  options.vertex_sequence = true;
  return import_character("face.json", options);
}

constexpr std::string_view kTriangle =
    R"({"image": "face.png", "frames_per_second": 10, "uvs": [0, 0, 1, 0, 0, 1], "triangles": [0, 1, 2],)"
    R"( "clips": [{"name": "nod", "loop": true, "frames": [[0, 9, 9, 9, 0, 0], [0, 9, 9, 9, 0, -5]]},)"
    R"( {"frames": [[1, 9, 9, 9, 0, 0], [2, 9, 9, 9, 0, 0], [3, 9, 9, 9, 0, 0]]}]})";

}  // namespace

TEST_CASE("a sequence of vertices becomes a character whose bones follow them", "[fit]") {
  const test::Sequence face = test::face(60);
  std::vector<int> triangles;
  std::vector<double> uvs;
  for (int i = 0; i < 200; ++i) {
    uvs.insert(uvs.end(), {i % 10 / 9.0, i / 10 / 19.0});
    if (i % 10 < 9 && i < 190) triangles.insert(triangles.end(), {i, i + 1, i + 10, i + 1, i + 11, i + 10});
  }
  std::string frames;
  for (std::size_t frame = 0; frame < face.frame_count; ++frame) {
    const auto places = std::span(face.frames).subspan(frame * face.rest.size(), face.rest.size());
    frames += fmt::format("{}[{}]", frame == 0 ? "" : ",", fmt::join(places, ","));
  }
  const auto imported = import(fmt::format(
      R"({{"image": "face.png", "uvs": [{}], "triangles": [{}], "rest": [{}], "clips": [{{"name": "talk", "frames": [{}]}}]}})",
      fmt::join(uvs, ","), fmt::join(triangles, ","), fmt::join(face.rest, ","), frames));
  REQUIRE(imported);
  const Character& character = imported->character;
  REQUIRE(character.clips().size() == 1);
  CHECK(character.clips()[0].frame_count == 60);
  CHECK(character.clips()[0].frames_per_second == 30);
  REQUIRE(character.warnings().size() == 1);
  CHECK(character.warnings()[0].id == DiagnosticId::rig_deform_fitted);
  for (std::uint32_t frame = 0; frame < 60; ++frame) {
    PoseBuffers posed;
    pose_clip(character, ClipId{0}, {frame, frame, 0}, posed);
    std::vector<Vec2> points(200);
    deform_mesh(character, posed, MeshId{0}, points);
    double largest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double* const place = &face.frames[2 * (frame * 200 + i)];
      largest = std::max(largest, std::hypot(points[i].x - place[0], points[i].y - place[1]));
    }
    INFO("frame " << frame);
    CHECK(largest < 0.51);
  }
}

TEST_CASE("clips of vertices loop if they say so, and have names", "[fit]") {
  const auto imported = import(kTriangle);
  REQUIRE(imported);
  const Character& character = imported->character;
  REQUIRE(character.clips().size() == 2);
  CHECK(character.clips()[0].name == "nod");
  CHECK(character.clips()[0].looping);
  CHECK(character.clips()[0].frame_count == 2);
  CHECK(character.clips()[1].name == "clip2");
  CHECK_FALSE(character.clips()[1].looping);
  CHECK(character.clips()[1].frame_count == 3);
  CHECK(imported->format == "vertex sequence");
}

TEST_CASE("a sequence of vertices that is not complete is an error at its place", "[fit]") {
  struct Case {
    std::string_view from, to;
    const char* code;
    const char* path;
  };
  const Case cases[] = {
      {R"("image": "face.png", )", "", "E108", ""},
      {"face.png", "../face.png", "E128", "image"},
      {"[0, 0, 1, 0, 0, 1]", "[0, 0, 1, 0, 0]", "E125", "uvs"},
      {"[0, 0, 1, 0, 0, 1]", "[]", "E125", "uvs"},
      {"[0, 1, 2]", "[0, 1, 3]", "E125", "triangles"},
      {"[0, 1, 2]", "[0, 1]", "E125", "triangles"},
      {"[0, 1, 2]", "[0, 1, 0.5]", "E125", "triangles"},
      {"[0, 9, 9, 9, 0, -5]", "[0, 9, 9, 9, 0]", "E125", "clips[0].frames[1]"},
      {"[0, 9, 9, 9, 0, -5]", "[0, 9, 9, 9, 0, \"a\"]", "E109", "clips[0].frames[1][5]"},
      {"[0, 9, 9, 9, 0, -5]", "[0, 9, 9, 9, 0, 1e300]", "E125", "clips[0].frames[1][5]"},
      {"[0, 9, 9, 9, 0, -5]", "7", "E109", "clips[0].frames[1]"},
      {"10,", "0,", "E125", "frames_per_second"},
      {"\"clips\"", "\"clip\"", "E108", ""},
      {"\"frames\": [[1", "\"frame\": [[1", "E108", "clips[1]"},
  };
  for (const Case& each : cases) {
    INFO(each.from << " replaced by " << each.to);
    std::string text(kTriangle);
    text.replace(text.find(each.from), each.from.size(), each.to);
    const auto imported = import(text);
    REQUIRE_FALSE(imported);
    CHECK(code(imported.error().id) == each.code);
    CHECK(imported.error().path == each.path);
  }
  for (std::size_t size = 0; size + 1 < kTriangle.size(); ++size) CHECK_FALSE(import(kTriangle.substr(0, size)));
}

}  // namespace vertices_test
