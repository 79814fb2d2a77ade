// SPDX-License-Identifier: MIT
// Unreal meshes from games, compared with the results of an independent program.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include "import/psk/psk.hpp"

#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace psk_conformance_test {
using namespace pchr;
using simdjson::dom::element;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_with(std::string_view extension) {
  std::vector<fs::path> paths;
  const auto folder = test::conformance_folder();
  if (!folder || !fs::exists(*folder / "psk")) return paths;
  for (const auto& entry : fs::directory_iterator(*folder / "psk")) {
    if (entry.path().extension() == extension) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

element parsed(simdjson::dom::parser& parser, fs::path path) {
  return parser.load(path.replace_extension(".json").string());
}

std::string_view text(const element& value) { return value; }
std::size_t count(const element& value) { return std::uint64_t(value); }
std::size_t length(const element& value) { return value.get_array().size(); }

/// Point as in the file, z up.
Vec3 point(const element& value) {
  return {static_cast<float>(double(value.at(0))), static_cast<float>(double(value.at(1))),
          static_cast<float>(double(value.at(2)))};
}

/// Returns the largest difference along an axis. References have five decimals.
float distance(Vec3 a, Vec3 b) { return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)}); }

float largest_coordinate(const element& mesh) {
  float largest = 0;
  for (const char* const corner : {"bboxMin", "bboxMax"}) {
    largest = std::max(largest, distance(point(mesh[corner]), Vec3{0.0F}));
  }
  return largest;
}

/// Returns a vertex for each point of the file.
std::map<std::uint32_t, std::uint32_t> vertex_of_point(const psk::Mesh& mesh, const Character& character) {
  std::map<std::array<float, 3>, std::uint32_t> vertices;
  for (std::uint32_t i = 0; i < character.vertices().size(); ++i) {
    const Vertex& vertex = character.vertices()[i];
    vertices[{vertex.x, vertex.y, character.vertices_3d()[i].z}] = i;
  }
  std::map<std::uint32_t, std::uint32_t> result;
  for (std::uint32_t i = 0; i < mesh.points.size(); ++i) {
    const Vec3 place = psk::to_y_up(mesh.points[i]);
    const auto found = vertices.find({place.x, place.y, place.z});
    if (found != vertices.end()) result[i] = found->second;
  }
  return result;
}

std::vector<Vec3> skinned(const Character& character, const PoseBuffers& posed) {
  std::vector<Vec3> points(character.vertices().size());
  deform(character.vertices(), character.vertices_3d(), posed.palette_3d, points);
  return points;
}

}  // namespace

TEST_CASE("an Unreal mesh from a game has the parts that an independent reader finds", "[psk][conformance]") {
  for (const fs::path& path : files_with(".psk")) {
    INFO(path.filename().string());
    simdjson::dom::parser parser;
    const element expected = parsed(parser, path);
    Warnings warnings;
    const test::Bytes bytes = test::read_file(path);
    const auto mesh = psk::read_mesh(bytes, warnings);
    REQUIRE(mesh);
    CHECK(std::move(warnings).take().empty());
    CHECK(mesh->points.size() == count(expected["points"]));
    CHECK(mesh->wedges.size() == count(expected["wedges"]));
    CHECK(mesh->faces.size() == count(expected["facesUsable"]));
    CHECK(mesh->normals.size() == count(expected["normals"]));
    REQUIRE(mesh->materials.size() == length(expected["materials"]));
    for (std::size_t i = 0; i < mesh->materials.size(); ++i) {
      CHECK(mesh->materials[i].name == text(expected["materials"].at(i)["name"]));
    }
    REQUIRE(mesh->bones.size() == length(expected["bones"]));
    for (std::size_t i = 0; i < mesh->bones.size(); ++i) {
      CHECK(mesh->bones[i].name == text(expected["bones"].at(i)["name"]));
    }
    const element first = expected["firstWedges[point,u,v,mat]"];
    for (std::size_t i = 0; i < length(first); ++i) {
      CHECK(mesh->wedges[i].point == count(first.at(i).at(0)));
      CHECK(mesh->wedges[i].uv.x == Approx(double(first.at(i).at(1))).margin(1e-6));
      CHECK(mesh->wedges[i].uv.y == Approx(double(first.at(i).at(2))).margin(1e-6));
    }
  }
}

