// SPDX-License-Identifier: MIT
// Compares draw streams with their inputs and with golden files.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/3d.hpp>
#include <pchr/draw_list.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <glm/geometric.hpp>
#include <string>

namespace draw_stream_test {
namespace {

using namespace pchr;
using namespace pchr::test;
using Color = std::array<std::uint8_t, 4>;

constexpr MeshId kStrip{0}, kBadge{1};

/// Poses the arm in one frame of "bend".
struct Arm {
  Character character = build(two_bone_arm());
  PoseBuffers posed;
  DrawStream stream;

  explicit Arm(std::uint32_t frame) { pose_clip(character, ClipId{1}, {frame, frame, 0}, posed); }
  void add(const SkinData* skin = nullptr, const Appearance& appearance = {}, std::uint32_t source = 0) {
    add_with({appearance, skin, source});
  }
  bool add_with(const StreamOptions& options) { return append_draw_stream(character, posed, options, stream); }
};

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

TEST_CASE("a draw stream has the skinned and placed triangles of the draw list, in order", "[draw_stream]") {
  const Appearance appearance{placement({50, -20}, 30, 0.5F, true), {1, 1, 1, 1}};
  for (const char* name : {"kiri.pchr", "corners.pchr", "quad.pchr"}) {
    INFO(name);
    const Character character = load_asset(name);
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
  const Character character = load_asset("kiri.pchr");
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
    const Character character = load_asset(name + ".pchr");
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
    const auto file = golden(name + ".stream");
    if (updating_goldens()) write_file(file, std::as_bytes(std::span(text)));
    CHECK(read_text(file) == text);
  }
}

// Options of draw streams: culling, maximums, depth and normals, looks, linear light, parts of a draw list.

DrawStream streamed(const Character& character, const PoseBuffers& posed, const StreamOptions& options) {
  DrawStream stream;
  stream.with_3d = character.is_3d();
  REQUIRE(append_draw_stream(character, posed, options, stream));
  return stream;
}

/// Returns the items that culling keeps, and checks that it keeps their order and changes nothing about them.
DrawList kept_items(const Character& character, const PoseBuffers& posed, const StreamOptions& options) {
  DrawList kept;
  for (const DrawItem& item : posed.draw_list) {
    StreamOptions alone = options;
    alone.items = std::span(&item, 1);
    if (!streamed(character, posed, alone).indices.empty()) kept.push_back(item);
  }
  StreamOptions without_culling = options;
  without_culling.items = kept;
  without_culling.camera.reset();
  without_culling.scene = nullptr;
  const DrawStream expected = streamed(character, posed, without_culling), culled = streamed(character, posed, options);
  REQUIRE(culled.vertices == expected.vertices);
  REQUIRE(culled.indices == expected.indices);
  REQUIRE(culled.commands == expected.commands);
  REQUIRE(culled.vertices_3d == expected.vertices_3d);
  return kept;
}

bool contains(const DrawList& list, MeshId mesh) {
  return std::ranges::any_of(list, [&](const DrawItem& item) { return item.mesh == mesh; });
}

/// Checks that culling keeps every mesh whose vertices' bounds the camera sees. Returns how many it leaves out.
std::size_t check_culling(const Character& character, const PoseBuffers& posed, const StreamOptions& options) {
  const DrawList kept = kept_items(character, posed, options);
  const Camera& camera = *options.camera;
  const Vec2 half = camera.viewport * (0.5F / camera.zoom);
  for (const DrawItem& item : posed.draw_list) {
    if (character.meshes()[item.mesh].index_count == 0) continue;
    StreamOptions alone = options;
    alone.items = std::span(&item, 1);
    alone.camera.reset();
    Rect bounds;
    for (const StreamVertex& vertex : streamed(character, posed, alone).vertices) {
      bounds.include(Vec2{vertex.x, vertex.y});
    }
    const bool is_seen = bounds.max.x >= camera.center.x - half.x && bounds.min.x <= camera.center.x + half.x &&
                         bounds.max.y >= camera.center.y - half.y && bounds.min.y <= camera.center.y + half.y;
    if (is_seen) REQUIRE(contains(kept, item.mesh));
  }
  return posed.draw_list.size() - kept.size();
}

TEST_CASE("a draw stream leaves out only meshes that the camera does not see, and keeps the order", "[draw_stream]") {
  const Character character = load_asset("kiri.pchr");
  PoseBuffers posed;
  std::size_t left_out = 0, all = 0;
  for (const ClipId clip : character.clips().ids()) {
    for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; frame += 17) {
      pose_clip(character, clip, {frame, frame, 0}, posed);
      const Appearance appearance{placement({40, -30}, static_cast<float>(frame) * 7, 0.75F, frame % 2 == 0)};
      for (int i = 0; i < 9; ++i) {
        const Vec2 center{static_cast<float>(i % 3 - 1) * 90, static_cast<float>(i / 3 - 1) * 130};
        left_out += check_culling(character, posed, {.appearance = appearance, .camera = Camera{center, 2, {80, 60}}});
        all += posed.draw_list.size();
      }
    }
  }
  CHECK(left_out > all / 2);
  CHECK(left_out < all);
}

TEST_CASE("weights that do not sum to 1, and negative ones, never hide a visible mesh", "[draw_stream]") {
  const std::array<float, 2> weights =
      GENERATE(std::array{0.3F, 0.2F}, std::array{1.0F, 0.9F}, std::array{1.5F, -0.5F}, std::array{0.0F, 0.0F});
  CharacterData data = two_bone_arm();
  for (Vertex& vertex : data.vertices) std::ranges::copy(weights, vertex.weights);
  const Character character = build(std::move(data));
  PoseBuffers posed;
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    pose_clip(character, ClipId{1}, {frame, frame, 0}, posed);
    for (int i = 0; i < 49; ++i) {
      const Vec2 center{static_cast<float>(i % 7 - 3) * 20, static_cast<float>(i / 7 - 3) * 20};
      check_culling(character, posed, {.camera = Camera{center, 1, {8, 8}}});
    }
  }
}

