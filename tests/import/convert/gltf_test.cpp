// SPDX-License-Identifier: MIT
// glTF files that are read back and skinned independently.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <pchr/3d.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>
#include <pchr/import/save.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gltf_test {
using namespace pchr;
using simdjson::dom::element;

namespace {

/// The two parts of a .glb file.
struct Gltf {
  simdjson::dom::parser parser;
  element text;
  test::Bytes binary;
};

std::uint32_t number_at(const test::Bytes& bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

void open(const test::Bytes& bytes, Gltf& gltf) {
  REQUIRE(bytes.size() > 28);
  CHECK(std::memcmp(bytes.data(), "glTF", 4) == 0);
  CHECK(number_at(bytes, 4) == 2);
  CHECK(number_at(bytes, 8) == bytes.size());
  const std::uint32_t length = number_at(bytes, 12);
  CHECK(length % 4 == 0);
  gltf.text = gltf.parser.parse(reinterpret_cast<const char*>(bytes.data()) + 20, length);
  const std::size_t binary = 20 + length;
  REQUIRE(number_at(bytes, binary) % 4 == 0);
  CHECK(std::memcmp(bytes.data() + binary + 4, "BIN\0", 4) == 0);
  gltf.binary.assign(bytes.begin() + static_cast<std::ptrdiff_t>(binary) + 8, bytes.end());
  CHECK(gltf.binary.size() == std::uint64_t(gltf.text["buffers"].at(0)["byteLength"]));
}

std::size_t integer(const element& value) { return std::uint64_t(value); }
std::size_t length(const element& value) { return value.get_array().size(); }

/// Returns the values of an accessor with `width` values per element.
template <typename T>
std::vector<T> values(const Gltf& gltf, std::size_t accessor, std::size_t width) {
  const element description = gltf.text["accessors"].at(accessor);
  CHECK(integer(description["componentType"]) == (sizeof(T) == 4 ? 5126 : 5123));
  const element view = gltf.text["bufferViews"].at(integer(description["bufferView"]));
  std::vector<T> result(integer(description["count"]) * width);
  REQUIRE(integer(view["byteLength"]) == result.size() * sizeof(T));
  REQUIRE(integer(view["byteOffset"]) + result.size() * sizeof(T) <= gltf.binary.size());
  std::memcpy(result.data(), gltf.binary.data() + integer(view["byteOffset"]), result.size() * sizeof(T));
  return result;
}

struct Node {
  Vec3 translation, scale;
  Quat rotation;
};

Vec3 vec3_of(const element& list) {
  return {static_cast<float>(double(list.at(0))), static_cast<float>(double(list.at(1))),
          static_cast<float>(double(list.at(2)))};
}

std::vector<Node> nodes_of(const Gltf& gltf, std::size_t bones) {
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < bones; ++i) {
    const element node = gltf.text["nodes"].at(i);
    const element turn = node["rotation"];
    nodes.push_back({vec3_of(node["translation"]),
                     vec3_of(node["scale"]),
                     {static_cast<float>(double(turn.at(0))), static_cast<float>(double(turn.at(1))),
                      static_cast<float>(double(turn.at(2))), static_cast<float>(double(turn.at(3)))}});
  }
  return nodes;
}

/// Applies key `key` of the first animation to the nodes.
void animate(const Gltf& gltf, std::size_t key, std::vector<Node>& nodes) {
  const element animation = gltf.text["animations"].at(0);
  for (const element channel : animation["channels"].get_array()) {
    const element sampler = animation["samplers"].at(integer(channel["sampler"]));
    const std::string_view path = channel["target"]["path"];
    const std::size_t width = path == "rotation" ? 4 : 3;
    const auto all = values<float>(gltf, integer(sampler["output"]), width);
    const float* const value = all.data() + key * width;
    Node& node = nodes[integer(channel["target"]["node"])];
    if (path == "translation") node.translation = {value[0], value[1], value[2]};
    if (path == "scale") node.scale = {value[0], value[1], value[2]};
    if (path == "rotation") node.rotation = {value[0], value[1], value[2], value[3]};
  }
}

glm::mat4 matrix_of(const Affine3& transform) {
  return {glm::vec4(transform[0], 0), glm::vec4(transform[1], 0), glm::vec4(transform[2], 0),
          glm::vec4(transform[3], 1)};
}

std::vector<glm::mat4> world_of(const Gltf& gltf, const std::vector<Node>& nodes) {
  std::vector<std::optional<std::size_t>> parents(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    simdjson::dom::array children;
    if (gltf.text["nodes"].at(i)["children"].get(children) != simdjson::SUCCESS) continue;
    for (const element child : children) parents[integer(child)] = i;
  }
  std::vector<glm::mat4> world;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const glm::mat4 local = matrix_of(transform_of(nodes[i].translation, nodes[i].rotation, nodes[i].scale));
    world.push_back(parents[i] ? world[*parents[i]] * local : local);
  }
  return world;
}

