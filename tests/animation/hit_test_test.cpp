// SPDX-License-Identifier: MIT
#include <pchr/queries.hpp>

#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>
#include <pchr/draw_list.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <utility>

namespace hit_test_test {
using namespace pchr;
using namespace pchr::test;

namespace {

PoseBuffers posed_at(const Character& character, ClipId clip, std::uint32_t frame) {
  PoseBuffers posed;
  pose_clip(character, clip, {frame, frame, 0}, posed);
  return posed;
}

struct Point {
  double x = 0, y = 0;
};

/// The topmost fragment that a raster leaves at a point.
struct Fragment {
  MeshId mesh{};
  std::uint32_t triangle = 0;
  BoneId bone{};
  Point uv;
  std::uint8_t alpha = 0;

  [[nodiscard]] bool same_place(const Fragment& other) const {
    return mesh == other.mesh && triangle == other.triangle && bone == other.bone && alpha == other.alpha;
  }
};

/// Rasterizes a character on the CPU by scan lines, in double precision from the samples on, without using the library.
class Raster {
 public:
  Raster(const Character& character, std::span<const Bitmap> images, ClipId clip, std::uint32_t frame)
      : character_(character), images_(images) {
    const std::size_t bones = character.bones().size();
    pose_ = character.clips()[clip].samples.frame(frame, bones);
    for (std::size_t bone = 0; bone < bones; ++bone) {
      const double radians = pose_.rotation_degrees[bone] * std::acos(-1.0) / 180;
      const Matrix local{std::cos(radians) * pose_.scale_x[bone],
                         std::sin(radians) * pose_.scale_x[bone],
                         -std::sin(radians) * pose_.scale_y[bone],
                         std::cos(radians) * pose_.scale_y[bone],
                         pose_.x[bone],
                         pose_.y[bone]};
      const BoneId parent = character.bones()[bone].parent;
      world_.push_back(parent == BoneId::none ? local : times(world_[index(parent)], local));
      const Affine& inverse = character.inverse_bind()[bone];
      palette_.push_back(
          times(world_[bone], {inverse[0].x, inverse[0].y, inverse[1].x, inverse[1].y, inverse[2].x, inverse[2].y}));
    }
    for (const Vertex& vertex : character.vertices()) {
      Point sum;
      for (int slot = 0; slot < 4; ++slot) {
        if (vertex.weights[slot] == 0) continue;
        const Matrix& m = palette_[vertex.bones[slot]];
        sum.x += vertex.weights[slot] * (m.a * vertex.x + m.c * vertex.y + m.tx);
        sum.y += vertex.weights[slot] * (m.b * vertex.x + m.d * vertex.y + m.ty);
      }
      points_.push_back(sum);
    }
    for (const MeshId mesh : character.meshes().ids()) {
      const std::size_t bone = index(character.governing_bone(mesh));
      const bool opaque = pose_.opacity.empty() || pose_.opacity[bone] > 0;
      if (pose_.visible[bone] != 0 && opaque) order_.push_back(mesh);
    }
    std::ranges::sort(
        order_, {}, [&](MeshId mesh) { return std::pair(pose_.z_order[index(character.governing_bone(mesh))], mesh); });
  }

  /// Returns each mesh's last fragment at `point`, front to back.
  [[nodiscard]] std::vector<Fragment> at(Point point, int min_alpha) const {
    std::vector<Fragment> fragments;
    for (const MeshId mesh : order_) {
      const auto indices = character_.indices(character_.meshes()[mesh]);
      std::optional<Fragment> last;
      for (std::uint32_t triangle = 0; triangle < indices.size() / 3; ++triangle) {
        const auto fragment = scan(mesh, triangle, point);
        if (fragment && fragment->alpha >= min_alpha) last = fragment;
      }
      if (last) fragments.push_back(*last);
    }
    std::ranges::reverse(fragments);
    return fragments;
  }

 private:
  struct Matrix {
    double a, b, c, d, tx, ty;
  };
  /// Returns where an edge crosses the scan line.
  struct Crossing {
    double x = 0;
    std::size_t from = 0, to = 0;
    double along = 0;
  };

