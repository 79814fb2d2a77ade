// SPDX-License-Identifier: MIT
// Small glTF scenes, one per feature, whose points are computed by plain formulas; damaged files; and characters that
// are written as glTF and read again.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <pchr/3d.hpp>
#include <pchr/image.hpp>
#include <pchr/import/save.hpp>
#include <pchr/pose.hpp>

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gltf_reader_test {
using namespace pchr;
using test::Bytes;

namespace {

/// A scene whose binary data is in one buffer.
struct Scene {
  std::string nodes, meshes, more;  ///< Of `more`: further fields, each after a comma.
  std::string scene = R"("scene":0,"scenes":[{"nodes":[0]}])";
  std::string accessors{}, views{};
  Bytes data{};
  int count = 0;

  int add_view(std::span<const std::byte> bytes, const std::string& extra = {}) {
    static constexpr std::byte kZeros[4]{};
    views += fmt::format(R"({}{{"buffer":0,"byteOffset":{},"byteLength":{}{}}})", count == 0 ? "" : ",", data.size(),
                         bytes.size(), extra);
    data.insert(data.end(), bytes.begin(), bytes.end());
    data.insert(data.end(), kZeros, kZeros + (4 - data.size() % 4) % 4);
    return count;
  }

  /// Adds an accessor with a view of its own. Returns its index.
  template <class T>
  int add(const std::vector<T>& values, std::string_view type, const std::string& extra = {}) {
    constexpr bool kFloats = std::is_same_v<T, float>;
    const int component = kFloats ? 5126 : sizeof(T) == 1 ? 5121 : sizeof(T) == 2 ? 5123 : 5125;
    static const std::map<std::string_view, std::size_t> kWidths{
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    add_view(std::as_bytes(std::span(values)));
    accessors += fmt::format(R"({}{{"bufferView":{},"componentType":{},"count":{},"type":"{}"{}}})",
                             count == 0 ? "" : ",", count, component, values.size() / kWidths.at(type), type, extra);
    return count++;
  }

  [[nodiscard]] std::string text(const std::string& uri = {}) const {
    return fmt::format(
        R"({{"asset":{{"version":"2.0"}},{},"nodes":[{}],"meshes":[{}],"accessors":[{}],"bufferViews":[{}],)"
        R"("buffers":[{{"byteLength":{}{}}}]{}}})",
        scene, nodes, meshes, accessors, views, data.size(), uri.empty() ? "" : fmt::format(R"(,"uri":"{}")", uri),
        more);
  }

  [[nodiscard]] Bytes glb() const {
    std::string json = text();
    while (json.size() % 4 != 0) json += ' ';
    Bytes file;
    const auto append = [&](const auto& bytes) {
      const auto raw = std::as_bytes(std::span(bytes));
      file.insert(file.end(), raw.begin(), raw.end());
    };
    const auto size = [](std::size_t bytes) { return static_cast<std::uint32_t>(bytes); };
    append(std::array{0x46546C67U, 2U, size(28 + json.size() + data.size()), size(json.size()), 0x4E4F534AU});
    append(json);
    append(std::array{size(data.size()), 0x004E4942U});
    append(data);
    return file;
  }
};

const std::vector<std::uint8_t> kGray{9, 9, 9, 255};
const std::vector<float> kTriangle{0, 0, 0, 1, 0, 0, 0, 1, 0};

/// Returns a triangle on a node with these fields.
Scene triangle(const std::string& node_fields = {}) {
  Scene scene;
  scene.add(kTriangle, "VEC3");
  scene.nodes = R"({"name":"root","mesh":0)" + node_fields + "}";
  scene.meshes = R"({"name":"flag","primitives":[{"attributes":{"POSITION":0}}]})";
  return scene;
}

/// Adds an animation of one channel.
void animate(Scene& scene, std::string_view target, const std::vector<float>& seconds, const std::vector<float>& values,
             std::string_view type, std::string_view interpolation) {
  const int input = scene.add(seconds, "SCALAR"), output = scene.add(values, type);
  scene.more += fmt::format(
      R"(,"animations":[{{"name":"move","channels":[{{"sampler":0,"target":{{{}}}}}],"samplers":[{{"input":{},"output":{},"interpolation":"{}"}}]}}])",
      target, input, output, interpolation);
}

ImportedCharacter load(const Scene& scene, const ImportOptions& options = {}) {
  auto character = load_character(scene.glb(), options);
  INFO(scene.text());
  if (!character) FAIL(describe(character.error(), "scene"));
  return *std::move(character);
}

std::string problem_of(std::span<const std::byte> bytes, const ImportOptions& options = {}) {
  const auto character = load_character(bytes, options);
  return character ? "none" : describe(character.error(), "scene");
}

void check_contains(const std::string& text, std::string_view part) {
  CHECK_THAT(text, test::contains(std::string(part)));
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string warnings_of(const Character& character) {
  std::string text;
  for (const Diagnostic& warning : character.warnings()) text += describe(warning, "scene") + "\n";
  return text;
}

/// Returns all vertices in a frame of the first clip, or without clips in the bind pose.
std::vector<Vec3> points(const Character& character, std::uint32_t frame = 0) {
  PoseBuffers posed;
  if (character.clips().empty()) {
    pose_bind(character, posed);
  } else {
    pose_clip(character, ClipId{0}, {frame, frame, 0}, posed);
  }
  std::vector<Vec3> result(character.vertices().size());
  deform(character.vertices(), character.vertices_3d(), posed.palette_3d, result);
  return result;
}

void check_points(const std::vector<Vec3>& found, const std::vector<Vec3>& expected, float tolerance = 1e-5F) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(i << ": " << found[i].x << " " << found[i].y << " " << found[i].z << ", not " << expected[i].x << " "
           << expected[i].y << " " << expected[i].z);
    CHECK(glm::distance(found[i], expected[i]) <= tolerance);
  }
}

/// Returns the triangle transformed by a matrix.
std::vector<Vec3> moved(const glm::mat4& matrix) {
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < 9; i += 3) {
    result.emplace_back(matrix * glm::vec4(kTriangle[i], kTriangle[i + 1], kTriangle[i + 2], 1));
  }
  return result;
}

glm::mat4 shift(float x, float y, float z) {
  glm::mat4 result(1);
  result[3] = {x, y, z, 1};
  return result;
}

glm::mat4 turn_z(float degrees) { return glm::mat4_cast(glm::angleAxis(glm::radians(degrees), Vec3{0, 0, 1})); }

std::vector<float> numbers(const glm::mat4& matrix) {
  std::vector<float> result(16);
  std::memcpy(result.data(), &matrix, 64);
  return result;
}

/// A triangle whose vertices follow two joints, the second a child of the first: node 0 has the mesh, 1 and 2 are the
/// joints.
Scene skinned(const std::array<glm::mat4, 2>& inverse_bind, const std::string& first, const std::string& second) {
  Scene scene;
  scene.add(kTriangle, "VEC3");
  scene.add(std::vector<std::uint8_t>{0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, "VEC4");
  scene.add(std::vector<float>{1, 0, 0, 0, 0.25F, 0.75F, 0, 0, 0, 1, 0, 0}, "VEC4");
  std::vector<float> matrices = numbers(inverse_bind[0]);
  const std::vector<float> more = numbers(inverse_bind[1]);
  matrices.insert(matrices.end(), more.begin(), more.end());
  scene.add(matrices, "MAT4");
  scene.scene = R"("scene":0,"scenes":[{"nodes":[0,1]}])";
  scene.nodes =
      fmt::format(R"({{"mesh":0,"skin":0}},{{"name":"hip","children":[2]{}}},{{"name":"tip"{}}})", first, second);
  scene.meshes = R"({"name":"flag","primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]})";
  scene.more = R"(,"skins":[{"joints":[1,2],"inverseBindMatrices":3}])";
  return scene;
}

