// SPDX-License-Identifier: MIT
// Compares what a GPU computes from the exported buffers, by the mathematics of the vertex shaders, with CPU skinning.
#include "support/catch.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/3d.hpp>
#include <pchr/gpu.hpp>
#include <pchr/queries.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace gpu_test {
using namespace pchr;
using namespace pchr::test;

namespace {

using Four = std::array<float, 4>;

/// What character.vert and character_3d.vert compute for a vertex, before placement.
struct Shaded {
  Vec3 position{0.0F};
  Vec3 normal{0.0F};
  float opacity = 1;
};

/// Memory as a GPU sees it, and its reads from there.
struct Gpu {
  std::vector<std::byte> vertices, depths, texels;
  std::int32_t bones_per_row = 0;
  bool is_3d = false;

  template <typename T>
  [[nodiscard]] static T read(const std::vector<std::byte>& buffer, std::size_t offset) {
    if (offset + sizeof(T) > buffer.size()) throw std::out_of_range("a GPU would read past the end of a buffer");
    T value;
    std::memcpy(static_cast<void*>(&value), &buffer[offset], sizeof(T));
    return value;
  }

  [[nodiscard]] Four fetch(std::size_t texel, std::uint32_t row) const {
    const Four near = read<Four>(texels, texel * sizeof(Four));
    const float factor = static_cast<float>(row & 2047U) / 2048;
    if (factor == 0) return near;
    const auto next = texel + 2 * static_cast<std::size_t>(bones_per_row);
    const Four far = read<Four>(texels, next * sizeof(Four));
    Four mixed{};
    for (std::size_t i = 0; i < 4; ++i) mixed[i] = near[i] + (far[i] - near[i]) * factor;
    return mixed;
  }

  [[nodiscard]] Shaded shade(std::uint32_t vertex, std::uint32_t row) const {
    const std::size_t start = std::size_t{40} * vertex;
    const auto position_uv = read<Four>(vertices, start);
    const auto bones = read<std::array<std::uint16_t, 4>>(vertices, start + 16);
    const auto weights = read<Four>(vertices, start + 24);
    Shaded out;
    const std::size_t first = 2 * std::size_t{row >> 11};
    if (is_3d) {
      const auto depth = read<Four>(depths, std::size_t{16} * vertex);
      for (std::size_t slot = 0; slot < 4; ++slot) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const Four matrix_row = fetch(first + std::size_t{3} * bones[slot] + axis, row);
          out.position[static_cast<int>(axis)] +=
              weights[slot] * (matrix_row[0] * position_uv[0] + matrix_row[1] * position_uv[1] +
                               matrix_row[2] * depth[0] + matrix_row[3]);
          out.normal[static_cast<int>(axis)] +=
              weights[slot] * (matrix_row[0] * depth[1] + matrix_row[1] * depth[2] + matrix_row[2] * depth[3]);
        }
      }
      return out;
    }
    for (std::size_t slot = 0; slot < 4; ++slot) {
      const std::size_t texel = first + std::size_t{2} * bones[slot];
      const Four columns = fetch(texel, row), rest = fetch(texel + 1, row);
      out.position.x += weights[slot] * (columns[0] * position_uv[0] + columns[2] * position_uv[1] + rest[0]);
      out.position.y += weights[slot] * (columns[1] * position_uv[0] + columns[3] * position_uv[1] + rest[1]);
      if (slot == 0) out.opacity = rest[2];
    }
    return out;
  }
};

template <typename T>
std::vector<std::byte> bytes_of(std::span<const T> elements) {
  const auto bytes = std::as_bytes(elements);
  return {bytes.begin(), bytes.end()};
}

Gpu upload(const Character& character, const GpuGeometry& geometry, std::span<const BoneTexels> texels) {
  return {bytes_of<Vertex>(geometry.vertices), bytes_of(character.vertices_3d()), bytes_of(texels),
          static_cast<std::int32_t>(geometry.layout.row_bones()), character.is_3d()};
}

struct Corner {
  ImageId image{};
  Vec3 position{0.0F};
  float opacity = 1;
};