  static Matrix times(const Matrix& m, const Matrix& n) {
    return {m.a * n.a + m.c * n.b, m.b * n.a + m.d * n.b,          m.a * n.c + m.c * n.d,
            m.b * n.c + m.d * n.d, m.a * n.tx + m.c * n.ty + m.tx, m.b * n.tx + m.d * n.ty + m.ty};
  }

  [[nodiscard]] std::optional<Fragment> scan(MeshId mesh, std::uint32_t triangle, Point point) const {
    const Mesh& part = character_.meshes()[mesh];
    const std::uint16_t* corners = &character_.indices(part)[3 * triangle];
    std::vector<Crossing> crossings;
    for (std::size_t i = 0; i < 3; ++i) {
      const Point from = points_[part.first_vertex + corners[i]];
      const Point to = points_[part.first_vertex + corners[(i + 1) % 3]];
      if ((from.y <= point.y) == (to.y <= point.y)) continue;
      const double along = (point.y - from.y) / (to.y - from.y);
      crossings.push_back({from.x + along * (to.x - from.x), i, (i + 1) % 3, along});
    }
    if (crossings.size() != 2) return std::nullopt;
    if (crossings[0].x > crossings[1].x) std::swap(crossings[0], crossings[1]);
    if (point.x < crossings[0].x || point.x >= crossings[1].x) return std::nullopt;
    const double across = (point.x - crossings[0].x) / (crossings[1].x - crossings[0].x);
    double share[3] = {0, 0, 0};
    for (int side = 0; side < 2; ++side) {
      const double part_of_span = side == 0 ? 1 - across : across;
      share[crossings[side].from] += part_of_span * (1 - crossings[side].along);
      share[crossings[side].to] += part_of_span * crossings[side].along;
    }
    return shade(mesh, triangle, share);
  }

  [[nodiscard]] Fragment shade(MeshId mesh, std::uint32_t triangle, const double (&share)[3]) const {
    const Mesh& part = character_.meshes()[mesh];
    Fragment fragment{mesh, triangle, character_.governing_bone(mesh), {}, 0};
    std::map<BoneId, double> weights;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const Vertex& vertex = character_.vertices(part)[character_.indices(part)[3 * triangle + corner]];
      fragment.uv.x += share[corner] * vertex.u;
      fragment.uv.y += share[corner] * vertex.v;
      for (int slot = 0; slot < 4; ++slot) {
        if (vertex.weights[slot] != 0) weights[BoneId{vertex.bones[slot]}] += share[corner] * vertex.weights[slot];
      }
    }
    double max_weight = -std::numeric_limits<double>::max();
    for (const auto& [bone, weight] : weights) {
      if (weight > max_weight) fragment.bone = bone;
      max_weight = std::max(max_weight, weight);
    }
    const Bitmap& image = images_[index(part.image)];
    const auto texel = [](double coordinate, std::uint32_t size) {
      const auto index = static_cast<std::int64_t>(std::floor(coordinate * size));
      return static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, size - 1));
    };
    const std::size_t at = texel(fragment.uv.y, image.height) * image.width + texel(fragment.uv.x, image.width);
    fragment.alpha = image.rgba[4 * at + 3];
    return fragment;
  }

  const Character& character_;
  std::span<const Bitmap> images_;
  PoseView pose_;
  std::vector<Matrix> world_, palette_;
  std::vector<Point> points_;
  std::vector<MeshId> order_;
};

bool same_places(const std::vector<Fragment>& a, const std::vector<Fragment>& b) {
  return std::ranges::equal(a, b, [](const Fragment& x, const Fragment& y) { return x.same_place(y); });
}

/// Returns whether the raster gives the same result slightly to every side. Elsewhere, rounding decides.
bool is_clear(const Raster& raster, Point point, int min_alpha, const std::vector<Fragment>& expected) {
  constexpr double kStep = 2e-4;
  for (const Point step : {Point{kStep, 0}, Point{-kStep, 0}, Point{0, kStep}, Point{0, -kStep}}) {
    if (!same_places(raster.at({point.x + step.x, point.y + step.y}, min_alpha), expected)) return false;
  }
  return true;
}

bool agrees(const Hit& hit, const Fragment& fragment) {
  return fragment.same_place({hit.mesh, hit.triangle, hit.bone, {}, hit.alpha}) &&
         std::abs(hit.uv.x - fragment.uv.x) < 1e-4 && std::abs(hit.uv.y - fragment.uv.y) < 1e-4 &&
         std::abs(hit.barycentrics[0] + hit.barycentrics[1] + hit.barycentrics[2] - 1) < 1e-6;
}