TEST_CASE("a character out of view adds nothing to a draw stream", "[draw_stream]") {
  const Character character = load_asset("kiri.pchr");
  PoseBuffers posed;
  pose_bind(character, posed);
  const Camera camera{{0, 0}, 1, {800, 600}};
  CHECK(streamed(character, posed, {.appearance = {placement({5000, 0})}, .camera = camera}).vertices.empty());
  CHECK_FALSE(streamed(character, posed, {.appearance = {placement({100, 0})}, .camera = camera}).vertices.empty());
}

TEST_CASE("a scene's view leaves out only meshes of a 3D character outside its frustum", "[draw_stream]") {
  const Character character = load_asset("koi/koi.psk");
  PoseBuffers posed;
  pose_clip(character, ClipId{0}, ClipTime{}, posed);
  OrbitCamera orbit = fit({.viewport = {400, 300}}, box_of(character, posed));
  std::size_t left_out = 0;
  for (int i = 0; i < 36; ++i) {
    orbit.yaw_degrees = static_cast<float>(i) * 20;
    orbit.pitch_degrees = static_cast<float>(i % 5 - 2) * 25;
    orbit.target.x = static_cast<float>(i % 4 - 1) * orbit.distance;
    const SceneView view = scene_view(orbit);
    const StreamOptions options{.appearance = {placement({0, 0}, 0, 1, i % 2 == 0)}, .scene = &view};
    const DrawList kept = kept_items(character, posed, options);
    for (const DrawItem& item : posed.draw_list) {
      if (contains(kept, item.mesh)) continue;
      ++left_out;
      StreamOptions alone{.appearance = options.appearance};
      alone.items = std::span(&item, 1);
      const DrawStream stream = streamed(character, posed, alone);
      // No vertex is inside, and all are beyond one of the planes.
      std::array<bool, 6> all_beyond{};
      all_beyond.fill(true);
      for (std::size_t vertex = 0; vertex < stream.vertices.size(); ++vertex) {
        const glm::vec4 clip =
            options.scene->world_to_clip *
            glm::vec4{stream.vertices[vertex].x, stream.vertices[vertex].y, stream.vertices_3d[vertex].z, 1};
        for (int plane = 0; plane < 6; ++plane) {
          const float along = clip[plane / 2] * (plane % 2 == 0 ? 1.0F : -1.0F);
          all_beyond[static_cast<std::size_t>(plane)] &= along > clip.w;
        }
      }
      REQUIRE(std::ranges::find(all_beyond, true) != all_beyond.end());
    }
  }
  CHECK(left_out > 0);
}

