// SPDX-License-Identifier: MIT
// Compares draw streams with their inputs and with golden files.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/draw_list.hpp>
#include <pchr/pose.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>

namespace draw_stream_test {
using namespace pchr;

namespace {

Character build(CharacterData data) {
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

Character asset(const std::string& name) {
  auto character = load_character(test::asset(name));
  REQUIRE(character);
  return *character;
}

constexpr MeshId kStrip{0}, kBadge{1};

/// Poses the arm in one frame of "bend".
struct Arm {
  Character character = build(test::two_bone_arm());
  PoseBuffers posed;
  DrawStream stream;

  explicit Arm(std::uint32_t frame) { pose_clip(character, ClipId{1}, {frame, frame, 0}, posed); }
  void add(const SkinData* skin = nullptr, const Appearance& appearance = {}, std::uint32_t source = 0) {
    append_draw_stream(character, posed, {appearance, skin, source}, stream);
  }
};

using Color = std::array<std::uint8_t, 4>;

template <typename... Values>
std::string format(const char* text, Values... values) {
  std::array<char, 256> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), text, values...);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

/// Formats a stream as text: each command with the bounding box, colors and bit hash of its vertices.
std::string describe(const DrawStream& stream) {
  std::string text = format("%zu vertices, %zu indices\n", stream.vertices.size(), stream.indices.size());
  for (const StreamCommand& command : stream.commands) {
    Rect box;
    std::uint64_t hash = 14695981039346656037ULL;
    const auto add = [&](std::uint32_t word) { hash = (hash ^ word) * 1099511628211ULL; };
    Color color{};
    for (std::uint32_t i = 0; i < command.index_count; ++i) {
      const StreamVertex& vertex = stream.vertices[stream.indices[command.first_index + i]];
      box.include(Vec2{vertex.x, vertex.y});
      for (const float value : {vertex.x, vertex.y, vertex.u, vertex.v}) add(std::bit_cast<std::uint32_t>(value));
      add(std::bit_cast<std::uint32_t>(vertex.color));
      color = vertex.color;
    }
    text +=
        format("source %u image %u: indices %u + %u, box %.2f %.2f to %.2f %.2f, last color %d %d %d %d, hash %llu\n",
               command.source, command.image, command.first_index, command.index_count, double{box.min.x},
               double{box.min.y}, double{box.max.x}, double{box.max.y}, color[0], color[1], color[2], color[3],
               static_cast<unsigned long long>(hash));
  }
  return text;
}

}  // namespace

TEST_CASE("a draw stream has the skinned and placed triangles of the draw list, in order", "[draw_stream]") {
  const Appearance appearance{placement({50, -20}, 30, 0.5F, true), {1, 1, 1, 1}};
  for (const char* name : {"kiri.pchr", "corners.pchr", "quad.pchr"}) {
    INFO(name);
    const Character character = asset(name);
    PoseBuffers posed;
    DrawStream stream;
    for (const ClipId clip : character.clips().ids()) {
      for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; frame += 5) {
        pose_clip(character, clip, {frame, frame, 0}, posed);
        std::vector<Vec2> expected, recorded;
        for (const DrawItem& item : posed.draw_list) {
          const Mesh& mesh = character.meshes()[item.mesh];
          std::vector<Vec2> points(mesh.vertex_count);
          deform(character.vertices(mesh), posed.palette, points);
          for (const std::uint16_t index : character.indices(mesh)) {
            expected.push_back(apply(appearance.placement, points[index]));
          }
        }
        stream.clear();
        append_draw_stream(character, posed, {appearance}, stream);
        for (const std::uint32_t index : stream.indices) {
          REQUIRE(index < stream.vertices.size());
          recorded.push_back({stream.vertices[index].x, stream.vertices[index].y});
        }
        REQUIRE(recorded == expected);
      }
    }
  }
}

TEST_CASE("vertices keep their texture coordinates", "[draw_stream]") {
  Arm arm(0);
  arm.add();
  REQUIRE(arm.stream.vertices.size() == arm.character.vertices().size());
  for (std::size_t i = 0; i < arm.stream.vertices.size(); ++i) {
    CHECK(arm.stream.vertices[i].u == arm.character.vertices()[i].u);
    CHECK(arm.stream.vertices[i].v == arm.character.vertices()[i].v);
  }
}

TEST_CASE("commands follow the draw order, and neighbors with the same image and source share one", "[draw_stream]") {
  // The badge is drawn over the strip in frame 0, hidden in frame 1, and behind it in frame 4.
  const StreamCommand strip{0, ImageId{0}, 0, 48}, badge{0, ImageId{1}, 48, 6};
  Arm over(0), hidden(1), behind(4);
  over.add();
  CHECK(over.stream.commands == std::vector{strip, badge});
  behind.add();
  CHECK(behind.stream.commands == std::vector<StreamCommand>{{0, ImageId{1}, 0, 6}, {0, ImageId{0}, 6, 48}});
  hidden.add();
  CHECK(hidden.stream.commands == std::vector{strip});
  hidden.add();
  CHECK(hidden.stream.commands == std::vector<StreamCommand>{{0, ImageId{0}, 0, 96}});
  CHECK(hidden.stream.indices[48] == hidden.stream.indices[0] + 18);
  hidden.add(nullptr, {}, 1);
  CHECK(hidden.stream.commands == std::vector<StreamCommand>{{0, ImageId{0}, 0, 96}, {1, ImageId{0}, 96, 48}});
  hidden.stream.clear();
  CHECK(hidden.stream.vertices.empty());
  hidden.add();
  CHECK(hidden.stream.commands == std::vector{strip});
}