bool agrees(const std::vector<Hit>& hits, const std::vector<Fragment>& fragments) {
  return std::ranges::equal(hits, fragments, [](const Hit& hit, const Fragment& at) { return agrees(hit, at); });
}

struct Tally {
  int checked = 0, hits = 0, stacked = 0, unclear = 0, wrong = 0;
};

/// Compares random points of one frame.
void compare(const Character& character, std::span<const Bitmap> images, std::span<const AlphaMask> masks, ClipId clip,
             std::uint32_t frame, int points, std::mt19937& random, Tally& tally) {
  const PoseBuffers posed = posed_at(character, clip, frame);
  const Rect area = bounds(character, posed);
  if (area.empty()) return;
  const Raster raster(character, images, clip, frame);
  std::uniform_real_distribution<float> x(area.min.x - 2, area.max.x + 2), y(area.min.y - 2, area.max.y + 2);
  std::vector<Hit> hits;
  for (int i = 0; i < points; ++i) {
    const Vec2 point{x(random), y(random)};
    const std::uint8_t min_alpha = i % 2 == 0 ? 128 : 1;
    const auto expected = raster.at({point.x, point.y}, min_alpha);
    if (!is_clear(raster, {point.x, point.y}, min_alpha, expected)) {
      ++tally.unclear;
      continue;
    }
    ++tally.checked;
    tally.hits += !expected.empty();
    tally.stacked += expected.size() > 1;
    hit_test_all(character, posed, images, point, hits, {min_alpha});
    const auto topmost = hit_test(character, posed, masks, point, {min_alpha});
    const bool top_agrees = topmost.has_value() == !expected.empty() && (!topmost || agrees(*topmost, expected[0]));
    tally.wrong += !agrees(hits, expected) || !top_agrees;
  }
}

Tally compare_character(const std::filesystem::path& file, int points_in_all) {
  const Character character = load_character(file).value();
  const auto images = decode_images(character).value();
  const auto masks = alpha_masks(character).value();
  std::vector<std::pair<ClipId, std::uint32_t>> frames;
  for (const ClipId clip : character.clips().ids()) {
    const std::uint32_t count = character.clips()[clip].frame_count;
    for (std::uint32_t frame = 0; frame < count; frame += std::max(count / 6, 1U)) frames.emplace_back(clip, frame);
  }
  std::mt19937 random(7);
  Tally tally;
  const int points = points_in_all / static_cast<int>(frames.size()) + 1;
  for (const auto& [clip, frame] : frames) {
    compare(character, images, masks, clip, frame, points, random, tally);
  }
  return tally;
}

/// Two white quads, each on a bone of its own. The second covers part of the first.
CharacterData two_quads() {
  CharacterData data;
  data.images = {plain_image(2, 2, {255, 255, 255, 255})};
  data.bones = {{"back", BoneId::none}, {"front", BoneId::none}};
  add_quad(data, "back", 0, {{0, 0}, {10, 10}}, 0);
  add_quad(data, "front", 0, {{5, 0}, {15, 10}}, 1);
  data.clips = {resting_clip("bind", 1, 2)};
  return data;
}

/// Returns the meshes at a point of frame 0 of clip 0, front to back.
std::vector<std::uint32_t> meshes_at(const Character& character, Vec2 point, const PoseBuffers& posed) {
  std::vector<Hit> hits;
  hit_test_all(character, posed, {}, point, hits);
  std::vector<std::uint32_t> meshes;
  for (const Hit& hit : hits) meshes.push_back(static_cast<std::uint32_t>(hit.mesh));
  return meshes;
}

std::vector<std::uint32_t> meshes_at(const Character& character, Vec2 point) {
  return meshes_at(character, point, posed_at(character, ClipId{0}, 0));
}