TEST_CASE("a character that exceeds a maximum leaves the stream as it was", "[draw_stream]") {
  Arm arm(0);
  REQUIRE(arm.add_with({}));
  const auto vertices = static_cast<std::uint32_t>(arm.stream.vertices.size());
  const auto indices = static_cast<std::uint32_t>(arm.stream.indices.size());
  SkinData one_image;
  part_of(one_image, kBadge).image = ImageId{0};
  arm.stream.clear();
  REQUIRE(arm.add_with({.skin = &one_image, .max_vertices = vertices, .max_indices = indices}));
  const DrawStream before = arm.stream;
  for (const StreamOptions& options : {StreamOptions{.skin = &one_image, .max_vertices = 2 * vertices - 1},
                                       StreamOptions{.skin = &one_image, .max_indices = 2 * indices - 1}}) {
    CHECK_FALSE(arm.add_with(options));
    CHECK(arm.stream.vertices == before.vertices);
    CHECK(arm.stream.indices == before.indices);
    CHECK(arm.stream.commands == before.commands);
  }
  CHECK(arm.add_with({.skin = &one_image, .max_vertices = 2 * vertices, .max_indices = 2 * indices}));
  CHECK(arm.stream.commands == std::vector<StreamCommand>{{0, ImageId{0}, 0, 2 * indices}});
}

TEST_CASE("a draw stream's depths and normals are those of the skinned and placed 3D vertices", "[draw_stream]") {
  const Character character = load_asset("koi/koi.psk");
  PoseBuffers posed;
  pose_clip(character, ClipId{0}, ClipTime{3, 3, 0}, posed);
  const bool mirrors = GENERATE(false, true);
  const Affine where = placement({10, -4}, 25, 1.5F, mirrors);
  const DrawStream stream = streamed(character, posed, {.appearance = {where}});
  REQUIRE(stream.vertices_3d.size() == stream.vertices.size());
  std::vector<Vec3> points(character.vertices().size());
  deform(character.vertices(), character.vertices_3d(), posed.palette_3d, points);
  std::size_t next = 0;
  for (const DrawItem& item : posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    for (std::size_t i = mesh.first_vertex; i < std::size_t{mesh.first_vertex} + mesh.vertex_count; ++i, ++next) {
      const Vec2 placed = apply(where, {points[i].x, points[i].y});
      REQUIRE(stream.vertices[next].x == Approx(placed.x).margin(1e-3));
      REQUIRE(stream.vertices[next].y == Approx(placed.y).margin(1e-3));
      REQUIRE(stream.vertices_3d[next].z == points[i].z);
      REQUIRE(glm::length(stream.vertices_3d[next].normal) == Approx(1).margin(1e-4));
    }
  }
  // In the bind pose and unplaced, normals are the character's own.
  pose_bind(character, posed);
  const DrawStream bind = streamed(character, posed, {});
  next = 0;
  for (const DrawItem& item : posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    for (std::size_t i = mesh.first_vertex; i < std::size_t{mesh.first_vertex} + mesh.vertex_count; ++i, ++next) {
      REQUIRE(glm::distance(bind.vertices_3d[next].normal, character.vertices_3d()[i].normal) < 0.01F);
    }
  }
}

TEST_CASE("normals turn with the placement", "[draw_stream]") {
  const Character character = load_asset("koi/koi.psk");
  PoseBuffers posed;
  pose_bind(character, posed);
  const DrawStream plain = streamed(character, posed, {});
  const DrawStream turned = streamed(character, posed, {.appearance = {placement({0, 0}, 90)}});
  const DrawStream mirrored = streamed(character, posed, {.appearance = {placement({0, 0}, 0, 2, true)}});
  for (std::size_t i = 0; i < plain.vertices_3d.size(); ++i) {
    const Vec3 normal = plain.vertices_3d[i].normal;
    REQUIRE(glm::distance(turned.vertices_3d[i].normal, Vec3{-normal.y, normal.x, normal.z}) < 1e-4F);
    // Twice the size in x and y, so less toward the viewer.
    const Vec3 flipped = glm::normalize(Vec3{-2 * normal.x, 2 * normal.y, normal.z});
    REQUIRE(glm::distance(mirrored.vertices_3d[i].normal, flipped) < 1e-4F);
  }
}

TEST_CASE("2D characters face the viewer at depth 0 in a stream with depths", "[draw_stream]") {
  Arm arm(0);
  arm.stream.with_3d = true;
  arm.add_with({});
  CHECK(arm.stream.vertices_3d == std::vector(arm.stream.vertices.size(), Vertex3D{}));
  arm.stream.clear();
  CHECK(arm.stream.vertices_3d.empty());
  CHECK(arm.stream.with_3d);
}

