// SPDX-License-Identifier: MIT
// Compares every set of kernels that this processor supports with the scalar ones, bit for bit.
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include "character/kernels.hpp"

#include <pchr/gpu.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace kernels_test {
using namespace pchr;
using namespace pchr::test;

namespace {

/// Selects one set of kernels for its lifetime.
class Using {
 public:
  explicit Using(const PoseKernels& set) { use_kernels(set); }
  Using(const Using&) = delete;
  Using& operator=(const Using&) = delete;
  ~Using() { use_kernels(*available_kernels().back()); }
};

/// Deterministic random numbers.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  std::uint32_t below(std::uint32_t end) { return next() % end; }
  float between(float low, float high) { return low + (high - low) * static_cast<float>(next()) / 2147483648.0F; }
  /// Returns mostly ordinary values, sometimes ones that break arithmetic.
  float value(float size) {
    constexpr float kTiny = std::numeric_limits<float>::denorm_min();
    const float special[] = {0.0F, -0.0F, kTiny, -3e-39F, 1e-30F, -1e30F, 3e38F, 1, -1};
    return below(8) == 0 ? special[below(std::size(special))] : between(-size, size);
  }
  float angle() {
    const float special[] = {0.0F,       -0.0F, 45,    -45,    90,     135,    180,       -180, 360, 1.0e6F,
                             1.00001e6F, -2e7F, 3e38F, -3e38F, 1e-40F, 720.5F, 89.99999F, -270, 225};
    return below(3) == 0 ? special[below(std::size(special))] : between(-1000, 1000);
  }

 private:
  std::uint64_t state_;
};

enum class Shape { chain, star, tree, forest };

BoneId parent_of(Shape shape, std::uint32_t bone, Numbers& numbers) {
  if (bone == 0 || (shape == Shape::forest && numbers.below(4) == 0)) return BoneId::none;
  if (shape == Shape::chain) return BoneId{bone - 1};
  if (shape == Shape::star) return BoneId{0};
  return BoneId{numbers.below(bone)};
}

/// Two clips of three frames, the second with opacity, and enough vertices for several tail lengths.
Character make_character(std::uint32_t bones, Shape shape, std::uint64_t seed) {
  Numbers numbers(seed);
  CharacterData data;
  data.images.push_back(plain_image(1, 1, {255, 255, 255, 255}));
  for (std::uint32_t i = 0; i < bones; ++i) data.bones.push_back({"bone", parent_of(shape, i, numbers)});
  for (std::uint16_t i = 0; i < bones; ++i) add_quad(data, "quad", 0, {{-1, -2}, {3, 4}}, i);
  for (Vertex& vertex : data.vertices) {
    vertex.x = numbers.between(-100, 100);
    const std::uint32_t used = numbers.below(5);
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      vertex.bones[slot] = static_cast<std::uint16_t>(numbers.below(bones));
      vertex.weights[slot] = slot < used ? numbers.value(1) : numbers.below(2) == 0 ? 0.0F : -0.0F;
    }
  }
  data.clips.push_back(resting_clip("bind", 1, bones));
  for (const bool opacity : {false, true}) {
    Clip clip = resting_clip("clip", 3, bones);
    BoneSamples& samples = clip.samples;
    for (std::size_t i = 0; i < samples.x.size(); ++i) {
      samples.x[i] = numbers.value(100);
      samples.y[i] = numbers.value(100);
      samples.rotation_degrees[i] = numbers.angle();
      samples.scale_x[i] = numbers.value(2);
      samples.scale_y[i] = numbers.value(2);
      samples.visible[i] = numbers.below(4) != 0;
      samples.z_order[i] = static_cast<std::int32_t>(numbers.next());
      if (opacity) samples.opacity.push_back(numbers.between(0, 1));
    }
    data.clips.push_back(std::move(clip));
  }
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

struct Result {
  std::vector<PoseBuffers> posed;
  std::vector<std::vector<Vec2>> skinned;
};