using Meshes = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("hits agree with a CPU raster at 10,000 random points of the samples", "[hit_test]") {
  Tally samples;
  for (const char* name : {"kiri.pchr", "corners.pchr", "quad.pchr"}) {
    INFO(name);
    const Tally tally = compare_character(asset(name), 4000);
    CHECK(tally.wrong == 0);
    samples.checked += tally.checked;
    samples.hits += tally.hits;
    samples.stacked += tally.stacked;
    samples.unclear += tally.unclear;
  }
  CHECK(samples.checked >= 10'000);
  CHECK(samples.hits > 2'000);
  CHECK(samples.stacked > 200);
  CHECK(samples.unclear < samples.checked / 50);
}

TEST_CASE("hits agree with a CPU raster on third-party characters", "[hit_test][conformance]") {
  for (const auto& file : conformance_characters()) {
    INFO(file.filename().string());
    const Tally tally = compare_character(file, 300);
    CHECK(tally.wrong == 0);
    CHECK(tally.hits > 20);
  }
}

TEST_CASE("the topmost mesh is hit first, then those behind it in order", "[hit_test]") {
  CharacterData data = two_quads();
  CHECK(meshes_at(build(data), {7, 5}) == Meshes{1, 0});  // With equal orders, the later mesh is on top.
  CHECK(meshes_at(build(data), {2, 5}) == Meshes{0});
  CHECK(meshes_at(build(data), {16, 5}).empty());
  data.clips[0].samples.z_order = {3, -1};
  const Character reordered = build(data);
  CHECK(meshes_at(reordered, {7, 5}) == Meshes{0, 1});
  const auto hit = hit_test(reordered, posed_at(reordered, ClipId{0}, 0), {}, {7.5F, 2.5F});
  REQUIRE(hit);
  CHECK(hit->mesh == MeshId{0});
  CHECK(hit->bone == BoneId{0});
  CHECK(hit->governing_bone == BoneId{0});
  CHECK(hit->triangle == 0);
  CHECK(hit->uv == Vec2{0.75F, 0.75F});
  CHECK(hit->barycentrics == std::array{0.25F, 0.0F, 0.75F});
  CHECK(hit->alpha == 255);
}

TEST_CASE("hidden and fully transparent meshes are not hit", "[hit_test]") {
  CharacterData data = two_quads();
  data.clips[0].samples.visible = {1, 0};
  CHECK(meshes_at(build(data), {7, 5}) == Meshes{0});
  data.clips[0].samples.visible = {1, 1};
  data.clips[0].samples.opacity = {1, 0};
  CHECK(meshes_at(build(data), {7, 5}) == Meshes{0});
  data.clips[0].samples.opacity = {1, 0.01F};
  CHECK(meshes_at(build(data), {7, 5}) == Meshes{1, 0});
  // A pose edited by the caller is used as it is.
  const Character character = build(data);
  PoseBuffers posed = posed_at(character, ClipId{0}, 0);
  posed.pose.visible[0] = 0;
  update(character, posed);
  CHECK(meshes_at(character, {7, 5}, posed) == Meshes{1});
}

TEST_CASE("a hole in the image exposes the mesh behind it", "[hit_test]") {
  CharacterData data = two_quads();
  data.images.push_back(plain_image(2, 2, {255, 255, 255, 255}));
  data.meshes[1].image = ImageId{1};
  // The front quad spans x 5..15, so its left texels span x 5..10. The upper left one is transparent.
  data.images[1].bytes[3] = std::byte{100};
  const Character character = build(data);
  const PoseBuffers posed = posed_at(character, ClipId{0}, 0);
  const auto images = decode_images(character).value();
  const auto mesh_at = [&](Vec2 point, HitTestOptions options) {
    const auto hit = hit_test(character, posed, images, point, options);
    REQUIRE(hit);
    const auto same = hit_test(character, posed, alpha_masks(character).value(), point, options);
    REQUIRE(same);
    CHECK(same->mesh == hit->mesh);
    CHECK(same->alpha == hit->alpha);
    return hit->mesh;
  };
  CHECK(mesh_at({7, 8}, {}) == MeshId{0});
  CHECK(mesh_at({7, 8}, {101}) == MeshId{0});
  CHECK(mesh_at({7, 8}, {100}) == MeshId{1});
  CHECK(mesh_at({7, 8}, {0}) == MeshId{1});
  CHECK(mesh_at({7, 2}, {}) == MeshId{1});
  CHECK(hit_test(character, posed, {}, {7, 8})->mesh == MeshId{1});  // Geometry only.
}

TEST_CASE("a mesh is hit with the skin applied to its draw list", "[hit_test]") {
  const Character character = build(two_quads());
  auto masks = alpha_masks(character).value();
  const auto mesh_at = [&](const SkinData& skin, Vec2 point) {
    PoseBuffers posed = posed_at(character, ClipId{0}, 0);
    apply_skin(skin, posed.draw_list);
    const auto hit = hit_test(character, posed, masks, point);
    REQUIRE(hit);
    return hit->mesh;
  };
  SkinData skin;
  CHECK(mesh_at(skin, {7, 5}) == MeshId{1});
  part_of(skin, MeshId{1}).tint[3] = 0;
  CHECK(mesh_at(skin, {7, 5}) == MeshId{0});
  part_of(skin, MeshId{1}) = {.visible = false};
  CHECK(mesh_at(skin, {7, 5}) == MeshId{0});
  // The left half of its own image is a hole.
  const Bitmap window{2, 1, {0, 0, 0, 0, 255, 255, 255, 255}};
  part_of(skin, MeshId{1}) = {.image = add_image(skin, character, window)};
  for (const Bitmap& image : skin.images) masks.push_back(alpha_mask(image));
  CHECK(mesh_at(skin, {7, 5}) == MeshId{0});
  CHECK(mesh_at(skin, {12, 5}) == MeshId{1});
}

TEST_CASE("texture coordinates outside the image clamp to its edge", "[hit_test]") {
  CharacterData data = two_quads();
  data.images[0].bytes[3] = std::byte{0};  // The upper left texel.
  for (std::size_t i = 0; i < 4; ++i) {
    data.vertices[i].u = data.vertices[i].u * 6 - 3;
    data.vertices[i].v = data.vertices[i].v * 6 - 3;
  }
  const Character character = build(data);
  const PoseBuffers posed = posed_at(character, ClipId{0}, 0);
  const auto masks = alpha_masks(character).value();
  CHECK_FALSE(hit_test(character, posed, masks, {0.1F, 9.9F}));
  CHECK(hit_test(character, posed, masks, {0.1F, 0.1F})->uv.x < -2);
  const HitImages images(masks);
  CHECK(images.alpha(ImageId{0}, {-1e30F, -1e30F}) == 0);
  CHECK(images.alpha(ImageId{0}, {1e30F, -1e30F}) == 255);
  CHECK(images.alpha(ImageId{0}, {0.49F, 0.49F}) == 0);
  CHECK(images.alpha(ImageId{0}, {0.5F, 0.49F}) == 255);
  CHECK(images.alpha(ImageId{7}, {0, 0}) == 255);
  CHECK(HitImages(std::vector<Bitmap>{Bitmap{}}).alpha(ImageId{0}, {0, 0}) == 255);
}

TEST_CASE("a flipped mesh is hit where it is drawn", "[hit_test]") {
  CharacterData data = two_quads();
  data.clips.push_back(resting_clip("flip", 1, 2));
  data.clips[1].samples.scale_x = {-1, 1};
  const Character character = build(data);
  const PoseBuffers posed = posed_at(character, ClipId{1}, 0);
  const auto hit = hit_test(character, posed, {}, {-2.5F, 5});
  REQUIRE(hit);
  CHECK(hit->mesh == MeshId{0});
  CHECK(hit->uv == Vec2{0.25F, 0.5F});
  CHECK(meshes_at(character, {2.5F, 5}, posed).empty());
}

TEST_CASE("a point on a shared edge or corner belongs to exactly one triangle", "[hit_test]") {
  // A 3 x 3 grid of cells, each split along either diagonal, with half of the triangles wound the other way. Each
  // triangle is a mesh, so all hits at a point are counted.
  CharacterData data;
  data.images = {plain_image(1, 1, {255, 255, 255, 255})};
  data.bones = {{"root", BoneId::none}};
  data.clips = {resting_clip("bind", 1, 1)};
  const auto add_triangle = [&](Vec2 a, Vec2 b, Vec2 c) {
    const auto first = static_cast<std::uint32_t>(data.vertices.size());
    if (data.meshes.size() % 2 != 0) std::swap(b, c);
    for (const Vec2 corner : {a, b, c}) data.vertices.push_back({corner.x, corner.y, 0, 0, {}, {1, 0, 0, 0}});
    data.meshes.push_back({"", ImageId{}, first, 3, first, 3});
    for (const int index : {0, 1, 2}) data.indices.push_back(static_cast<std::uint16_t>(index));
  };
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const auto x = static_cast<float>(column), y = static_cast<float>(row);
      if ((row + column) % 2 == 0) {
        add_triangle({x, y}, {x + 1, y}, {x + 1, y + 1});
        add_triangle({x, y}, {x + 1, y + 1}, {x, y + 1});
      } else {
        add_triangle({x, y}, {x + 1, y}, {x, y + 1});
        add_triangle({x + 1, y}, {x + 1, y + 1}, {x, y + 1});
      }
    }
  }
  const Character character = build(std::move(data));
  for (float x = 0.125F; x < 3; x += 0.125F) {
    for (float y = 0.125F; y < 3; y += 0.125F) {
      INFO(x << ", " << y);
      CHECK(meshes_at(character, {x, y}).size() == 1);
    }
  }
  // Once rotated and moved, edges get other coordinates; test the midpoints of their ends.
  PoseBuffers posed = posed_at(character, ClipId{0}, 0);
  posed.pose.rotation_degrees[0] = 37;
  posed.pose.x[0] = 0.3F;
  posed.pose.scale_y[0] = -7.7F;
  update(character, posed);
  for (const Mesh& mesh : character.meshes()) {
    std::vector<Vec2> corners(3);
    deform(character.vertices(mesh), posed.palette, corners);
    for (int i = 0; i < 3; ++i) {
      const auto& ends = character.vertices(mesh);
      const Vec2 middle = (corners[i] + corners[(i + 1) % 3]) * 0.5F;
      const float x = (ends[i].x + ends[(i + 1) % 3].x) / 2, y = (ends[i].y + ends[(i + 1) % 3].y) / 2;
      if (x == 0 || x == 3 || y == 0 || y == 3) continue;
      CHECK(meshes_at(character, middle, posed).size() == 1);
      const bool inner = ends[i].x > 0 && ends[i].x < 3 && ends[i].y > 0 && ends[i].y < 3;
      if (inner) CHECK(meshes_at(character, corners[i], posed).size() == 1);
    }
  }
}