/// Returns the corners of all triangles that a renderer draws for a place in the palettes.
std::vector<Corner> drawn(const Gpu& gpu, const GpuGeometry& geometry, std::span<const IndexRange> ranges,
                          std::uint32_t row) {
  std::vector<Corner> corners;
  for (const IndexRange& range : ranges) {
    for (const std::uint32_t vertex : std::span(geometry.indices).subspan(range.first_index, range.index_count)) {
      const Shaded shaded = gpu.shade(vertex, row);
      corners.push_back({range.image, shaded.position, shaded.opacity});
    }
  }
  return corners;
}

/// Returns the corners of all triangles of a posed character.
std::vector<Corner> expected(const Character& character, const PoseBuffers& posed) {
  std::vector<Corner> corners;
  for (const DrawItem& item : posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    std::vector<Vec3> points(mesh.vertex_count);
    if (character.is_3d()) {
      deform(character.vertices(mesh), character.vertices_3d().subspan(mesh.first_vertex, mesh.vertex_count),
             posed.palette_3d, points);
    } else {
      std::vector<Vec2> flat(mesh.vertex_count);
      deform(character.vertices(mesh), posed.palette, flat);
      std::ranges::transform(flat, points.begin(), [](Vec2 point) { return Vec3{point.x, point.y, 0}; });
    }
    for (const std::uint16_t index : character.indices(mesh))
      corners.push_back({mesh.image, points[index], item.opacity});
  }
  return corners;
}

/// Returns the largest distance between corners, or infinity if anything else differs.
float largest_difference(std::span<const Corner> a, std::span<const Corner> b) {
  if (a.size() != b.size()) return HUGE_VALF;
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].image != b[i].image || std::abs(a[i].opacity - b[i].opacity) > 1e-5F) return HUGE_VALF;
    const Vec3 difference = a[i].position - b[i].position;
    largest = std::max({largest, std::abs(difference.x), std::abs(difference.y), std::abs(difference.z)});
  }
  return largest;
}

}  // namespace

TEST_CASE("the vertex shader's mathematics on exported data gives deform(), in all frames", "[gpu]") {
  const std::string name = GENERATE("kiri.pchr", "corners.pchr", "quad.pchr", "konpei/konpei.chp", "koi/koi.psk");
  INFO(name);
  const Character character = load_asset(name);
  const GpuGeometry geometry = make_gpu_geometry(character);
  PoseBuffers posed;
  std::size_t frames = 0;
  for (const ClipId clip : character.clips().ids()) {
    const auto palettes = bake_palettes(character, geometry, clip, Sampling::step);
    REQUIRE(palettes);
    REQUIRE(palettes->frames == character.clips()[clip].frame_count);
    const Gpu gpu = upload(character, geometry, palettes->texels);
    // Konpei has thousands of frames.
    const std::uint32_t stride = character.clips()[clip].frame_count > 150 ? 37 : 1;
    for (std::uint32_t frame = 0; frame < palettes->frames; frame += stride, ++frames) {
      pose_clip(character, clip, {frame, frame, 0}, posed);
      const auto row = find_row(*palettes, {frame, frame, 0});
      REQUIRE(row);
      const auto corners =
          drawn(gpu, geometry, geometry.draw_orders[row->draw_order].ranges, pack_row(geometry.layout, *row));
      REQUIRE(largest_difference(corners, expected(character, posed)) < 1e-3F);
    }
  }
  CHECK(frames > 0);
}

TEST_CASE("between frames, smooth palettes stay within a quarter pixel of the pose", "[gpu]") {
  const std::string name = GENERATE("kiri.pchr", "quad.pchr");
  INFO(name);
  const Character character = load_asset(name);
  const GpuGeometry geometry = make_gpu_geometry(character);
  PoseBuffers posed;
  std::size_t between = 0;
  for (const ClipId clip : character.clips().ids()) {
    const auto palettes = bake_palettes(character, geometry, clip, Sampling::smooth);
    REQUIRE(palettes);
    const Gpu gpu = upload(character, geometry, palettes->texels);
    for (int i = 0; i < 40; ++i) {
      const ClipTime time = clip_time(character.clips()[clip], 0.0317 * i, Sampling::smooth);
      pose_clip(character, clip, time, posed);
      const auto row = find_row(*palettes, time);
      REQUIRE(row);
      between += static_cast<std::size_t>(row->factor > 0);
      const auto corners =
          drawn(gpu, geometry, geometry.draw_orders[row->draw_order].ranges, pack_row(geometry.layout, *row));
      REQUIRE(largest_difference(corners, expected(character, posed)) < 0.25F);
    }
  }
  CHECK(between > 10);
}