std::vector<PoseRequest> requests_of(const Character& character) {
  std::vector<PoseRequest> requests;
  for (const ClipId clip : character.clips().ids()) {
    const std::uint32_t frames = character.clips()[clip].frame_count;
    const auto fade = ClipId((index(clip) + 1) % character.clips().size());
    const std::uint32_t fade_frames = character.clips()[fade].frame_count;
    for (std::uint32_t frame = 0; frame < frames; frame += 1 + frames / 8) {
      const ClipTime step{frame, frame, 0};
      const ClipTime smooth{frame, (frame + 1) % frames, 0.3F};
      requests.push_back({clip, step});
      requests.push_back({clip, smooth});
      if (fade_frames == 0) continue;
      const std::uint32_t other = frame % fade_frames;
      requests.push_back({clip, step, fade, {other, other, 0}, 0.25F});
      requests.push_back({clip, smooth, fade, {other, (other + 1) % fade_frames, 0.75F}, 0.5F});
    }
  }
  return requests;
}

Result pose_all(const Character& character, const PoseKernels& set) {
  const Using used(set);
  Result result;
  const auto requests = requests_of(character);
  result.posed.resize(requests.size());
  pose_many(character, requests, result.posed);
  for (const PoseBuffers& posed : result.posed) {
    // Exact-size allocation, so a sanitizer detects reads past the end.
    const std::vector<Vertex> vertices(character.vertices().begin(), character.vertices().end());
    std::vector<Vec2> points(vertices.size());
    deform(vertices, posed.palette, points);
    result.skinned.push_back(std::move(points));
  }
  return result;
}

/// Same bits, or both NaN: which NaN an operation returns is unspecified.
bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}
bool same(Vec2 a, Vec2 b) { return same(a.x, b.x) && same(a.y, b.y); }
bool same(const Affine& a, const Affine& b) { return same(a[0], b[0]) && same(a[1], b[1]) && same(a[2], b[2]); }
bool same(const DrawItem& a, const DrawItem& b) { return a.mesh == b.mesh && same(a.opacity, b.opacity); }
template <typename Values>
bool all_same(const Values& a, const Values& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) { return same(x, y); });
}
bool same(const Pose& a, const Pose& b) {
  return all_same(a.x, b.x) && all_same(a.y, b.y) && all_same(a.rotation_degrees, b.rotation_degrees) &&
         all_same(a.scale_x, b.scale_x) && all_same(a.scale_y, b.scale_y) && all_same(a.opacity, b.opacity) &&
         a.visible == b.visible && a.z_order == b.z_order;
}

/// Checks the palettes of requests that are posed together against those posed one by one.
void check_rows(const Character& character, const PoseKernels& set, std::span<const PoseBuffers> expected) {
  const Using used(set);
  const PaletteLayout layout = make_gpu_geometry(character).layout;
  const auto requests = requests_of(character);
  const std::size_t row_bones = layout.row_bones();
  std::vector<BoneTexels> rows(requests.size() * row_bones);
  PoseBuffers scratch;
  write_palette_rows(character, layout, requests, scratch, rows);
  if (layout.is_3d) return;
  const auto is_expected = [&](const BoneTexels& texels, const PoseBuffers& posed, PaletteEntry entry) {
    const float opacity = layout.with_opacity ? posed.pose.opacity[index(entry.opacity_bone)] : 1.0F;
    return same(Affine{texels.a, texels.b, texels.c, texels.d, texels.tx, texels.ty},
                posed.palette[index(entry.bone)]) &&
           same(texels.opacity, opacity) && texels.unused == 0;
  };
  for (std::size_t row = 0; row < requests.size(); ++row) {
    bool all_expected = true;
    for (std::size_t i = 0; i < row_bones; ++i) {
      all_expected &= is_expected(rows[row * row_bones + i], expected[row], layout.entries[i]);
    }
    INFO("row " << row);
    REQUIRE(all_expected);
  }
}