TEST_CASE("later triangles of a mesh are on top", "[hit_test]") {
  CharacterData data = two_quads();
  for (std::size_t i = 0; i < 3; ++i) data.indices.insert(data.indices.begin() + 6, data.indices[i]);
  data.meshes[0].index_count = 9;
  data.meshes[1].first_index = 9;
  std::swap(data.indices[6], data.indices[8]);
  const Character character = build(std::move(data));
  const auto hit = hit_test(character, posed_at(character, ClipId{0}, 0), {}, {4, 8});
  REQUIRE(hit);
  CHECK(hit->triangle == 2);
}

TEST_CASE("the heaviest bone at a point is found by interpolating weights", "[hit_test]") {
  const Character arm = build(two_bone_arm());
  const PoseBuffers posed = posed_at(arm, ClipId{0}, 0);
  CHECK(hit_test(arm, posed, {}, {1, 10})->bone == BoneId{0});
  CHECK(hit_test(arm, posed, {}, {1, 39})->bone == BoneId{0});
  CHECK(hit_test(arm, posed, {}, {1, 41})->bone == BoneId{1});
  CHECK(hit_test(arm, posed, {}, {1, 41})->governing_bone == arm.governing_bone(MeshId{0}));
  CharacterData data = two_quads();
  for (std::size_t i = 0; i < 4; ++i) data.vertices[i] = {data.vertices[i].x, data.vertices[i].y, 0, 0, {1, 0}, {1, 1}};
  const Character tie = build(std::move(data));
  PoseBuffers twice = posed_at(tie, ClipId{0}, 0);
  CHECK(hit_test(tie, twice, {}, {4, 8})->bone == BoneId{0});
}