/// Returns the points of such a triangle as the specification computes them.
std::vector<Vec3> skinned_points(const std::array<glm::mat4, 2>& inverse_bind, const glm::mat4& first,
                                 const glm::mat4& second) {
  const std::vector<Vec3> a = moved(first * inverse_bind[0]), b = moved(first * second * inverse_bind[1]);
  return {a[0], a[1] * 0.25F + b[1] * 0.75F, b[2]};
}

}  // namespace

TEST_CASE("a mesh follows its node and the nodes above it", "[gltf]") {
  Scene scene;
  scene.add(kTriangle, "VEC3");
  scene.nodes = R"({"name":"root","translation":[1,2,3],"scale":[2,2,2],"children":[1]},)"
                R"({"name":"arm","rotation":[0,0,0.70710678,0.70710678],"translation":[5,0,0],"mesh":0})";
  scene.meshes = R"({"name":"flag","primitives":[{"attributes":{"POSITION":0}}]})";
  const ImportedCharacter character = load(scene);
  CHECK(character.file.format == "glTF 2.0");
  CHECK(character.is_3d());
  REQUIRE(character.bones().size() == 2);
  CHECK(character.bones()[1].name == "arm");
  CHECK(character.bones()[1].parent == BoneId{0});
  CHECK(character.meshes()[0].name == "flag");
  glm::mat4 scale(2);
  scale[3][3] = 1;
  check_points(points(character), moved(shift(1, 2, 3) * scale * shift(5, 0, 0) * turn_z(90)));
  CHECK(character.vertices_3d()[0].normal == Vec3{0, 0, 1});
  CHECK(character.warnings().empty());
}

TEST_CASE("a mirrored node keeps the front of its triangles", "[gltf]") {
  const ImportedCharacter character = load(triangle(R"(,"scale":[-1,1,1])"));
  const auto indices = character.indices();
  CHECK(std::vector<std::uint16_t>(indices.begin(), indices.end()) == std::vector<std::uint16_t>{0, 2, 1});
  CHECK(character.vertices()[1].x == -1);
  CHECK(character.vertices_3d()[0].normal == Vec3{0, 0, 1});
}

TEST_CASE("keys are linear, stepped or cubic, and rotations take the shortest arc", "[gltf]") {
  ImportOptions options;
  options.frames_per_second = 4;
  Scene linear = triangle();
  animate(linear, R"("node":0,"path":"translation")", {0, 1}, {0, 0, 0, 8, 4, 0}, "VEC3", "LINEAR");
  const ImportedCharacter slid = load(linear, options);
  REQUIRE(slid.clips().size() == 1);
  CHECK(slid.clips()[0].name == "move");
  CHECK(slid.clips()[0].frame_count == 5);
  CHECK(slid.clips()[0].frames_per_second == 4);
  for (std::uint32_t frame = 0; frame < 5; ++frame) {
    check_points(points(slid, frame), moved(shift(2.0F * static_cast<float>(frame), static_cast<float>(frame), 0)));
  }
  Scene step = triangle();
  animate(step, R"("node":0,"path":"translation")", {0.5F, 1}, {1, 0, 0, 2, 0, 0}, "VEC3", "STEP");
  const ImportedCharacter stepped = load(step, options);
  for (std::uint32_t frame = 0; frame < 5; ++frame)
    check_points(points(stepped, frame), moved(shift(frame < 4 ? 1 : 2, 0, 0)));
  // p(t) = (2t^3 - 3t^2 + 1) v0 + (t^3 - 2t^2 + t) b0 + (3t^2 - 2t^3) v1 + (t^3 - t^2) a1, over two seconds.
  Scene cubic = triangle();
  animate(cubic, R"("node":0,"path":"translation")", {0, 2}, {9, 9, 9, 1, 0, 0, 3, 0, 0, -5, 0, 0, 4, 0, 0, 9, 9, 9},
          "VEC3", "CUBICSPLINE");
  const ImportedCharacter curved = load(cubic, options);
  REQUIRE(curved.clips()[0].frame_count == 9);
  for (std::uint32_t frame = 0; frame < 9; ++frame) {
    const float t = static_cast<float>(frame) / 8, t2 = t * t, t3 = t2 * t;
    const float x = (2 * t3 - 3 * t2 + 1) * 1 + 2 * (t3 - 2 * t2 + t) * 3 + (3 * t2 - 2 * t3) * 4 + 2 * (t3 - t2) * -5;
    check_points(points(curved, frame), moved(shift(x, 0, 0)));
  }
  // From 0 to 90 degrees, the second key negated.
  Scene turning = triangle();
  animate(turning, R"("node":0,"path":"rotation")", {0, 1}, {0, 0, 0, 1, 0, 0, -0.70710678F, -0.70710678F}, "VEC4",
          "LINEAR");
  const ImportedCharacter turned = load(turning, options);
  for (std::uint32_t frame = 0; frame < 5; ++frame)
    check_points(points(turned, frame), moved(turn_z(22.5F * static_cast<float>(frame))));
}

