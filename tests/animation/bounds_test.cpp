// SPDX-License-Identifier: MIT
#include <pchr/queries.hpp>

#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace bounds_test {
using namespace pchr;
using namespace pchr::test;

namespace {

bool same(const Rect& a, const Rect& b) { return (a.empty() && b.empty()) || (a.min == b.min && a.max == b.max); }

/// Computes the bounds of a clip vertex by vertex.
struct ClipReach {
  std::vector<Rect> frames;
  std::vector<Rect> meshes;
  Rect whole;
};

ClipReach reach_of(const Character& character, ClipId clip) {
  ClipReach reach;
  reach.meshes.resize(character.meshes().size());
  PoseBuffers posed;
  for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; ++frame) {
    pose_clip(character, clip, {frame, frame, 0}, posed);
    Rect& shown = reach.frames.emplace_back();
    for (const DrawItem& item : posed.draw_list) {
      const auto vertices = character.vertices(character.meshes()[item.mesh]);
      std::vector<Vec2> points(vertices.size());
      deform(vertices, posed.palette, points);
      for (const Vec2 point : points) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
        shown.include(point);
        reach.meshes[index(item.mesh)].include(point);
        reach.whole.include(point);
      }
    }
  }
  return reach;
}

void check_clip(const Character& character, ClipId clip) {
  const ClipReach reach = reach_of(character, clip);
  PoseBuffers posed;
  int wrong = 0;
  for (std::uint32_t frame = 0; frame < reach.frames.size(); ++frame) {
    wrong += !same(compute_frame_bounds(character, clip, frame), reach.frames[frame]);
    pose_clip(character, clip, {frame, frame, 0}, posed);
    wrong += !same(bounds(character, posed), reach.frames[frame]);
  }
  CHECK(wrong == 0);
  for (const MeshId mesh : character.meshes().ids()) {
    INFO("mesh " << index(mesh));
    CHECK(same(compute_mesh_bounds(character, clip, mesh), reach.meshes[index(mesh)]));
  }
  CHECK(same(compute_clip_bounds(character, clip), reach.whole));
}

}  // namespace

TEST_CASE("bounds contain every skinned vertex of every frame and touch one on each side", "[bounds]") {
  auto files = conformance_characters();
  for (const char* name : {"kiri.pchr", "corners.pchr", "quad.pchr"}) files.push_back(asset(name));
  for (const auto& file : files) {
    INFO(file.filename().string());
    const Character character = load_character(file).value();
    Rect all;
    for (const ClipId clip : character.clips().ids()) {
      INFO("clip " << index(clip));
      check_clip(character, clip);
      all.include(compute_clip_bounds(character, clip));
    }
    CHECK(same(compute_character_bounds(character), all));
  }
}

TEST_CASE("mesh bounds cover only the frames that show the mesh", "[bounds]") {
  CharacterData data = sliding_quad();
  for (std::uint8_t& visible : data.clips[1].samples.visible) visible = 0;
  data.clips[1].samples.visible[1] = 1;
  data.clips.push_back(resting_clip("hidden", 3, 1));
  data.clips[2].samples.visible.assign(3, 0);
  const Character character = build(std::move(data));
  CHECK(same(compute_mesh_bounds(character, ClipId{1}, MeshId{0}), {{-4, -8}, {12, 8}}));
  CHECK(same(compute_clip_bounds(character, ClipId{1}), {{-4, -8}, {12, 8}}));
  CHECK(compute_frame_bounds(character, ClipId{1}, 0).empty());
  CHECK(same(compute_frame_bounds(character, ClipId{1}, 1), {{-4, -8}, {12, 8}}));
  CHECK(compute_mesh_bounds(character, ClipId{2}, MeshId{0}).empty());
  CHECK(compute_clip_bounds(character, ClipId{2}).empty());
}

TEST_CASE("a posed mesh has bounds even if it is hidden", "[bounds]") {
  const Character character = build(sliding_quad());
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {2, 2, 0}, posed);
  posed.pose.visible[0] = 0;
  update(character, posed);
  CHECK(bounds(character, posed).empty());
  CHECK(same(mesh_bounds(character, posed, MeshId{0}), {{0, -8}, {16, 8}}));
}

TEST_CASE("vertices that overflow are ignored", "[bounds]") {
  CharacterData data = sliding_quad();
  // The bone's x in one frame. The two right corners overflow, and their finite y does not count either.
  data.clips[1].samples.x[3] = std::numeric_limits<float>::max();
  data.clips[1].samples.scale_x[3] = 1e37F;
  data.clips[1].samples.scale_y[3] = 3;
  const Character character = build(std::move(data));
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {3, 3, 0}, posed);
  std::vector<Vec2> points(4);
  deform(character.vertices(), posed.palette, points);
  Rect finite;
  int left_out = 0;
  for (const Vec2 point : points) {
    if (std::isfinite(point.x) && std::isfinite(point.y)) {
      finite.include(point);
    } else {
      ++left_out;
    }
  }
  REQUIRE(left_out == 2);
  CHECK(same(compute_frame_bounds(character, ClipId{1}, 3), finite));
}