TEST_CASE("linear light decodes tints before premultiplying them", "[draw_stream]") {
  Arm arm(0);
  const auto decoded = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  for (int i = 0; i <= 255; ++i) {
    const float value = static_cast<float>(i) / 255;
    arm.stream.clear();
    arm.add_with({.appearance = {kIdentity, {value, 1, 0, 0.8F}}, .linear_light = true});
    const auto expected = static_cast<std::uint8_t>(std::lround(decoded(double{value}) * 0.8 * 255));
    CHECK(arm.stream.vertices.front().color == Color{expected, 204, 0, 204});
  }
}

TEST_CASE("looks are premultiplied, and added colors blend with an alpha of 0", "[draw_stream]") {
  Arm arm(0);
  arm.stream.with_looks = true;
  Appearance appearance;
  appearance.tint = {1, 0.5F, 1, 0.5F};
  appearance.dark_tint = {0.2F, 0, 0};
  appearance.additive = {0, 1, 0.4F};
  arm.add_with({.appearance = appearance});
  REQUIRE(arm.stream.looks.size() == arm.stream.vertices.size());
  CHECK(arm.stream.vertices.front().color == Color{128, 64, 128, 128});
  CHECK(arm.stream.looks.front() == StreamLook{{26, 0, 0, 128}, {0, 128, 51, 0}});
  appearance.blend = Blend::add;
  arm.add_with({.appearance = appearance});
  CHECK(arm.stream.vertices.back().color == Color{128, 64, 128, 0});
  CHECK(arm.stream.looks.back() == StreamLook{{26, 0, 0, 128}, {0, 128, 51, 0}});
}

TEST_CASE("blend modes of instances, skins and items divide the commands", "[draw_stream]") {
  Arm arm(0);
  SkinData skin;
  part_of(skin, kBadge).image = ImageId{0};
  const auto blends = [&](Blend of_instance, Blend of_badge) {
    part_of(skin, kBadge).blend = of_badge;
    arm.stream.clear();
    Appearance appearance;
    appearance.blend = of_instance;
    arm.add_with({.appearance = appearance, .skin = &skin});
    std::vector<Blend> result;
    for (const StreamCommand& command : arm.stream.commands) result.push_back(command.blend);
    return result;
  };
  using List = std::vector<Blend>;
  CHECK(blends(Blend::normal, Blend::normal) == List{Blend::normal});
  CHECK(blends(Blend::normal, Blend::add) == List{Blend::normal});
  CHECK(blends(Blend::add, Blend::normal) == List{Blend::normal});
  CHECK(blends(Blend::normal, Blend::screen) == List{Blend::normal, Blend::screen});
  CHECK(blends(Blend::multiply, Blend::normal) == List{Blend::multiply});
  CHECK(blends(Blend::multiply, Blend::screen) == List{Blend::multiply, Blend::screen});
}

TEST_CASE("something can be placed between two meshes of a draw stream", "[draw_stream]") {
  Arm arm(0);
  const Character quad = build(sliding_quad());
  PoseBuffers quad_posed;
  pose_bind(quad, quad_posed);
  const std::span<const DrawItem> list = arm.posed.draw_list;
  const std::size_t place = find_place(arm.character, arm.posed, {kBadge, true});
  REQUIRE(place == 1);
  arm.add_with({.items = list.first(place)});
  append_draw_stream(quad, quad_posed, {.source = 1}, arm.stream);
  arm.add_with({.items = list.subspan(place)});
  CHECK(arm.stream.commands ==
        std::vector<StreamCommand>{{0, ImageId{0}, 0, 48}, {1, ImageId{0}, 48, 6}, {0, ImageId{1}, 54, 6}});
  arm.stream.clear();
  arm.add_with({.items = std::span<const DrawItem>()});
  CHECK(arm.stream.commands.empty());
}

std::vector<std::uint32_t> meshes_of(const DrawList& list) {
  std::vector<std::uint32_t> meshes;
  for (const DrawItem& item : list) meshes.push_back(static_cast<std::uint32_t>(item.mesh));
  return meshes;
}