TEST_CASE("an animation that ends as it begins loses its last frame, and the rate is 30 unless chosen", "[gltf]") {
  Scene scene = triangle();
  animate(scene, R"("node":0,"path":"scale")", {0, 0.5F, 1}, {1, 1, 1, 2, 2, 2, 1, 1, 1}, "VEC3", "LINEAR");
  const ImportedCharacter character = load(scene);
  CHECK(character.clips()[0].looping);
  CHECK(character.clips()[0].frame_count == 30);
  CHECK(character.data().frames_per_second == 30);
}

TEST_CASE("a skin whose joints rest in their bind pose has the vertices of the file", "[gltf]") {
  const std::array inverse{shift(-2, 0, 0), shift(-2, -1, 0)};
  Scene scene = skinned(inverse, R"(,"translation":[2,0,0])", R"(,"translation":[0,1,0])");
  animate(scene, R"("node":2,"path":"rotation")", {0, 1}, {0, 0, 0, 1, 0, 0, 0.70710678F, 0.70710678F}, "VEC4",
          "LINEAR");
  ImportOptions options;
  options.frames_per_second = 1;
  const ImportedCharacter character = load(scene, options);
  REQUIRE(character.bones().size() == 2);
  CHECK(character.bones()[0].name == "hip");
  for (std::size_t i = 0; i < 3; ++i) CHECK(character.vertices()[i].x == kTriangle[3 * i]);
  CHECK(character.vertices()[1].weights[1] == 0.75F);
  check_points(points(character, 0), skinned_points(inverse, shift(2, 0, 0), shift(0, 1, 0)));
  check_points(points(character, 1), skinned_points(inverse, shift(2, 0, 0), shift(0, 1, 0) * turn_z(90)));
}

TEST_CASE("a skin is posed exactly if its joints rest in another pose", "[gltf]") {
  // The pose of the nodes differs from the bind pose by more than a transform of the whole.
  const std::array inverse{shift(-2, 0, 0), shift(-2, -1, 0) * turn_z(30)};
  const Scene scene =
      skinned(inverse, R"(,"translation":[5,1,0])", R"(,"translation":[0,3,1],"rotation":[0,0,0.70710678,0.70710678])");
  const ImportedCharacter character = load(scene);
  REQUIRE(character.clips().size() == 1);
  CHECK(character.clips()[0].name == "rest");
  check_points(points(character), skinned_points(inverse, shift(5, 1, 0), shift(0, 3, 1) * turn_z(90)));
}

TEST_CASE("joints that skins bind in different poses serve both", "[gltf]") {
  const std::array inverse{shift(-2, 0, 0), shift(-2, -1, 0)}, other{shift(1, 0, 0), shift(0, 4, 0) * turn_z(45)};
  Scene scene = skinned(inverse, R"(,"translation":[2,0,0])", R"(,"translation":[0,1,0])");
  std::vector<float> matrices = numbers(other[0]);
  const std::vector<float> more = numbers(other[1]);
  matrices.insert(matrices.end(), more.begin(), more.end());
  scene.add(matrices, "MAT4");
  scene.scene = R"("scenes":[{"nodes":[0,1,3]}])";
  scene.nodes += R"(,{"mesh":0,"skin":1})";
  scene.more = R"(,"skins":[{"joints":[1,2],"inverseBindMatrices":3},{"joints":[1,2],"inverseBindMatrices":4}])";
  animate(scene, R"("node":1,"path":"rotation")", {0, 1}, {0, 0, 0, 1, 0, 0, 0.70710678F, 0.70710678F}, "VEC4",
          "LINEAR");
  ImportOptions options;
  options.frames_per_second = 1;
  const ImportedCharacter character = load(scene, options);
  for (std::uint32_t frame = 0; frame < 2; ++frame) {
    const glm::mat4 first = shift(2, 0, 0) * turn_z(frame == 0 ? 0 : 90);
    std::vector<Vec3> expected = skinned_points(inverse, first, shift(0, 1, 0));
    const std::vector<Vec3> second = skinned_points(other, first, shift(0, 1, 0));
    expected.insert(expected.end(), second.begin(), second.end());
    check_points(points(character, frame), expected);
  }
}