TEST_CASE("clips without frames or bones still have bounds", "[bounds]") {
  CharacterData still = sliding_quad();
  still.clips = {resting_clip("empty", 0, 1)};
  const Character frozen = build(std::move(still));
  // It shows the bind pose.
  CHECK(same(compute_clip_bounds(frozen, ClipId{0}), {{-8, -8}, {8, 8}}));
  CHECK(same(compute_mesh_bounds(frozen, ClipId{0}, MeshId{0}), {{-8, -8}, {8, 8}}));
  CHECK(same(compute_character_bounds(frozen), {{-8, -8}, {8, 8}}));

  CharacterData boneless;
  boneless.images = {plain_image(1, 1, {255, 255, 255, 255})};
  add_quad(boneless, "quad", 0, {{-3, -3}, {3, 3}}, 0);
  for (Vertex& vertex : boneless.vertices) vertex.weights[0] = 0;
  boneless.clips = {resting_clip("long", 4'000'000'000, 0)};
  const Character plain = build(std::move(boneless));
  // No bone moves its vertices, so all are at the origin.
  CHECK(same(compute_frame_bounds(plain, ClipId{0}, 3'999'999'999), {{0, 0}, {0, 0}}));
  CHECK(same(compute_mesh_bounds(plain, ClipId{0}, MeshId{0}), {{0, 0}, {0, 0}}));
}

TEST_CASE("the bounds of a large mesh cover all its vertices", "[bounds]") {
  CharacterData data = sliding_quad();
  // Each count ends at a different place in a skinning block. The last vertex reaches farthest.
  for (const std::uint32_t count : {1U, 2U, 3U, 1023U, 1024U, 1025U, 2049U}) {
    data.vertices.assign(count, Vertex{1, 2, 0, 0, {}, {1, 0, 0, 0}});
    data.vertices.back().x = 50;
    data.vertices.back().y = -70;
    data.indices.clear();
    data.meshes[0].vertex_count = count;
    data.meshes[0].index_count = 0;
    const Character character = build(data);
    INFO(count);
    CHECK(same(compute_frame_bounds(character, ClipId{0}, 0),
               count == 1 ? Rect{{50, -70}, {50, -70}} : Rect{{1, -70}, {50, 2}}));
  }
}

TEST_CASE("bounds over many frames equal those of every vertex", "[bounds]") {
  std::minstd_rand random(1);
  const auto between = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() % 4096) / 4096;
  };
  constexpr std::uint32_t kBones = 12, kFrames = 24;
  // Small meshes that are neighbors are skinned together.
  const auto [mesh_count, vertex_count] =
      GENERATE(std::pair(8U, 150U), std::pair(60U, 4U), std::pair(60U, 5U), std::pair(90U, 1U));
  CharacterData data;
  data.images = {plain_image(1, 1, {255, 255, 255, 255})};
  for (std::int32_t bone = 0; bone < std::int32_t{kBones}; ++bone) data.bones.push_back({"bone", BoneId(bone / 2 - 1)});
  for (std::uint32_t mesh = 0; mesh < mesh_count; ++mesh) {
    data.meshes.push_back({"mesh", ImageId{0}, mesh * vertex_count, vertex_count, 0, 0});
    for (std::uint32_t i = 0; i < vertex_count; ++i) {
      // From one bone per mesh to any, and weights with a sum of 1, other sums, and negative ones.
      const auto bone = [&] { return static_cast<std::uint16_t>((mesh + random() % (2 * mesh + 1)) % kBones); };
      Vertex vertex{between(0, 40), between(0, 40), 0, 0, {bone(), bone(), bone(), bone()}, {}};
      vertex.weights[0] = mesh == 5 ? -0.5F : between(0.5F, 1);
      vertex.weights[1] = mesh == 4 ? between(0, 3) : 1 - vertex.weights[0];
      data.vertices.push_back(vertex);
    }
  }
  Clip clip = resting_clip("clip", kFrames, kBones);
  for (std::size_t i = 0; i < clip.samples.x.size(); ++i) {
    clip.samples.x[i] = between(-100, 100);
    clip.samples.y[i] = between(-100, 100);
    clip.samples.rotation_degrees[i] = between(-180, 180);
    clip.samples.visible[i] = random() % 4 != 0;
  }
  // Some vertices overflow in two of the frames.
  clip.samples.scale_x[8 * kBones + 3] = 3e38F;
  clip.samples.scale_y[9 * kBones + 7] = 1e37F;
  data.clips = {clip};
  const Character character = build(std::move(data));
  check_clip(character, ClipId{0});
}

}  // namespace bounds_test