TEST_CASE("degenerate and non-finite triangles are never hit", "[hit_test]") {
  CharacterData data = two_quads();
  data.vertices[1] = data.vertices[0];  // Leaves one triangle of the back quad without area.
  const Character flat = build(data);
  CHECK(meshes_at(flat, {0, 10}).empty());
  CHECK(meshes_at(flat, {4, 5}) == Meshes{0});
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  for (const float odd : {kNan, kInfinity, -kInfinity}) {
    CHECK(meshes_at(flat, {odd, 5}).empty());
    CHECK(meshes_at(flat, {5, odd}).empty());
    PoseBuffers posed = posed_at(flat, ClipId{0}, 0);
    posed.palette[1][0].x = odd;
    CHECK(meshes_at(flat, {12, 5}, posed).empty());
    CHECK(meshes_at(flat, {4, 5}, posed) == Meshes{0});
  }
  // All corners at one point, then on one line through the tested point.
  PoseBuffers posed = posed_at(flat, ClipId{0}, 0);
  for (const float scale : {0.0F, 1.0F}) {
    posed.palette[0] = {scale, scale, 0, 0, 0, 0};
    CHECK(meshes_at(flat, {2 * scale, 2 * scale}, posed).empty());
  }
}

TEST_CASE("a large mesh, or one of a character without bones, can be hit", "[hit_test]") {
  CharacterData data = two_quads();
  data.vertices.insert(data.vertices.begin() + 4, 2000, data.vertices[0]);
  data.meshes[0].vertex_count += 2000;
  data.meshes[1].first_vertex += 2000;
  const Character many = build(data);
  CHECK(meshes_at(many, {7, 5}) == Meshes{1, 0});
  CHECK(meshes_at(many, {2, 5}) == Meshes{0});
  data.bones.clear();
  data.clips.clear();
  for (Vertex& vertex : data.vertices) vertex.weights[0] = 0;
  const Character boneless = build(std::move(data));
  PoseBuffers posed;
  pose_bind(boneless, posed);
  CHECK(meshes_at(boneless, {0, 0}, posed).empty());  // Without bones every vertex is at the origin.
}