TEST_CASE("a pose becomes a palette row that draws the meshes of its draw list", "[gpu]") {
  const std::string name = GENERATE("kiri.pchr", "konpei/konpei.chp", "koi/koi.psk");
  INFO(name);
  const Character character = load_asset(name);
  const GpuGeometry geometry = make_gpu_geometry(character);
  PoseBuffers posed;
  const auto last = ClipId(character.clips().size() - 1);
  sample(character, ClipId{0}, {}, posed.pose);
  blend(character, last, {}, 0.4F, posed.pose);
  update(character, posed);
  std::vector<BoneTexels> texels(geometry.layout.row_bones());
  write_palette_row(geometry.layout, posed, texels);
  const Gpu gpu = upload(character, geometry, texels);
  std::vector<Corner> corners;
  for (const DrawItem& item : posed.draw_list) {
    const IndexRange& mesh = geometry.meshes[index(item.mesh)];
    for (Corner corner : drawn(gpu, geometry, std::span(&mesh, 1), 0)) {
      corner.opacity *= item.opacity;
      corners.push_back(corner);
    }
  }
  CHECK_FALSE(corners.empty());
  CHECK(largest_difference(corners, expected(character, posed)) < 1e-3F);
}

TEST_CASE("palette rows of many requests are those of their poses", "[gpu]") {
  const std::string name = GENERATE("kiri.pchr", "koi/koi.psk");
  INFO(name);
  const Character character = load_asset(name);
  const PaletteLayout layout = make_gpu_geometry(character).layout;
  const auto last = ClipId(character.clips().size() - 1);
  std::vector<PoseRequest> requests;
  for (int i = 0; i < 11; ++i) requests.push_back({ClipId{0}, {}, last, {}, static_cast<float>(i) / 10});
  const std::size_t row_bones = layout.row_bones();
  std::vector<BoneTexels> rows(requests.size() * row_bones), row(row_bones);
  PoseBuffers scratch;
  write_palette_rows(character, layout, requests, scratch, rows);
  // Those of one pose do not have them.
  if (layout.with_opacity) {
    for (BoneTexels& bone : rows) bone.opacity = 1;
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    INFO("request " << i);
    PoseBuffers posed;
    sample(character, requests[i], posed.pose);
    update(character, posed);
    write_palette_row(layout, posed, row);
    CHECK(std::memcmp(row.data(), rows.data() + i * row_bones, row_bones * sizeof(BoneTexels)) == 0);
  }
}

TEST_CASE("palettes begin where the buffer has room for them", "[gpu]") {
  const Character character = build(two_bone_arm());
  const GpuGeometry geometry = make_gpu_geometry(character);
  const auto palettes = bake_palettes(character, geometry, ClipId{1}, Sampling::step);
  REQUIRE(palettes);
  std::vector<BoneTexels> buffer(100);
  buffer.insert(buffer.end(), palettes->texels.begin(), palettes->texels.end());
  const Gpu gpu = upload(character, geometry, buffer);
  const auto row = find_row(*palettes, {3, 3, 0});
  REQUIRE(row);
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, ClipTime{3, 3, 0}, posed);
  const auto corners =
      drawn(gpu, geometry, geometry.draw_orders[row->draw_order].ranges, pack_row(geometry.layout, *row, 100));
  CHECK(largest_difference(corners, expected(character, posed)) < 1e-4F);
}

TEST_CASE("a draw order lists its meshes and their indices without gaps", "[gpu]") {
  const Character character = load_asset("kiri.pchr");
  const GpuGeometry geometry = make_gpu_geometry(character);
  REQUIRE(geometry.draw_orders.size() > 1);
  for (const GpuDrawOrder& order : geometry.draw_orders) {
    std::vector<std::uint32_t> by_mesh, by_range;
    for (const MeshId mesh : order.meshes) {
      const IndexRange& own = geometry.meshes[index(mesh)];
      const auto indices = std::span(geometry.indices).subspan(own.first_index, own.index_count);
      by_mesh.insert(by_mesh.end(), indices.begin(), indices.end());
    }
    for (const IndexRange& range : order.ranges) {
      const auto indices = std::span(geometry.indices).subspan(range.first_index, range.index_count);
      by_range.insert(by_range.end(), indices.begin(), indices.end());
    }
    const auto whole = std::span(geometry.indices).subspan(order.first_index, by_mesh.size());
    CHECK(by_range == by_mesh);
    CHECK(std::ranges::equal(whole, by_mesh));
  }
}

