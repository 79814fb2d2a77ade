// SPDX-License-Identifier: MIT
// Options of draw streams: culling, maximums, depth and normals, looks, linear light, parts of a draw list.
#include "support/catch.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/draw_list.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace stream_options_test {
using namespace pchr;

namespace {

Character asset(const std::string& name) {
  auto character = load_character(test::asset(name));
  REQUIRE(character);
  return *character;
}

Character build(CharacterData data) {
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

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
  without_culling.scene.reset();
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

constexpr MeshId kStrip{0}, kBadge{1};

struct Arm {
  Character character = build(test::two_bone_arm());
  PoseBuffers posed;
  DrawStream stream;

  Arm() { pose_clip(character, ClipId{1}, ClipTime{}, posed); }
  bool add(const StreamOptions& options) { return append_draw_stream(character, posed, options, stream); }
};

using Color = std::array<std::uint8_t, 4>;

}  // namespace

TEST_CASE("a draw stream leaves out only meshes that the camera does not see, and keeps the order", "[draw_stream]") {
  const Character character = asset("kiri.pchr");
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
  CharacterData data = test::two_bone_arm();
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
  const Character character = asset("kiri.pchr");
  PoseBuffers posed;
  pose_bind(character, posed);
  const Camera camera{{0, 0}, 1, {800, 600}};
  CHECK(streamed(character, posed, {.appearance = {placement({5000, 0})}, .camera = camera}).vertices.empty());
  CHECK_FALSE(streamed(character, posed, {.appearance = {placement({100, 0})}, .camera = camera}).vertices.empty());
}

TEST_CASE("a scene's view leaves out only meshes of a 3D character outside its frustum", "[draw_stream]") {
  const Character character = asset("koi/koi.psk");
  PoseBuffers posed;
  pose_clip(character, ClipId{0}, ClipTime{}, posed);
  OrbitCamera orbit = fit({.viewport = {400, 300}}, box_of(character, posed));
  std::size_t left_out = 0;
  for (int i = 0; i < 36; ++i) {
    orbit.yaw_degrees = static_cast<float>(i) * 20;
    orbit.pitch_degrees = static_cast<float>(i % 5 - 2) * 25;
    orbit.target.x = static_cast<float>(i % 4 - 1) * orbit.distance;
    const StreamOptions options{.appearance = {placement({0, 0}, 0, 1, i % 2 == 0)}, .scene = scene_view(orbit)};
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
  Arm arm;
  REQUIRE(arm.add({}));
  const auto vertices = static_cast<std::uint32_t>(arm.stream.vertices.size());
  const auto indices = static_cast<std::uint32_t>(arm.stream.indices.size());
  SkinData one_image;
  part_of(one_image, kBadge).image = ImageId{0};
  arm.stream.clear();
  REQUIRE(arm.add({.skin = &one_image, .max_vertices = vertices, .max_indices = indices}));
  const DrawStream before = arm.stream;
  for (const StreamOptions& options : {StreamOptions{.skin = &one_image, .max_vertices = 2 * vertices - 1},
                                       StreamOptions{.skin = &one_image, .max_indices = 2 * indices - 1}}) {
    CHECK_FALSE(arm.add(options));
    CHECK(arm.stream.vertices == before.vertices);
    CHECK(arm.stream.indices == before.indices);
    CHECK(arm.stream.commands == before.commands);
  }
  CHECK(arm.add({.skin = &one_image, .max_vertices = 2 * vertices, .max_indices = 2 * indices}));
  CHECK(arm.stream.commands == std::vector<StreamCommand>{{0, ImageId{0}, 0, 2 * indices}});
}

TEST_CASE("a draw stream's depths and normals are those of the skinned and placed 3D vertices", "[draw_stream]") {
  const Character character = asset("koi/koi.psk");
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
  const Character character = asset("koi/koi.psk");
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
  Arm arm;
  arm.stream.with_3d = true;
  arm.add({});
  CHECK(arm.stream.vertices_3d == std::vector(arm.stream.vertices.size(), Vertex3D{}));
  arm.stream.clear();
  CHECK(arm.stream.vertices_3d.empty());
  CHECK(arm.stream.with_3d);
}

TEST_CASE("linear light decodes tints before premultiplying them", "[draw_stream]") {
  Arm arm;
  const auto decoded = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  for (int i = 0; i <= 255; ++i) {
    const float value = static_cast<float>(i) / 255;
    arm.stream.clear();
    arm.add({.appearance = {kIdentity, {value, 1, 0, 0.8F}}, .linear_light = true});
    const auto expected = static_cast<std::uint8_t>(std::lround(decoded(double{value}) * 0.8 * 255));
    CHECK(arm.stream.vertices.front().color == Color{expected, 204, 0, 204});
  }
}

TEST_CASE("looks are premultiplied, and added colors blend with an alpha of 0", "[draw_stream]") {
  Arm arm;
  arm.stream.with_looks = true;
  Appearance appearance;
  appearance.tint = {1, 0.5F, 1, 0.5F};
  appearance.dark_tint = {0.2F, 0, 0};
  appearance.additive = {0, 1, 0.4F};
  arm.add({.appearance = appearance});
  REQUIRE(arm.stream.looks.size() == arm.stream.vertices.size());
  CHECK(arm.stream.vertices.front().color == Color{128, 64, 128, 128});
  CHECK(arm.stream.looks.front() == StreamLook{{26, 0, 0, 128}, {0, 128, 51, 0}});
  appearance.blend = Blend::add;
  arm.add({.appearance = appearance});
  CHECK(arm.stream.vertices.back().color == Color{128, 64, 128, 0});
  CHECK(arm.stream.looks.back() == StreamLook{{26, 0, 0, 128}, {0, 128, 51, 0}});
}

TEST_CASE("blend modes of instances, skins and items divide the commands", "[draw_stream]") {
  Arm arm;
  SkinData skin;
  part_of(skin, kBadge).image = ImageId{0};
  const auto blends = [&](Blend of_instance, Blend of_badge) {
    part_of(skin, kBadge).blend = of_badge;
    arm.stream.clear();
    Appearance appearance;
    appearance.blend = of_instance;
    arm.add({.appearance = appearance, .skin = &skin});
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
  Arm arm;
  const Character quad = build(test::sliding_quad());
  PoseBuffers quad_posed;
  pose_bind(quad, quad_posed);
  const std::span<const DrawItem> list = arm.posed.draw_list;
  const std::size_t place = find_place(arm.character, arm.posed, {kBadge, true});
  REQUIRE(place == 1);
  arm.add({.items = list.first(place)});
  append_draw_stream(quad, quad_posed, {.source = 1}, arm.stream);
  arm.add({.items = list.subspan(place)});
  CHECK(arm.stream.commands ==
        std::vector<StreamCommand>{{0, ImageId{0}, 0, 48}, {1, ImageId{0}, 48, 6}, {0, ImageId{1}, 54, 6}});
  arm.stream.clear();
  arm.add({.items = std::span<const DrawItem>()});
  CHECK(arm.stream.commands.empty());
}

}  // namespace stream_options_test