TEST_CASE("accessors can be sparse, normalized, interleaved or without data", "[gltf]") {
  Scene scene;
  // Two vertices per 16 bytes, as normalized shorts, then one replaced.
  const std::vector<std::uint16_t> shorts{0, 0, 0, 0, 65535, 0, 0, 0, 0, 65535, 0, 0};
  const int view = scene.add_view(std::as_bytes(std::span(shorts)), R"(,"byteStride":8)");
  scene.accessors =
      fmt::format(R"({{"bufferView":{},"componentType":5123,"normalized":true,"count":3,"type":"VEC3"}})", view);
  scene.count = 1;
  const int index = scene.add(std::vector<std::uint8_t>{2}, "SCALAR"),
            value = scene.add(std::vector<float>{0, 7, 0}, "VEC3");
  scene.accessors += fmt::format(
      R"(,{{"componentType":5126,"count":3,"type":"VEC3","sparse":{{"count":1,"indices":{{"bufferView":{},"componentType":5121}},"values":{{"bufferView":{}}}}}}})",
      index, value);
  scene.nodes = R"({"mesh":0})";
  scene.meshes = R"({"primitives":[{"attributes":{"POSITION":0}},{"attributes":{"POSITION":3},"mode":6}]})";
  const ImportedCharacter character = load(scene);
  check_points(points(character), {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 0}, {0, 7, 0}});
}

TEST_CASE("strips and fans become triangles, and points are a warning", "[gltf]") {
  Scene scene;
  scene.add(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0}, "VEC3");
  scene.add(std::vector<std::uint32_t>{0, 1, 2, 3, 4}, "SCALAR");
  scene.nodes = R"({"mesh":0})";
  scene.meshes =
      R"({"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":5},{"attributes":{"POSITION":0},"indices":1,"mode":6},)"
      R"({"attributes":{"POSITION":0},"indices":1,"mode":0}]})";
  const ImportedCharacter character = load(scene);
  REQUIRE(character.meshes().size() == 2);
  const auto strip = character.indices(character.meshes()[0]), fan = character.indices(character.meshes()[1]);
  CHECK(std::vector<std::uint16_t>(strip.begin(), strip.end()) ==
        std::vector<std::uint16_t>{0, 1, 2, 2, 1, 3, 2, 3, 4});
  CHECK(std::vector<std::uint16_t>(fan.begin(), fan.end()) == std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3, 0, 3, 4});
  check_contains(warnings_of(character), "W265: meshes[0].primitives[2] has points, which are not drawn");
}

TEST_CASE("textures get the color, the transform and the alpha mode of their materials", "[gltf]") {
  Scene scene = triangle();
  const std::vector<std::uint8_t> pixels{255, 255, 255, 128, 0, 0, 0, 255, 255, 255, 255, 255, 128, 128, 128, 0};
  const Bytes png = test::png_of(2, 2, pixels);
  scene.add(std::vector<float>{0, 0, 1, 0, 0, 1}, "VEC2");
  const int view = scene.add_view(png);
  ++scene.count;
  scene.accessors += R"(,{"componentType":5126,"count":1,"type":"SCALAR"})";
  scene.meshes =
      R"({"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0},{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":1},)"
      R"({"attributes":{"POSITION":0},"material":2}]})";
  scene.more = fmt::format(
      R"(,"images":[{{"mimeType":"image/png","bufferView":{}}}],"textures":[{{"source":0}}],"materials":[)"
      R"({{"alphaMode":"MASK","pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}},)"
      R"({{"pbrMetallicRoughness":{{"baseColorFactor":[0.2158605,1,1,1],"baseColorTexture":{{"index":0,"extensions":{{"KHR_texture_transform":)"
      R"({{"offset":[0.5,0.25],"scale":[2,3],"rotation":1.5707963267948966}}}}}}}}}},)"
      R"({{"name":"red","pbrMetallicRoughness":{{"baseColorFactor":[1,0,0,1]}}}}])",
      view);
  const ImportedCharacter character = load(scene);
  REQUIRE(character.images().size() == 3);
  CHECK(character.images()[0].bytes == png);
  // Half the light of a channel is 128 in sRGB. An opaque material ignores the alpha of its texture.
  const std::array<std::uint8_t, 16> expected{128, 255, 255, 255, 0, 0, 0, 255, 128, 255, 255, 255, 61, 128, 128, 255};
  CHECK(character.images()[1].encoding == ImageEncoding::rgba8888);
  const Bytes& found = character.images()[1].bytes;
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(static_cast<int>(found[i]) == expected[i]);
  CHECK(character.images()[2].bytes == Bytes{std::byte{255}, std::byte{0}, std::byte{0}, std::byte{255}});
  // Counter-clockwise with v down: (u, v) becomes (v, -u).
  const auto vertices = character.vertices(character.meshes()[1]);
  CHECK(std::abs(vertices[1].u - 0.5F) + std::abs(vertices[1].v - (0.25F - 2)) < 1e-5F);
  CHECK(std::abs(vertices[2].u - (0.5F + 3)) + std::abs(vertices[2].v - 0.25F) < 1e-5F);
}

TEST_CASE("more than four influences become the four largest, with the distance", "[gltf]") {
  Scene scene = skinned({glm::mat4(1), glm::mat4(1)}, "", R"(,"children":[3,4,5])");
  scene.nodes += R"(,{"name":"a"},{"name":"b"},{"name":"c"})";
  scene.more = R"(,"skins":[{"joints":[1,2,3,4,5]}])";
  scene.add(std::vector<std::uint8_t>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}, "VEC4");
  scene.add(std::vector<float>{0.3F, 0.2F, 0.2F, 0.2F, 0.3F, 0.2F, 0.2F, 0.2F, 1, 0, 0, 0}, "VEC4");
  scene.add(std::vector<std::uint16_t>{4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0}, "VEC4");
  scene.add(std::vector<float>{0.1F, 0, 0, 0, 0.1F, 0, 0, 0, 0, 0, 0, 0}, "VEC4");
  scene.meshes =
      R"({"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":4,"WEIGHTS_0":5,"JOINTS_1":6,"WEIGHTS_1":7}}]})";
  // Without the last joint, a vertex moves by a tenth of 10.
  animate(scene, R"("node":5,"path":"translation")", {0, 1}, {0, 0, 0, 10, 0, 0}, "VEC3", "STEP");
  const ImportedCharacter character = load(scene);
  check_contains(warnings_of(character),
                 "W209: meshes[0].primitives[0] has 2 vertices with more than four "
                 "influences, which without the others move by up to 1");
  CHECK(std::abs(character.vertices()[0].weights[0] - 1.0F / 3) < 1e-6F);
}