TEST_CASE("the bounds of palettes contain every vertex that their rows draw", "[gpu]") {
  const Character character = load_asset("kiri.pchr");
  const GpuGeometry geometry = make_gpu_geometry(character);
  const ClipId walk = character.find_clip("walk");
  const auto palettes = bake_palettes(character, geometry, walk, Sampling::step);
  REQUIRE(palettes);
  REQUIRE(palettes->bounds.size() == palettes->frames);
  for (std::uint32_t frame = 0; frame < palettes->frames; ++frame) {
    CHECK(palettes->bounds[frame].max == compute_frame_bounds(character, walk, frame).max);
    CHECK(palettes->bounds[frame].min == compute_frame_bounds(character, walk, frame).min);
  }
}

TEST_CASE("times that palettes do not contain have no row", "[gpu]") {
  CharacterData data = two_bone_arm();
  data.clips[1].loop_start = 2;
  const Character character = build(data);
  const GpuGeometry geometry = make_gpu_geometry(character);
  const ClipId bend{1};
  const auto step = bake_palettes(character, geometry, bend, Sampling::step);
  const auto smooth = bake_palettes(character, geometry, bend, Sampling::smooth);
  REQUIRE(step);
  REQUIRE(smooth);
  CHECK(find_row(*step, {2, 3, 0}));
  CHECK_FALSE(find_row(*step, {2, 3, 0.5F}));
  const auto middle = find_row(*smooth, {2, 3, 0.5F});
  REQUIRE(middle);
  // Backward, the draw order is that of frame 3.
  const auto backward = find_row(*smooth, {3, 2, 0.5F});
  REQUIRE(backward);
  CHECK(backward->row == middle->row);
  CHECK(backward->factor == middle->factor);
  CHECK(static_cast<float>(middle->row) + middle->factor == 2.5F * static_cast<float>(smooth->rate.steps));
  // The loop goes from frame 7 to frame 2, which is not the row after it.
  CHECK_FALSE(find_row(*smooth, {7, 2, 0.5F}));
}

TEST_CASE("palettes beyond the memory limit, or too coarse for smooth playback, are not baked", "[gpu]") {
  const Character character = build(two_bone_arm());
  const GpuGeometry geometry = make_gpu_geometry(character);
  const std::uint64_t bytes = 8 * geometry.layout.row_bones() * sizeof(BoneTexels);
  CHECK(bake_palettes(character, geometry, ClipId{1}, Sampling::step, bytes));
  CHECK_FALSE(bake_palettes(character, geometry, ClipId{1}, Sampling::step, bytes - 1));

  CharacterData data = sliding_quad();
  for (Vertex& vertex : data.vertices) vertex.x *= 10'000;
  for (std::size_t frame = 0; frame < 4; ++frame) {
    data.clips[1].samples.rotation_degrees[frame] = 170 * static_cast<float>(frame % 2);
  }
  const Character spinning = build(data);
  const GpuGeometry of_spinning = make_gpu_geometry(spinning);
  CHECK(bake_palettes(spinning, of_spinning, ClipId{1}, Sampling::step));
  CHECK_FALSE(bake_palettes(spinning, of_spinning, ClipId{1}, Sampling::smooth));
}

TEST_CASE("the clip `none` bakes the bind pose, and a character without bones has one row", "[gpu]") {
  const Character arm = build(two_bone_arm());
  const GpuGeometry geometry = make_gpu_geometry(arm);
  const auto bind = bake_palettes(arm, geometry, ClipId::none, Sampling::smooth);
  REQUIRE(bind);
  CHECK(bind->frames == 1);
  CHECK(bind->texels.size() == geometry.layout.row_bones());
  CHECK(find_row(*bind, {5, 6, 0.5F}) == PaletteRow{0, 0, geometry.clip_draw_orders.back().front()});

  const Character nothing = build({});
  const GpuGeometry empty = make_gpu_geometry(nothing);
  CHECK(empty.vertices.empty());
  CHECK(empty.indices.empty());
  const auto palettes = bake_palettes(nothing, empty, ClipId::none, Sampling::step);
  REQUIRE(palettes);
  CHECK(palettes->texels.size() == 1);
}

}  // namespace gpu_test