/// Checks that skinning with known bones, and for draw streams, gives the same bits where it is allowed.
void check_known_bones(const Character& character, const PoseKernels& set, std::span<const Affine> palette,
                       const std::vector<Vec2>& expected) {
  const bool finite = set.all_finite(palette.data(), palette.size());
  REQUIRE(finite == kScalarKernels.all_finite(palette.data(), palette.size()));
  const auto has_bones = [&](const Vertex& vertex) {
    return std::ranges::all_of(vertex.bones, [&](std::uint16_t bone) { return bone < palette.size(); });
  };
  if (!std::ranges::all_of(character.vertices(), has_bones)) return;
  const std::vector<Vertex> vertices(character.vertices().begin(), character.vertices().end());
  std::vector<Vec2> points(vertices.size());
  set.skin_known(vertices.data(), vertices.size(), palette.data(), palette.size(), points.data());
  REQUIRE(all_same(points, expected));
  if (!finite) return;
  const Affine placed = placement({3, -7}, 30, 1.5F, true);
  std::vector<StreamVertex> stream(vertices.size());
  set.stream(vertices.data(), vertices.size(), palette.data(), placed, 0x04030201, stream.data());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec2 at = apply(placed, expected[i]);
    REQUIRE(same(at, {stream[i].x, stream[i].y}));
    REQUIRE(same(Vec2{vertices[i].u, vertices[i].v}, {stream[i].u, stream[i].v}));
    REQUIRE(stream[i].color == std::array<std::uint8_t, 4>{1, 2, 3, 4});
  }
}

void check_all_kernels(const Character& character) {
  const Result expected = pose_all(character, kScalarKernels);
  for (const PoseKernels* set : available_kernels()) {
    INFO(set->name);
    const Result actual = pose_all(character, *set);
    check_rows(character, *set, expected.posed);
    for (std::size_t i = 0; i < expected.posed.size(); ++i) {
      INFO("request " << i);
      REQUIRE(same(actual.posed[i].pose, expected.posed[i].pose));
      REQUIRE(all_same(actual.posed[i].world, expected.posed[i].world));
      REQUIRE(all_same(actual.posed[i].palette, expected.posed[i].palette));
      REQUIRE(all_same(actual.posed[i].draw_list, expected.posed[i].draw_list));
      REQUIRE(all_same(actual.skinned[i], expected.skinned[i]));
      check_known_bones(character, *set, actual.posed[i].palette, actual.skinned[i]);
    }
  }
}

}  // namespace

TEST_CASE("the scalar kernels always exist, and the last available set is used", "[kernels]") {
  REQUIRE_FALSE(available_kernels().empty());
  CHECK(available_kernels().front() == &kScalarKernels);
  CHECK(&kernels() == available_kernels().back());
#ifdef PCHR_X86_64
  CHECK(available_kernels().size() == (has_avx2() ? 3 : 2));
#endif
}

TEST_CASE("every set of kernels gives the scalar bits, for any number of bones and any hierarchy", "[kernels]") {
  for (std::uint32_t bones = 1; bones <= 70; ++bones) {
    for (const Shape shape : {Shape::chain, Shape::star, Shape::tree, Shape::forest}) {
      INFO(bones << " bones, shape " << static_cast<int>(shape));
      check_all_kernels(make_character(bones, shape, bones));
    }
  }
  check_all_kernels(make_character(1000, Shape::chain, 7));
  check_all_kernels(make_character(1000, Shape::tree, 8));
}

TEST_CASE("every set of kernels gives the scalar bits for the samples", "[kernels]") {
  for (const std::string name : {"quad", "corners", "kiri"}) {
    const auto character = load_character(asset(name + ".pchr"));
    REQUIRE(character);
    INFO(name);
    check_all_kernels(*character);
  }
}

TEST_CASE("every set of kernels gives the scalar bits for third-party characters", "[kernels][conformance]") {
  for (const auto& file : conformance_characters()) {
    const auto character = load_character(file);
    REQUIRE(character);
    INFO(file.filename().string());
    check_all_kernels(*character);
  }
}

TEST_CASE("composing alone and building a palette in place give the same bits as posing", "[kernels]") {
  for (const std::uint32_t bones : {1U, 7U, 8U, 9U, 16U, 37U}) {
    const Character character = make_character(bones, Shape::tree, bones);
    for (const PoseKernels* set : available_kernels()) {
      INFO(set->name << ", " << bones << " bones");
      const Using used(*set);
      PoseBuffers posed;
      pose_clip(character, ClipId{1}, {0, 1, 0.5F}, posed);
      std::vector<Affine> transforms(bones);
      compose(character.bones(), posed.pose.frame(0, bones), transforms);
      CHECK(all_same(transforms, posed.world));
      build_palette(transforms, character.inverse_bind(), transforms);
      CHECK(all_same(transforms, posed.palette));
    }
  }
}