TEST_CASE("morph targets move vertices by added bones, or shape a mesh that stays", "[gltf]") {
  Scene scene;
  std::vector<float> grid, offsets;
  std::vector<std::uint16_t> indices;
  for (int i = 0; i < 49; ++i) {
    const float x = static_cast<float>(i % 7), y = static_cast<float>(i / 7);
    grid.insert(grid.end(), {x, y, 0});
    // One corner bulges.
    const float height = x > 2 && y > 2 ? std::sin((x - 2) * 0.5F) * std::sin((y - 2) * 0.5F) : 0;
    offsets.insert(offsets.end(), {0, 0, height});
    if (i % 7 < 6 && i < 42) {
      for (const int corner : {0, 1, 7, 7, 1, 8}) indices.push_back(static_cast<std::uint16_t>(i + corner));
    }
  }
  scene.add(grid, "VEC3");
  scene.add(indices, "SCALAR");
  scene.add(offsets, "VEC3");
  scene.nodes = R"({"name":"root","rotation":[0,0,0.70710678,0.70710678],"translation":[2,0,0],"mesh":0})";
  scene.meshes =
      R"({"name":"face","weights":[0.5],"primitives":[{"attributes":{"POSITION":0},"indices":1,"targets":[{"POSITION":2}]}]})";
  const auto expected = [&](float weight) {
    std::vector<Vec3> result;
    for (std::size_t i = 0; i < grid.size(); i += 3) {
      result.emplace_back(shift(2, 0, 0) * turn_z(90) * glm::vec4(grid[i], grid[i + 1], offsets[i + 2] * weight, 1));
    }
    return result;
  };
  check_points(points(load(scene)), expected(0.5F));
  animate(scene, R"("node":0,"path":"weights")", {0, 1}, {0, 1}, "SCALAR", "LINEAR");
  ImportOptions options;
  options.frames_per_second = 10;
  const ImportedCharacter character = load(scene, options);
  check_contains(warnings_of(character), "W269: meshes[0] \"face\", primitives[0] has morph targets");
  CHECK(character.bones().size() > 1);
  // Half a thousandth of the diagonal.
  for (const std::uint32_t frame : {0U, 3U, 10U}) {
    check_points(points(character, frame), expected(static_cast<float>(frame) / 10),
                 0.0005F * std::hypot(6.0F, 6.0F) + 1e-4F);
  }
}

TEST_CASE("nodes that show the same morphs share one fit", "[gltf]") {
  const auto faces = [](int count, bool differ) {
    Scene scene;
    std::vector<float> grid, offsets;
    std::vector<std::uint16_t> indices;
    for (int i = 0; i < 25; ++i) {
      grid.insert(grid.end(), {static_cast<float>(i % 5), static_cast<float>(i / 5), 0});
      offsets.insert(offsets.end(), {0, 0, i % 5 > 2 ? 1.0F : 0.0F});
      if (i % 5 < 4 && i < 20) {
        for (const int corner : {0, 1, 5, 5, 1, 6}) indices.push_back(static_cast<std::uint16_t>(i + corner));
      }
    }
    scene.add(grid, "VEC3");
    scene.add(indices, "SCALAR");
    scene.add(offsets, "VEC3");
    const int input = scene.add(std::vector<float>{0, 1}, "SCALAR");
    const int output = scene.add(std::vector<float>{0, 1}, "SCALAR");
    const int other = scene.add(std::vector<float>{0, 0.5F}, "SCALAR");
    std::string roots, channels;
    for (int i = 0; i < count; ++i) {
      const char* const comma = i == 0 ? "" : ",";
      scene.nodes += fmt::format(R"({}{{"mesh":0,"translation":[{},0,0]}})", comma, 10 * i);
      roots += fmt::format("{}{}", comma, i);
      channels +=
          fmt::format(R"({}{{"sampler":{},"target":{{"node":{},"path":"weights"}}}})", comma, differ ? i % 2 : 0, i);
    }
    scene.scene = fmt::format(R"("scenes":[{{"nodes":[{}]}}])", roots);
    scene.meshes = R"({"primitives":[{"attributes":{"POSITION":0},"indices":1,"targets":[{"POSITION":2}]}]})";
    scene.more = fmt::format(
        R"(,"animations":[{{"samplers":[{{"input":{0},"output":{1}}},{{"input":{0},"output":{2}}}],"channels":[{3}]}}])",
        input, output, other, channels);
    return scene;
  };
  int steps = 0;
  const auto count_step = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(done <= total);
    ++steps;
  };
  ImportOptions options;
  options.fitting = count_step;
  (void)load(faces(1, false), options);
  const int once = std::exchange(steps, 0);
  CHECK(once > 0);
  const ImportedCharacter five = load(faces(5, false), options);
  CHECK(std::exchange(steps, 0) == once);
  CHECK(five.warnings().size() == 1);
  check_contains(warnings_of(five), "W269: meshes[0].primitives[0] has morph targets");
  std::vector<Vec3> expected;
  for (int node = 0; node < 5; ++node) {
    for (int i = 0; i < 25; ++i) {
      expected.emplace_back(static_cast<float>(10 * node + i % 5), static_cast<float>(i / 5), i % 5 > 2 ? 1.0F : 0.0F);
    }
  }
  check_points(points(five, five.clips()[0].frame_count - 1), expected, 0.03F);
  (void)load(faces(5, true), options);
  CHECK(steps == 2 * once);
}