TEST_CASE("a placed instance is hit where it is drawn, with its skin", "[hit_test]") {
  const Character character = build(two_quads());
  const auto masks = alpha_masks(character).value();
  const PoseBuffers posed = posed_at(character, ClipId{0}, 0);
  const Affine mirrored = placement({100, 50}, 90, 2, true);
  const auto mesh_at = [&](const Appearance& appearance, const SkinData* skin, Vec2 local) {
    const auto hit = hit_test(character, posed, appearance, skin, masks, apply(appearance.placement, local));
    return hit ? hit->mesh : MeshId::none;
  };
  CHECK(mesh_at({mirrored}, nullptr, {7, 5}) == MeshId{1});
  CHECK(mesh_at({mirrored}, nullptr, {2, 5}) == MeshId{0});
  CHECK(mesh_at({mirrored}, nullptr, {-2, 5}) == MeshId::none);
  CHECK(mesh_at({{0, 0, 0, 1, 7, 0}}, nullptr, {7, 5}) == MeshId::none);  // No width.
  CHECK(mesh_at({{NAN, 0, 0, 1, 7, 0}}, nullptr, {7, 5}) == MeshId::none);
  CHECK(mesh_at({mirrored, {1, 1, 1, 0}}, nullptr, {7, 5}) == MeshId::none);

  SkinData skin;
  part_of(skin, MeshId{1}).visible = false;
  CHECK(mesh_at({mirrored}, &skin, {7, 5}) == MeshId{0});
  const Bitmap window{2, 1, {0, 0, 0, 0, 255, 255, 255, 255}};
  part_of(skin, MeshId{1}) = {.image = add_image(skin, character, window)};
  CHECK(mesh_at({mirrored}, &skin, {7, 5}) == MeshId{0});
  CHECK(mesh_at({mirrored}, &skin, {12, 5}) == MeshId{1});
  // A game that drops the pixels keeps a mask instead.
  auto with_skin = masks;
  with_skin.push_back(alpha_mask(skin.images[0]));
  skin.images[0] = {};
  CHECK(hit_test(character, posed, {}, &skin, with_skin, {7, 5})->mesh == MeshId{0});
  CHECK(hit_test(character, posed, {}, &skin, with_skin, {12, 5})->mesh == MeshId{1});
}