TEST_CASE("blending a pose in place equals a crossfade", "[kernels]") {
  for (const std::uint32_t bones : {1U, 3U, 8U, 37U}) {
    const Character character = make_character(bones, Shape::tree, bones);
    for (const PoseKernels* set : available_kernels()) {
      INFO(set->name << ", " << bones << " bones");
      const Using used(*set);
      Pose blended, target, crossfaded;
      sample(character, ClipId{1}, {0, 0, 0}, blended);
      sample(character, ClipId{2}, {1, 2, 0.25F}, target);
      blend(target.frame(0, bones), 0.5F, blended);
      sample(character, PoseRequest{ClipId{1}, {0, 0, 0}, ClipId{2}, {1, 2, 0.25F}, 0.5F}, crossfaded);
      CHECK(same(blended, crossfaded));
    }
  }
}

TEST_CASE("every set of kernels gives the scalar bits for overlays", "[kernels]") {
  for (std::uint32_t bones = 1; bones < 40; ++bones) {
    const Character character = make_character(bones, Shape::tree, bones);
    Numbers numbers(bones);
    BoneMask mask(bones);
    for (std::uint8_t& value : mask) value = static_cast<std::uint8_t>(numbers.below(3));
    std::vector<float> turns(bones);
    for (float& turn : turns) turn = numbers.below(3) == 0 ? std::nanf("") : numbers.between(-2000, 2000);
    const auto frame_of = [&](std::uint32_t clip, std::uint32_t frame) {
      return character.clips()[ClipId{clip}].samples.frame(frame, bones);
    };
    const FramePointers reference = pointers_to(frame_of(1, 2));
    for (std::uint32_t variant = 0; variant < 96; ++variant) {
      const BetweenFrames to{pointers_to(frame_of(1 + variant / 48, 0)), pointers_to(frame_of(1 + variant / 48, 1)),
                             variant % 2 == 0 ? 0 : 0.3F};
      const float weights[] = {0.25F, 0.5F, 0.75F, 1};
      const std::uint32_t kind = variant / 4 % 3;
      const auto overlaid = [&](const PoseKernels& set) {
        Pose pose;
        sample(character, ClipId{2}, {1, 1, 0}, pose);
        std::vector<float> own_turns = turns;
        const PosePointers out{pose.x.data(),       pose.y.data(),       pose.rotation_degrees.data(),
                               pose.scale_x.data(), pose.scale_y.data(), pose.opacity.data(),
                               pose.visible.data(), pose.z_order.data()};
        set.overlay({to, weights[variant / 12 % 4], kind == 1 ? own_turns.data() : nullptr,
                     variant / 2 % 2 == 0 ? nullptr : mask.data(), kind == 2 ? &reference : nullptr},
                    out, bones);
        return std::pair(pose, own_turns);
      };
      const auto [expected, expected_turns] = overlaid(kScalarKernels);
      for (const PoseKernels* set : available_kernels()) {
        const auto [pose, own_turns] = overlaid(*set);
        INFO(set->name << ", " << bones << " bones, variant " << variant);
        REQUIRE(same(pose, expected));
        REQUIRE(all_same(own_turns, expected_turns));
      }
    }
  }
}

TEST_CASE("an unused slot has no effect, whatever its bone is or contains", "[kernels]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Affine palette[] = {{1, 0, 0, 1, 10, 0}, {nan, 0, 0, 1, HUGE_VALF, 20}};
  const Vertex vertices[] = {{2, 3, 0, 0, {0, 1, 1, 1}, {0.5F, 0, -0.0F, 0}},
                             {2, 3, 0, 0, {0, 65535, 9, 0}, {0.5F, 0, 0, 0.5F}},
                             {2, 3, 0, 0, {1, 0, 0, 0}, {0, 0, 0, 1}}};
  for (const PoseKernels* set : available_kernels()) {
    INFO(set->name);
    const Using used(*set);
    Vec2 out[3];
    deform(vertices, palette, out);
    CHECK(out[0] == Vec2{6, 1.5F});
    CHECK(out[1] == Vec2{12, 3});
    CHECK(out[2] == Vec2{12, 3});
    const Vertex nowhere{2, 3, 0, 0, {1, 2, 3, 4}, {}};
    deform(std::span(&nowhere, 1), {}, std::span(out, 1));
    CHECK(out[0] == Vec2{0, 0});
  }
}

}  // namespace kernels_test