TEST_CASE("a root that is also a child is shown once, below its parent", "[gltf]") {
  Scene scene;
  scene.add(kTriangle, "VEC3");
  scene.meshes = R"({"primitives":[{"attributes":{"POSITION":0}}]})";
  scene.nodes =
      R"({"name":"a","translation":[5,0,0],"children":[1]},{"name":"b","children":[2]},{"name":"c","mesh":0,"translation":[0,3,0]})";
  scene.scene = R"("scenes":[{"nodes":[2,0,1]}])";
  const ImportedCharacter character = load(scene);
  CHECK(character.meshes().size() == 1);
  check_contains(warnings_of(character),
                 "W275: scenes[0].nodes[0] is 2, but that node is a child of node 1, where it is shown once; the same "
                 "goes for 1 other node of the list");
  std::vector<Vec3> expected;
  for (std::size_t i = 0; i < kTriangle.size(); i += 3) {
    expected.emplace_back(kTriangle[i] + 5, kTriangle[i + 1] + 3, kTriangle[i + 2]);
  }
  check_points(points(character), expected);
  // Alone, it stands where it is itself.
  scene.scene = R"("scenes":[{"nodes":[2]}])";
  const ImportedCharacter alone = load(scene);
  CHECK(alone.warnings().empty());
  REQUIRE(alone.bones().size() == 1);
  CHECK(alone.bind_pose().x[0] == 0);
}

TEST_CASE("a hidden node hides the meshes below it", "[gltf]") {
  Scene scene;
  scene.add(kTriangle, "VEC3");
  scene.nodes =
      R"({"name":"root","mesh":0,"children":[1]},{"name":"arm","mesh":0,"extensions":{"KHR_node_visibility":{"visible":false}}})";
  scene.meshes = R"({"primitives":[{"attributes":{"POSITION":0}}]})";
  scene.more = R"(,"extensionsUsed":["KHR_node_visibility","KHR_animation_pointer"])";
  const int input = scene.add(std::vector<float>{0, 0.1F}, "SCALAR"),
            output = scene.add(std::vector<std::uint8_t>{1, 0}, "SCALAR");
  scene.more += fmt::format(
      R"(,"animations":[{{"channels":[{{"sampler":0,"target":{{"path":"pointer","extensions":{{"KHR_animation_pointer":{{"pointer":"/nodes/1/extensions/KHR_node_visibility/visible"}}}}}}}}],"samplers":[{{"input":{},"output":{},"interpolation":"STEP"}}]}}])",
      input, output);
  ImportOptions options;
  options.frames_per_second = 20;
  const ImportedCharacter character = load(scene, options);
  REQUIRE(character.clips()[0].frame_count == 3);
  const auto& visible = character.clips()[0].samples.visible;
  CHECK(std::vector<int>(visible.begin(), visible.end()) == std::vector<int>{1, 1, 1, 1, 1, 0});
  CHECK(character.bind_pose().visible[1] == 0);
  CHECK(character.warnings().empty());
}

TEST_CASE("unused nodes are no bones", "[gltf]") {
  Scene scene = skinned({glm::mat4(1), glm::mat4(1)}, "", "");
  scene.scene = R"("scenes":[{"nodes":[3]},{"nodes":[]}])";
  scene.nodes +=
      R"(,{"name":"scene","children":[4,0]},{"name":"armature","children":[1],"translation":[1,0,0]},{"name":"camera"})";
  const ImportedCharacter character = load(scene);
  REQUIRE(character.bones().size() == 3);
  CHECK(character.bones()[0].name == "armature");
  check_contains(warnings_of(character), "W265: scenes[1] is one of 2 scenes, of which only scene 0 is opened");
}

TEST_CASE("buffers and images come from files that are announced", "[gltf]") {
  Scene scene = triangle();
  scene.more =
      R"(,"images":[{"uri":"my%20skin.png"}],"textures":[{"source":0}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}])";
  scene.meshes = R"({"primitives":[{"attributes":{"POSITION":0},"material":0}]})";
  const std::string text = scene.text("data/hero.bin");
  std::vector<std::string> announced;
  ImportOptions options;
  bool has_bin = true, has_image = true;
  const auto read_file = [&](const std::string& path) -> Expected<std::vector<std::byte>, std::string> {
    const auto bytes = std::as_bytes(std::span(text));
    if (path == "hero.gltf") return std::vector<std::byte>(bytes.begin(), bytes.end());
    if (path.ends_with("data/hero.bin") && has_bin) return scene.data;
    if (path.ends_with("my skin.png") && has_image) return test::png_of(1, 1, kGray);
    return Unexpected(std::string("there is no such file"));
  };
  const auto note = [&](const std::string& path) { announced.push_back(path); };
  options.read_file = read_file;
  options.before_reading = note;
  options.uses_rig = false;
  const auto complete = import_character(std::string("hero.gltf"), options);
  REQUIRE(complete);
  CHECK(complete->character.images()[0].name == "my skin.png");
  CHECK(announced.size() == 3);
  has_image = false;
  const auto bare = import_character(std::string("hero.gltf"), options);
  REQUIRE(bare);
  check_contains(warnings_of(bare->character),
                 "W210: images[0].uri is \"my%20skin.png\", but the file cannot be read: there is no such file");
  has_bin = false;
  check_contains(describe(import_character(std::string("hero.gltf"), options).error(), "hero"),
                 "E170: buffers[0].uri is \"data/hero.bin\", but the file cannot be read: there is no such file");
  for (const char* const uri :
       {"../hero.bin", "/etc/passwd", "https://example.com/hero.bin", "a/../../b", "%2e%2e/hero.bin"}) {
    check_contains(problem_of(bytes_of(scene.text(uri))), "E128");
  }
}