TEST_CASE("a vertex color is the premultiplied product of tints and opacity, in steps of 1/255", "[draw_stream]") {
  Arm arm(0);
  arm.posed.draw_list[1].opacity = 0.5F;
  arm.posed.draw_list[1].tint = {1, 0.5F, 1, 1};
  SkinData skin;
  part_of(skin, kBadge).tint = {1, 1, 0.5F, 0.5F};
  arm.add(&skin, {kIdentity, {0.5F, 1, 2, 0.8F}});
  CHECK(arm.stream.vertices.front().color == Color{102, 204, 204, 204});
  CHECK(arm.stream.vertices.back().color == Color{26, 26, 51, 51});
  arm.stream.clear();
  arm.add(nullptr, {kIdentity, {-1, std::numeric_limits<float>::quiet_NaN(), 1, 7}});
  CHECK(arm.stream.vertices.front().color == Color{0, 0, 255, 255});
}

TEST_CASE("a skin hides meshes and replaces images in a draw stream", "[draw_stream]") {
  Arm arm(0);
  SkinData skin;
  part_of(skin, kBadge).image = add_image(skin, arm.character, {1, 1, {0, 0, 0, 0}});
  arm.add(&skin);
  CHECK(arm.stream.commands == std::vector<StreamCommand>{{0, ImageId{0}, 0, 48}, {0, ImageId{2}, 48, 6}});
  arm.stream.clear();
  part_of(skin, kBadge).image = ImageId{0};
  arm.add(&skin);
  CHECK(arm.stream.commands == std::vector<StreamCommand>{{0, ImageId{0}, 0, 54}});
  arm.stream.clear();
  part_of(skin, kStrip).visible = false;
  arm.add(&skin);
  CHECK(arm.stream.commands == std::vector<StreamCommand>{{0, ImageId{0}, 0, 6}});
  CHECK(arm.stream.vertices.size() == 4);
}

TEST_CASE("a draw stream with a skin equals that of a draw list with the skin applied", "[draw_stream]") {
  const Character character = asset("kiri.pchr");
  SkinData skin;
  part_of(skin, character.find_mesh("hood")).visible = false;
  part_of(skin, character.find_mesh("scarf")).tint = {0.5F, 0.25F, 1, 0.75F};
  part_of(skin, character.find_mesh("tunic")).image = add_image(skin, character, {1, 1, {1, 2, 3, 4}});
  PoseBuffers posed;
  pose_clip(character, character.find_clip("walk"), {7, 7, 0}, posed);
  DrawStream with_skin, applied_before;
  append_draw_stream(character, posed, {{}, &skin}, with_skin);
  apply_skin(skin, posed.draw_list);
  append_draw_stream(character, posed, {}, applied_before);
  CHECK(with_skin.commands == applied_before.commands);
  CHECK(with_skin.indices == applied_before.indices);
  CHECK(with_skin.vertices == applied_before.vertices);
  CHECK(with_skin.commands.size() == 3);
}

TEST_CASE("a character with nothing visible adds nothing to a draw stream", "[draw_stream]") {
  const Character character = build({});
  PoseBuffers posed;
  pose_bind(character, posed);
  DrawStream stream;
  append_draw_stream(character, posed, {}, stream);
  CHECK(stream.commands.empty());
}

TEST_CASE("the sample characters' draw streams match their golden files", "[draw_stream][golden]") {
  for (const std::string name : {"kiri", "corners", "quad"}) {
    INFO(name);
    const Character character = asset(name + ".pchr");
    std::string text;
    PoseBuffers posed;
    DrawStream stream;
    for (const ClipId clip : character.clips().ids()) {
      const std::uint32_t count = character.clips()[clip].frame_count;
      for (const std::uint32_t frame : {0U, count / 2}) {
        pose_clip(character, clip, {frame, frame, 0}, posed);
        stream.clear();
        append_draw_stream(character, posed, {{placement({100, 50}, 15, 0.25F), {1, 0.5F, 1, 0.75F}}}, stream);
        text += "clip \"" + character.clips()[clip].name + format("\" frame %u: ", frame) + describe(stream);
      }
    }
    const auto file = test::golden(name + ".stream");
    if (test::updating_goldens()) test::write_file(file, std::as_bytes(std::span(text)));
    CHECK(test::read_text(file) == text);
  }
}

}  // namespace draw_stream_test