TEST_CASE("of a crowd the topmost instance at a point is hit, as testing each one finds", "[hit_test]") {
  const Character kiri = load_asset("kiri.pchr");
  const auto masks = alpha_masks(kiri).value();
  SkinData skin;
  for (const MeshId mesh : kiri.meshes().ids()) part_of(skin, mesh).visible = index(mesh) % 2 == 0;
  std::mt19937 random(9);
  std::uniform_real_distribution<float> place(-600, 600), angle(-180, 180), scale(0.2F, 1.5F);
  std::vector<HitInstance> crowd;
  PoseBuffers custom;
  pose_bind(kiri, custom);
  custom.pose.x[0] += 300;  // Outside the bounds of every clip.
  update(kiri, custom);
  for (int i = 0; i < 60; ++i) {
    HitInstance instance;
    instance.clip = ClipId(random() % kiri.clips().size());
    const Sampling sampling = i % 2 == 0 ? Sampling::step : Sampling::smooth;
    instance.position = clip_time(kiri.clips()[instance.clip], i * 0.0371, sampling);
    instance.appearance.placement = placement({place(random), place(random)}, angle(random), scale(random), i % 3 == 0);
    if (i % 5 == 0) instance.appearance.placement[0] = {0, 0};
    if (i % 7 == 0) instance.appearance.tint[3] = 0;
    if (i % 4 == 0) instance.skin = &skin;
    if (i % 6 == 1) instance.posed = &custom;
    crowd.push_back(instance);
  }
  PoseBuffers scratch, posed;
  int hits = 0, misses = 0, customs = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec2 point{place(random), place(random)};
    std::optional<InstanceHit> expected;
    for (std::size_t j = 0; j < crowd.size(); ++j) {
      pose_clip(kiri, crowd[j].clip, crowd[j].position, posed);
      const PoseBuffers& shown = crowd[j].posed != nullptr ? *crowd[j].posed : posed;
      if (const auto hit = hit_test(kiri, shown, crowd[j].appearance, crowd[j].skin, masks, point))
        expected = {j, *hit};
    }
    const auto found = hit_test(kiri, crowd, masks, point, scratch);
    REQUIRE(found.has_value() == expected.has_value());
    ++(found ? hits : misses);
    if (!found) continue;
    CHECK(found->instance == expected->instance);
    CHECK(found->hit.mesh == expected->hit.mesh);
    CHECK(found->hit.uv == expected->hit.uv);
    customs += crowd[found->instance].posed != nullptr ? 1 : 0;
  }
  CHECK(hits > 50);
  CHECK(misses > 10);  // Compilers draw the random numbers of a call in different orders.
  CHECK(customs > 10);
  CHECK_FALSE(hit_test(kiri, std::span<const HitInstance>(), masks, {0, 0}, scratch));
  CHECK_FALSE(hit_test(kiri, crowd, masks, {NAN, 0}, scratch));
}

TEST_CASE("an instance between two frames is hit wherever a smooth pose takes it", "[hit_test]") {
  // Half a turn from one frame to the next takes the quad far out of both frames' bounds.
  CharacterData data = two_quads();
  data.clips[0] = resting_clip("turn", 2, 2);
  data.clips[0].samples.rotation_degrees = {0, 0, 179, 0};
  const Character character = build(std::move(data));
  PoseBuffers posed, scratch;
  for (const float factor : {0.25F, 0.5F, 0.75F}) {
    HitInstance instance{ClipId{0}, {0, 1, factor}};
    pose_clip(character, instance.clip, instance.position, posed);
    for (const Vec2 at : {Vec2{1, 1}, Vec2{9, 9}, Vec2{9, 1}}) {
      const Vec2 point = apply(posed.palette[0], at);
      const auto hit = hit_test(character, {&instance, 1}, {}, point, scratch);
      REQUIRE(hit);
      CHECK(hit->instance == 0);
    }
  }
}

TEST_CASE("a placed instance is hit through the inverse of its placement", "[hit_test]") {
  const Affine placement{-2, 1, 0.5F, 3, 100, -40};
  const auto back = inverse(placement);
  REQUIRE(back);
  const Vec2 point = apply(*back, apply(placement, {7, 5}));
  CHECK(point.x == Approx(7));
  CHECK(point.y == Approx(5));
  CHECK_FALSE(inverse({1, 2, 2, 4, 0, 0}));
  CHECK_FALSE(inverse({0, 0, 0, 0, 5, 5}));
}

}  // namespace hit_test_test