TEST_CASE("what cannot be read is an error that says why", "[gltf]") {
  const auto problem = [](const auto& edit) {
    Scene scene = triangle();
    edit(scene);
    return problem_of(scene.glb());
  };
  check_contains(problem([](Scene& scene) {
                   scene.more = R"(,"extensionsRequired":["EXT_meshopt_compression","KHR_texture_basisu"])";
                 }),
                 "E168: extensionsRequired[0] requires EXT_meshopt_compression, KHR_texture_basisu: its textures "
                 "are compressed");
  check_contains(problem([](Scene& scene) { scene.nodes = R"({"mesh":1})"; }),
                 "E125: nodes[0].mesh is 1, but the file has 1 mesh");
  check_contains(problem([](Scene& scene) { scene.nodes = R"({"children":[0]})"; }), "E172");
  check_contains(problem([](Scene& scene) {
                   scene.accessors = R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"})";
                 }),
                 "E170: accessors[0] has 4 elements of 12 bytes, 12 bytes apart, but only 36 bytes");
  check_contains(problem([](Scene& scene) {
                   scene.accessors =
                       R"({"bufferView":0,"byteOffset":9007199254740992,"componentType":5126,"count":3,"type":"VEC3"})";
                 }),
                 "E125");
  check_contains(
      problem([](Scene& scene) { scene.accessors = R"({"componentType":5126,"count":4000000000,"type":"VEC3"})"; }),
      "E104");
  check_contains(
      problem([](Scene& scene) { scene.views = R"({"buffer":0,"byteOffset":36,"byteLength":8000000000000000})"; }),
      "E170");
  check_contains(problem([](Scene& scene) { scene.views = R"({"buffer":0,"byteLength":36,"byteStride":4})"; }), "E125");
  check_contains(problem([](Scene& scene) {
                   scene.data.resize(32);
                   scene.views = R"({"buffer":0,"byteLength":36})";
                 }),
                 "E170");
  check_contains(problem([](Scene& scene) {
                   const float infinite = std::numeric_limits<float>::infinity();
                   std::memcpy(scene.data.data() + 16, &infinite, 4);
                 }),
                 "E118: accessors[0] has the number inf in element 1");
  check_contains(problem([](Scene& scene) {
                   animate(scene, R"("node":0,"path":"translation")", {1, 0}, {0, 0, 0, 1, 0, 0}, "VEC3", "LINEAR");
                 }),
                 "E125");
  check_contains(problem([](Scene& scene) {
                   animate(scene, R"("node":0,"path":"translation")", {0, 900000}, {0, 0, 0, 1, 0, 0}, "VEC3",
                           "LINEAR");
                 }),
                 "E104");
}

TEST_CASE("a damaged scene is an error or loads, whatever byte is wrong", "[gltf]") {
  const std::array inverse{shift(-2, 0, 0), shift(-2, -1, 0)};
  Scene scene = skinned(inverse, R"(,"translation":[2,0,0])", R"(,"translation":[0,1,0])");
  animate(scene, R"("node":2,"path":"rotation")", {0, 1}, {0, 0, 0, 1, 0, 0, 0.70710678F, 0.70710678F}, "VEC4",
          "LINEAR");
  const Bytes whole = scene.glb();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // An allocation of this size shows the sanitizer where the file ends.
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    INFO(size);
    CHECK_FALSE(load_character(prefix));
  }
  ImportOptions options;
  options.limits.max_bone_samples = 1 << 14;
  options.flat = true;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {1, 9, 128}) {
      Bytes damaged = whole;
      damaged[at] ^= static_cast<std::byte>(change);
      const auto character = load_character(damaged, options);
      if (!character) CHECK_FALSE(describe(character.error(), "scene").empty());
    }
  }
  const std::string text = scene.text("data:application/octet-stream;base64,AAAA");
  for (std::size_t size = 0; size < text.size(); ++size) {
    CHECK_FALSE(load_character(bytes_of(text.substr(0, size))));
  }
}