/// Returns the draw lists of a few frames of every clip, as text.
std::string draw_stream(const Character& character) {
  std::string text;
  PoseBuffers posed;
  for (const ClipId clip : character.clips().ids()) {
    const std::uint32_t count = character.clips()[clip].frame_count;
    for (const std::uint32_t frame : {0U, count / 3, 2 * count / 3}) {
      pose_clip(character, clip, {frame, frame, 0}, posed);
      text += "clip \"" + character.clips()[clip].name + "\" frame " + std::to_string(frame) + "\n";
      text += describe(character, posed.pose.frame(0, character.bones().size()), posed.draw_list);
    }
  }
  return text;
}

TEST_CASE("meshes are drawn in ascending z order, with file order among equals", "[draw_list]") {
  CharacterData data;
  data.images.push_back(plain_image(1, 1, {255, 255, 255, 255}));
  const int orders[] = {3, -2, 3, 0, -32768, 3, 40000};
  for (std::uint16_t i = 0; i < std::size(orders); ++i) {
    data.bones.push_back({"bone", BoneId::none});
    add_quad(data, "quad", 0, {{0, 0}, {1, 1}}, i);
  }
  Clip clip = resting_clip("bind", 1, std::size(orders));
  clip.samples.z_order.assign(std::begin(orders), std::end(orders));
  data.clips.push_back(std::move(clip));
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  PoseBuffers posed;
  pose_clip(*character, ClipId{0}, {}, posed);
  CHECK(meshes_of(posed.draw_list) == std::vector<std::uint32_t>{4, 1, 3, 0, 2, 5, 6});
}

TEST_CASE("previous contents of a draw list do not change the result", "[draw_list]") {
  const auto character = Character::build(two_bone_arm());
  REQUIRE(character);
  const PoseView pose = character->clips()[1].samples.frame(0, 3);
  const DrawList before[] = {{},
                             {{MeshId{0}, 1}},
                             {{MeshId{0}, 1}, {MeshId{0}, 1}},
                             {{MeshId{1}, 1}, {MeshId{0}, 1}},
                             {{MeshId{0}, 0.5F}, {MeshId{1}, 0.5F}},
                             {{MeshId{0}, 1}, {MeshId{7}, 1}},
                             {{MeshId{0}, 1}, {MeshId{1}, 1}, {MeshId{2}, 1}}};
  for (DrawList list : before) {
    build_draw_list(*character, pose, list);
    CHECK(meshes_of(list) == std::vector<std::uint32_t>{0, 1});
    CHECK(list[0].opacity == 1);
    CHECK(list[1].opacity == 1);
  }
}

TEST_CASE("only its governing bone hides a mesh", "[draw_list]") {
  const auto character = Character::build(two_bone_arm());
  REQUIRE(character);
  PoseBuffers posed;
  pose_clip(*character, ClipId{1}, {1, 1, 0}, posed);
  CHECK(meshes_of(posed.draw_list) == std::vector<std::uint32_t>{0});
  posed.pose.visible = {1, 0, 1};  // Bone 0 governs the strip.
  update(*character, posed);
  CHECK(meshes_of(posed.draw_list) == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("the opacity of the governing bone reaches the draw list", "[draw_list]") {
  const auto character = Character::build(two_bone_arm());
  REQUIRE(character);
  PoseBuffers posed;
  pose_bind(*character, posed);
  posed.pose.opacity[2] = 0.25F;
  update(*character, posed);
  CHECK(posed.draw_list[0].opacity == 1);
  CHECK(posed.draw_list[1].opacity == 0.25F);
}

TEST_CASE("a character without bones draws its meshes in file order", "[draw_list]") {
  CharacterData data;
  data.images.push_back(plain_image(1, 1, {255, 255, 255, 255}));
  add_quad(data, "a", 0, {{0, 0}, {1, 1}}, 0);
  add_quad(data, "b", 0, {{0, 0}, {1, 1}}, 0);
  for (auto& vertex : data.vertices) vertex.weights[0] = 0;
  const auto character = Character::build(std::move(data));
  REQUIRE(character);
  PoseBuffers posed;
  pose_bind(*character, posed);
  CHECK(meshes_of(posed.draw_list) == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("the draw lists of the samples match their golden files", "[draw_list][golden]") {
  for (const std::string name : {"quad", "corners", "kiri"}) {
    const auto character = load_character(asset(name + ".pchr"));
    REQUIRE(character);
    const std::string actual = draw_stream(*character);
    const auto reference = golden(name + ".draws");
    if (updating_goldens()) std::ofstream(reference) << actual;
    CHECK(actual == read_text(reference));
  }
}

}  // namespace
}  // namespace draw_stream_test