/// Returns the vertices of the first primitive, skinned like a viewer does.
std::vector<Vec3> skinned(const Gltf& gltf, const std::vector<Node>& nodes) {
  const std::vector<glm::mat4> world = world_of(gltf, nodes);
  const element attributes = gltf.text["meshes"].at(0)["primitives"].at(0)["attributes"];
  const auto positions = values<float>(gltf, integer(attributes["POSITION"]), 3);
  const auto joints = values<std::uint16_t>(gltf, integer(attributes["JOINTS_0"]), 4);
  const auto weights = values<float>(gltf, integer(attributes["WEIGHTS_0"]), 4);
  const auto inverse_bind = values<float>(gltf, integer(gltf.text["skins"].at(0)["inverseBindMatrices"]), 16);
  std::vector<Vec3> points;
  for (std::size_t vertex = 0; vertex * 3 < positions.size(); ++vertex) {
    const glm::vec4 at(positions[vertex * 3], positions[vertex * 3 + 1], positions[vertex * 3 + 2], 1);
    glm::vec4 sum(0);
    for (std::size_t slot = 0; slot < 4; ++slot) {
      const std::size_t joint = joints[vertex * 4 + slot];
      glm::mat4 inverse;
      std::memcpy(&inverse[0].x, inverse_bind.data() + joint * 16, sizeof(inverse));
      sum += world[joint] * inverse * at * weights[vertex * 4 + slot];
    }
    points.emplace_back(sum);
  }
  return points;
}

/// Returns the largest difference along an axis from the vertices that this library skins.
float error_of(const std::vector<Vec3>& points, const Character& character, const PoseBuffers& posed) {
  std::vector<Vec3> expected(character.meshes()[0].vertex_count);
  deform(character.vertices(character.meshes()[0]), character.vertices_3d().first(expected.size()), posed.palette_3d,
         expected);
  REQUIRE(points.size() == expected.size());
  float largest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 error = points[i] - expected[i];
    largest = std::max({largest, std::abs(error.x), std::abs(error.y), std::abs(error.z)});
  }
  return largest;
}

void check_same_points(const Character& character, std::uint32_t frame, float tolerance) {
  Gltf gltf;
  open(save_gltf(character).value(), gltf);
  std::vector<Node> nodes = nodes_of(gltf, character.bones().size());
  PoseBuffers posed;
  pose_bind(character, posed);
  CHECK(error_of(skinned(gltf, nodes), character, posed) <= tolerance);
  animate(gltf, frame, nodes);
  pose_clip(character, ClipId{0}, {frame, frame, 0}, posed);
  CHECK(error_of(skinned(gltf, nodes), character, posed) <= tolerance);
}

}  // namespace

TEST_CASE("the glTF of a 3D character has its bones, mesh, material and clip", "[gltf]") {
  const std::filesystem::path folder = test::output("gltf");
  test::PskFile mesh = test::small_psk();
  test::chunk_of(mesh, "REFSKELT") = test::bone_chunk("REFSKELT", {{"ro\"ot\n"}, {"tip", 0, {0, 0, 0, 1}, {0, 0, 1}}});
  test::PskFile animation = test::small_psa();
  test::chunk_of(animation, "BONENAMES") = test::bone_chunk("BONENAMES", {{"ro\"ot\n"}, {"tip"}});
  std::filesystem::create_directories(folder);
  test::write_file(folder / "small.psk", test::bytes_of(mesh));
  test::write_file(folder / "small.psa", test::bytes_of(animation));
  const Character character = load_character(folder / "small.psk").value();
  Gltf gltf;
  open(save_gltf(character).value(), gltf);
  CHECK(std::string_view(gltf.text["asset"]["version"]) == "2.0");
  CHECK(std::string_view(gltf.text["nodes"].at(0)["name"]) == "ro\"ot\n");
  CHECK(length(gltf.text["nodes"]) == 4);
  CHECK(length(gltf.text["skins"].at(0)["joints"]) == 2);
  CHECK(length(gltf.text["materials"]) == 1);
  const element animated = gltf.text["animations"].at(0);
  CHECK(std::string_view(animated["name"]) == "turn");
  // Only the tip moves, and it does not rotate.
  CHECK(length(animated["channels"]) == 1);
  const auto seconds = values<float>(gltf, integer(animated["samplers"].at(0)["input"]), 1);
  CHECK(seconds == std::vector<float>{0, 0.05F, 0.1F, 0.15F});
  const element primitive = gltf.text["meshes"].at(0)["primitives"].at(0);
  CHECK(values<std::uint16_t>(gltf, integer(primitive["indices"]), 1).size() == 12);
  const element position = gltf.text["accessors"].at(integer(primitive["attributes"]["POSITION"]));
  CHECK(vec3_of(position["min"]) == Vec3{0, 0, -1});
  CHECK(vec3_of(position["max"]) == Vec3{1, 1, 0});
  const element view = gltf.text["bufferViews"].at(integer(gltf.text["images"].at(0)["bufferView"]));
  CHECK(std::memcmp(gltf.binary.data() + integer(view["byteOffset"]), "\x89PNG", 4) == 0);
  check_same_points(character, 3, 1e-6F);
}

TEST_CASE("the glTF of a game's mesh has the same skinned points", "[gltf][conformance]") {
  const auto folder = test::conformance_folder();
  if (!folder || !std::filesystem::exists(*folder / "psk" / "Grunt_Preview_LOD0.psk")) return;
  const Character character = load_character(*folder / "psk" / "Grunt_Preview_LOD0.psk").value();
  REQUIRE(character.clips().size() == 1);
  check_same_points(character, 50, 200 * 1e-6F);
}

TEST_CASE("a lone skeleton can become glTF", "[gltf]") {
  test::PskFile file = test::small_psk();
  std::erase_if(file, [](const test::PskChunk& chunk) { return chunk.id == "FACE0000" || chunk.id == "RAWWEIGHTS"; });
  const auto bytes = save_gltf(load_character(test::bytes_of(file)).value());
  REQUIRE(bytes);
  simdjson::dom::parser parser;
  const element text = parser.parse(reinterpret_cast<const char*>(bytes->data()) + 20, number_at(*bytes, 12));
  CHECK(length(text["nodes"]) == 3);
}

}  // namespace gltf_test