TEST_CASE("the sample has its parts, and none of its prefixes loads", "[gltf]") {
  const ImportedCharacter character = load_asset("hata.gltf");
  CHECK(character.meshes().size() == 2);
  CHECK(character.clips()[0].frame_count == 60);
  const Bytes whole = test::read_file(test::asset("hata.gltf"));
  for (std::size_t size = 0; size + 1 < whole.size(); size += 211) {
    CHECK_FALSE(load_character(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

TEST_CASE("a flat scene opens in 2D if asked to", "[gltf]") {
  Scene scene;
  scene.add(kTriangle, "VEC3");
  scene.nodes =
      R"({"name":"root","mesh":0,"children":[1,2]},{"name":"front","mesh":0,"translation":[3,4,2],"rotation":[0,0,0.5,0.8660254]},)"
      R"({"name":"mirrored","mesh":0,"translation":[0,0,-5],"rotation":[0,1,0,0],"scale":[2,3,4]})";
  scene.meshes = R"({"primitives":[{"attributes":{"POSITION":0}}]})";
  animate(scene, R"("node":1,"path":"translation")", {0, 1}, {3, 4, 2, 3, 4, -9}, "VEC3", "STEP");
  ImportOptions options;
  options.frames_per_second = 1;
  CHECK(load(scene, options).is_3d());
  options.flat = true;
  const ImportedCharacter character = load(scene, options);
  CHECK_FALSE(character.is_3d());
  const PoseView bind = character.bind_pose();
  CHECK(std::abs(bind.rotation_degrees[1] - 60) < 1e-4F);
  // Half a turn around y mirrors x.
  CHECK(bind.scale_x[2] * bind.scale_y[2] == -6);
  CHECK(std::abs(std::cos(bind.rotation_degrees[2] * 3.14159265F / 180) * bind.scale_x[2] + 2) < 1e-5F);
  const BoneSamples& samples = character.clips()[0].samples;
  CHECK(std::vector<int>(samples.z_order.begin(), samples.z_order.end()) == std::vector<int>{2, 3, 1, 2, 0, 1});
  scene.nodes = R"({"name":"root","mesh":0,"rotation":[0.7071,0,0,0.7071]})";
  scene.more.clear();
  check_contains(problem_of(scene.glb(), options),
                 "E171: cannot be opened in 2D: bone \"root\" turns around another axis than z");
}

namespace {

void check_near(std::span<const float> found, std::span<const float> expected, double tolerance, double period = 0) {
  REQUIRE(found.size() == expected.size());
  double error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = static_cast<double>(found[i]) - static_cast<double>(expected[i]);
    error = std::max(error, std::abs(period > 0 ? std::remainder(difference, period) : difference));
  }
  CHECK(error <= tolerance);
}

/// Returns the vertices without what unused slots hold.
std::vector<Vertex> used_slots(const Character& character) {
  std::vector<Vertex> result = character.data().vertices;
  for (Vertex& vertex : result) {
    for (std::size_t slot = 0; slot < 4; ++slot)
      vertex.bones[slot] = vertex.weights[slot] == 0 ? 0 : vertex.bones[slot];
  }
  return result;
}

/// Checks that a character that became glTF and was read again has the same parts and draws the same.
void check_round_trip(const Character& before) {
  const auto bytes = save_gltf(before);
  REQUIRE(bytes);
  const auto loaded = load_character(*bytes);
  if (!loaded) FAIL(describe(loaded.error(), "glb"));
  const Character& after = *loaded;
  CHECK(after.is_3d() == before.is_3d());
  CHECK(after.data().frames_per_second == before.data().frames_per_second);
  CHECK(after.data().bones == before.data().bones);
  CHECK(after.data().meshes == before.data().meshes);
  CHECK(after.data().indices == before.data().indices);
  CHECK(used_slots(after) == used_slots(before));
  CHECK(after.data().vertices_3d == before.data().vertices_3d);
  REQUIRE(after.images().size() == before.images().size());
  for (const ImageId image : before.images().ids()) {
    CHECK(after.images()[image].name == before.images()[image].name);
    CHECK(decode(after.images()[image]).value().rgba == decode(before.images()[image]).value().rgba);
  }
  REQUIRE(after.clips().size() == before.clips().size());
  for (const ClipId id : before.clips().ids()) {
    const Clip &left = before.clips()[id], &right = after.clips()[id];
    CHECK(left.name == right.name);
    CHECK(left.looping == right.looping);
    CHECK(left.frames_per_second == right.frames_per_second);
    CHECK(left.frame_ends == right.frame_ends);
    REQUIRE(left.frame_count == right.frame_count);
    CHECK(left.samples.x == right.samples.x);
    CHECK(left.samples.y == right.samples.y);
    CHECK(left.samples.scale_x == right.samples.scale_x);
    CHECK(left.samples.scale_y == right.samples.scale_y);
    check_near(right.samples.rotation_degrees, left.samples.rotation_degrees, 1e-4, 360);
    REQUIRE(left.samples.samples_3d.size() == right.samples.samples_3d.size());
    for (std::size_t i = 0; i < left.samples.samples_3d.size(); ++i) {
      const BoneSample3D &a = left.samples.samples_3d[i], &b = right.samples.samples_3d[i];
      const double error = std::abs(a.rotation.x - b.rotation.x) + std::abs(a.rotation.y - b.rotation.y) +
                           std::abs(a.rotation.z - b.rotation.z) + std::abs(a.rotation.w - b.rotation.w);
      if (error > 1e-6 || a.z != b.z || a.scale_z != b.scale_z) FAIL_CHECK("sample " << i);
    }
    DrawList list, other;
    for (std::uint32_t frame = 0; frame < left.frame_count; ++frame) {
      build_draw_list(before, left.samples.frame(frame, before.bones().size()), list);
      build_draw_list(after, right.samples.frame(frame, after.bones().size()), other);
      const auto same = [](const DrawItem& a, const DrawItem& b) {
        return a.mesh == b.mesh && std::abs(a.opacity - b.opacity) < 1e-6F;
      };
      if (!std::ranges::equal(list, other, same)) FAIL_CHECK("draw list of frame " << frame);
    }
  }
}

}  // namespace

TEST_CASE("characters that became glTF come back equal", "[gltf]") {
  for (const char* const name : {"kiri.pchr", "quad.pchr", "koi/koi.psk", "akari/akari_ske.json", "hotaru.px",
                                 "hata.gltf", "konpei/konpei.chp"}) {
    INFO(name);
    check_round_trip(load_asset(name));
  }
  check_round_trip(Character::build(test::sliding_quad()).value());
  check_round_trip(Character::build(test::two_bone_arm()).value());
}

TEST_CASE("characters made by others that became glTF come back equal", "[gltf][conformance]") {
  const auto folder = test::conformance_folder();
  if (!folder) return;
  for (const char* const name : {"db_bear", "db_dragonboy", "db_duo", "db_girl", "db_mecha_1004d"}) {
    const auto path = *folder / name / (std::string(name) + ".pchr");
    INFO(name);
    if (std::filesystem::exists(path)) check_round_trip(load_character(path).value());
  }
}

}  // namespace gltf_reader_test