TEST_CASE("the bones of an Unreal mesh are where an independent reader puts them", "[psk][conformance]") {
  for (const fs::path& path : files_with(".psk")) {
    INFO(path.filename().string());
    simdjson::dom::parser parser;
    const element expected = parsed(parser, path);
    const auto character = load_character(path);
    REQUIRE(character);
    REQUIRE(character->bones().size() == length(expected["bones"]));
    PoseBuffers posed;
    pose_bind(*character, posed);
    const float tolerance = 1e-4F * largest_coordinate(expected);
    for (std::size_t i = 0; i < character->bones().size(); ++i) {
      const element bone = expected["bones"].at(i);
      CHECK(static_cast<std::int32_t>(character->bones()[i].parent) == std::int64_t(bone["parent"]));
      CHECK(distance(posed.world_3d[i][3], psk::to_y_up(point(bone["worldOrigin"]))) <= tolerance);
    }
  }
}

TEST_CASE("an Unreal mesh in its bind pose equals the file", "[psk][conformance]") {
  for (const fs::path& path : files_with(".psk")) {
    INFO(path.filename().string());
    simdjson::dom::parser parser;
    const element expected = parsed(parser, path);
    const auto character = load_character(path);
    REQUIRE(character);
    CHECK(character->indices().size() == 3 * count(expected["facesUsable"]));
    PoseBuffers posed;
    pose_bind(*character, posed);
    const std::vector<Vec3> points = skinned(*character, posed);
    float largest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vertex& vertex = character->vertices()[i];
      largest = std::max(largest, distance(points[i], {vertex.x, vertex.y, character->vertices_3d()[i].z}));
    }
    CHECK(largest <= 1e-5F * largest_coordinate(expected));
  }
}

TEST_CASE("an Unreal animation moves bones and points like an independent player", "[psk][conformance]") {
  for (const fs::path& path : files_with(".psa")) {
    INFO(path.filename().string());
    simdjson::dom::parser parser;
    const element expected = parsed(parser, path);
    const fs::path mesh_path = path.parent_path() / text(expected["psk"]);
    ImportOptions options;
    options.animations = {test::utf8_of(path)};
    const auto character = load_character(mesh_path, options);
    REQUIRE(character);
    REQUIRE(character->clips().size() == length(expected["sequences"]));
    const element sequence = expected["sequences"].at(0);
    const Clip& clip = character->clips()[0];
    CHECK(clip.name == text(sequence["name"]));
    CHECK(clip.frame_count == count(sequence["frames"]));
    CHECK(clip.frames_per_second == Approx(double(sequence["rate"])));

    Warnings warnings;
    const test::Bytes bytes = test::read_file(mesh_path);
    const psk::Mesh mesh = psk::read_mesh(bytes, warnings).value();
    const auto vertices = vertex_of_point(mesh, *character);
    simdjson::dom::parser mesh_parser;
    const float tolerance = 1e-4F * largest_coordinate(parsed(mesh_parser, mesh_path));
    for (const element moment : expected["frames"].get_array()) {
      const double frame = double(moment["frame"]);
      INFO("frame " << frame);
      PoseBuffers posed;
      const auto whole = static_cast<std::uint32_t>(frame);
      const auto factor = static_cast<float>(frame - whole);
      pose_clip(*character, ClipId{0}, {whole, std::min(whole + 1, clip.frame_count - 1), factor}, posed);
      for (std::size_t i = 0; i < length(moment["boneOrigins"]); ++i) {
        CHECK(distance(posed.world_3d[i][3], psk::to_y_up(point(moment["boneOrigins"].at(i)))) <= tolerance);
      }
      const std::vector<Vec3> points = skinned(*character, posed);
      std::size_t compared = 0;
      for (const element sample : moment["skinned"].get_array()) {
        const auto found = vertices.find(static_cast<std::uint32_t>(count(sample["point"])));
        if (found == vertices.end()) continue;
        CHECK(distance(points[found->second], psk::to_y_up(point(sample["pos"]))) <= tolerance);
        ++compared;
      }
      CHECK(compared > 8);
    }
  }
}

}  // namespace psk_conformance_test
