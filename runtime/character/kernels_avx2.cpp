// SPDX-License-Identifier: MIT
// The kernels for processors with AVX2. This file alone is built for them, and runs only there.
#include "character/kernels.hpp"

#if defined(__x86_64__)

#include "character/lanes.hpp"

#include <immintrin.h>

namespace pchr {
namespace {

struct Eight {
  using Floats = __m256;
  static constexpr std::size_t kWidth = 8;

  struct Whole {};
  struct First {
    explicit First(std::size_t lanes)
        : count(lanes),
          mask(_mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(lanes)),
                                  _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))) {}
    std::size_t count;
    __m256i mask;
  };

  static Floats all(float value) { return _mm256_set1_ps(value); }
  static Floats load(const float* from, Whole) { return _mm256_loadu_ps(from); }
  static Floats load(const float* from, First part) { return _mm256_maskload_ps(from, part.mask); }
  static void store(Floats values, float* to, Whole) { _mm256_storeu_ps(to, values); }
  static void store(Floats values, float* to, First part) { _mm256_maskstore_ps(to, part.mask, values); }
  static void copy(const std::int32_t* from, std::int32_t* to, Whole) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  }
  static void copy(const std::int32_t* from, std::int32_t* to, First part) {
    _mm256_maskstore_epi32(to, part.mask, _mm256_maskload_epi32(from, part.mask));
  }
  static void copy(const std::uint8_t* from, std::uint8_t* to, Whole) { __builtin_memcpy(to, from, kWidth); }
  static void copy(const std::uint8_t* from, std::uint8_t* to, First part) {
    for (std::size_t i = 0; i < part.count; ++i) to[i] = from[i];
  }

  static Floats negated(Floats values) { return _mm256_xor_ps(values, all(-0.0F)); }
  static Floats ceil(Floats values) { return _mm256_ceil_ps(values); }
  static Floats floor_small(Floats values) { return _mm256_floor_ps(values); }
  static bool any_beyond(Floats values, float most) {
    const Floats size = _mm256_andnot_ps(all(-0.0F), values);
    return _mm256_movemask_ps(_mm256_cmp_ps(size, all(most), _CMP_NLE_UQ)) != 0;
  }
  static void turn_by_quarters(Floats quarter, Floats sine, Floats cosine, Floats& turned_sine, Floats& turned_cosine) {
    const __m256i number = _mm256_cvttps_epi32(quarter);
    // Odd quarters exchange the two; the sine is negative in quarters 2 and 3, the cosine in 1 and 2.
    const __m256i odd = _mm256_slli_epi32(number, 31);
    const Floats exchanged =
        _mm256_and_ps(_mm256_xor_ps(sine, cosine), _mm256_castsi256_ps(_mm256_srai_epi32(odd, 31)));
    const Floats sine_sign = _mm256_and_ps(_mm256_castsi256_ps(_mm256_slli_epi32(number, 30)), all(-0.0F));
    const Floats cosine_sign = _mm256_xor_ps(sine_sign, _mm256_castsi256_ps(odd));
    turned_sine = _mm256_xor_ps(_mm256_xor_ps(sine, sine_sign), exchanged);
    turned_cosine = _mm256_xor_ps(_mm256_xor_ps(cosine, cosine_sign), exchanged);
  }
};

/// A transform as its six floats in order, then two lanes without meaning.
using Columns = __m256;

// Not a constant: setting one up could run before main, on a processor without AVX2.
__m256i six_lanes() { return _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, 0, 0); }

/// Reads two floats past the transform.
Columns load_wide(const float* affine) { return _mm256_loadu_ps(affine); }
Columns load_exact(const float* affine) { return _mm256_maskload_ps(affine, six_lanes()); }
/// Writes two floats past the transform. In halves, because what children read soon after comes quicker out of those.
void store_wide(Columns columns, float* affine) {
  _mm_storeu_ps(affine, _mm256_castps256_ps128(columns));
  _mm_storeu_ps(affine + 4, _mm256_extractf128_ps(columns, 1));
}
void store_exact(Columns columns, float* affine) { _mm256_maskstore_ps(affine, six_lanes(), columns); }

typedef double Pair __attribute__((may_alias, aligned(4)));

/// Two floats from memory, side by side four times.
__m256 four_times(const float* pair) { return _mm256_castpd_ps(_mm256_set1_pd(*reinterpret_cast<const Pair*>(pair))); }

/// The transform at `outer` after `inner`. Adding a zero to the columns that have no translation must leave their
/// own zeros as they are, which only -0 does.
Columns concatenate(const float* outer, Columns inner) {
  const __m256 translation = _mm256_blend_ps(_mm256_set1_ps(-0.0F), four_times(outer + 4), 0b0011'0000);
  return four_times(outer) * _mm256_moveldup_ps(inner) + four_times(outer + 2) * _mm256_movehdup_ps(inner) +
         translation;
}
Columns concatenate(Columns outer, Columns inner) {
  const __m256d pairs = _mm256_castps_pd(outer);
  const __m256 first = _mm256_castpd_ps(_mm256_permute4x64_pd(pairs, 0b0000'0000));
  const __m256 second = _mm256_castpd_ps(_mm256_permute4x64_pd(pairs, 0b0101'0101));
  const __m256 translation = _mm256_blend_ps(_mm256_set1_ps(-0.0F), outer, 0b0011'0000);
  return first * _mm256_moveldup_ps(inner) + second * _mm256_movehdup_ps(inner) + translation;
}

/// The local transforms of eight bones, aligned.
struct alignas(32) Rows {
  float values[8][8];
};

/// The last step of the local transforms of eight bones. As a call, it would take its vectors through memory.
template <typename Part>
[[gnu::always_inline]] inline void finish_rows(const Turning<Eight>& turning, const FramePointers& pose,
                                               std::size_t bone, Part part, Rows& rows) {
  const auto turn = turning.columns(Eight::load(pose.scale_x + bone, part), Eight::load(pose.scale_y + bone, part));
  const __m256 x = Eight::load(pose.x + bone, part);
  const __m256 y = Eight::load(pose.y + bone, part);
  const auto put = [&](int row, __m256 four, __m256 translation) {
    _mm256_store_ps(rows.values[row], _mm256_permute2f128_ps(four, translation, 0x20));
    _mm256_store_ps(rows.values[row + 4], _mm256_permute2f128_ps(four, translation, 0x31));
  };
  const auto put_two = [&](int row, __m256 ab, __m256 cd, __m256 xy) {
    put(row, _mm256_shuffle_ps(ab, cd, 0x88), _mm256_permute_ps(xy, 0x88));
    put(row + 1, _mm256_shuffle_ps(ab, cd, 0xDD), _mm256_permute_ps(xy, 0xDD));
  };
  put_two(0, _mm256_shuffle_ps(turn.a, turn.b, 0x44), _mm256_shuffle_ps(turn.c, turn.d, 0x44),
          _mm256_shuffle_ps(x, y, 0x44));
  put_two(2, _mm256_shuffle_ps(turn.a, turn.b, 0xEE), _mm256_shuffle_ps(turn.c, turn.d, 0xEE),
          _mm256_shuffle_ps(x, y, 0xEE));
}

template <typename Part>
void local_rows(const FramePointers& pose, std::size_t bone, Part part, Rows& rows) {
  Turning<Eight> turning;
  turning.reduce(Eight::load(pose.rotation_degrees + bone, part));
  turning.find_sine();
  turning.find_cosine();
  finish_rows(turning, pose, bone, part, rows);
}

template <bool kPalette>
struct Composer {
  const Bone* bones;
  float* world;
  const float* inverse_bind;
  float* palette;

  Columns world_of(std::size_t bone, const float* row) const {
    const auto parent = static_cast<std::int32_t>(bones[bone].parent);
    const Columns local = _mm256_load_ps(row);
    return parent < 0 ? local : concatenate(world + std::ptrdiff_t{6} * parent, local);
  }
  void wide(std::size_t bone, const float* row) const {
    const Columns own = world_of(bone, row);
    store_wide(own, world + 6 * bone);
    if (kPalette) store_wide(concatenate(own, load_wide(inverse_bind + 6 * bone)), palette + 6 * bone);
  }
  void exact(std::size_t bone, const float* row) const {
    const Columns own = world_of(bone, row);
    store_exact(own, world + 6 * bone);
    if (kPalette) store_exact(concatenate(own, load_exact(inverse_bind + 6 * bone)), palette + 6 * bone);
  }
};

template <bool kPalette>
void compose_all(const Bone* bones, std::size_t bone_count, const FramePointers& pose, float* world,
                 const float* inverse_bind, float* palette) {
  if (bone_count == 0) return;
  const Composer<kPalette> composer{bones, world, inverse_bind, palette};
  // Each eight bones are turned while the eight ahead of them are composed: a turn's operations wait for each other,
  // and a processor looks only so far ahead for others.
  Rows rows[2];
  if (bone_count < 8) {
    local_rows(pose, 0, Eight::First(bone_count), rows[0]);
  } else {
    local_rows(pose, 0, Eight::Whole{}, rows[0]);
  }
  std::size_t block = 0, first = 0;  // The bones to compose, and the first whose local transform is ready.
  int ready = 0;
  for (; block + 8 < bone_count; block += 8) {
    // The last eight overlap those before them.
    const std::size_t next = block + 16 <= bone_count ? block + 8 : bone_count - 8;
    const auto* const row = rows[ready].values;
    Turning<Eight> turning;
    turning.reduce(_mm256_loadu_ps(pose.rotation_degrees + next));
    composer.wide(block, row[0]);
    composer.wide(block + 1, row[1]);
    turning.find_sine();
    composer.wide(block + 2, row[2]);
    composer.wide(block + 3, row[3]);
    turning.find_cosine();
    composer.wide(block + 4, row[4]);
    composer.wide(block + 5, row[5]);
    ready ^= 1;
    finish_rows(turning, pose, next, Eight::Whole{}, rows[ready]);
    composer.wide(block + 6, row[6]);
    composer.wide(block + 7, row[7]);
    first = next;
  }
  for (; block + 1 < bone_count; ++block) composer.wide(block, rows[ready].values[block - first]);
  composer.exact(block, rows[ready].values[block - first]);
}

void compose(const Bone* bones, std::size_t bone_count, const FramePointers& pose, Affine* world,
             const Affine* inverse_bind, Affine* palette) noexcept {
  auto* const world_floats = reinterpret_cast<float*>(world);
  if (palette == nullptr) return compose_all<false>(bones, bone_count, pose, world_floats, nullptr, nullptr);
  compose_all<true>(bones, bone_count, pose, world_floats, reinterpret_cast<const float*>(inverse_bind),
                    reinterpret_cast<float*>(palette));
}

void build_palette(const Affine* world, const Affine* inverse_bind, Affine* palette, std::size_t bone_count) noexcept {
  const auto* const outer = reinterpret_cast<const float*>(world);
  const auto* const inner = reinterpret_cast<const float*>(inverse_bind);
  auto* const out = reinterpret_cast<float*>(palette);
  for (std::size_t i = 0; i < bone_count; ++i) {
    const Columns product = concatenate(outer + 6 * i, load_exact(inner + 6 * i));
    _mm_storeu_ps(out + 6 * i, _mm256_castps256_ps128(product));
    _mm_storel_pi(reinterpret_cast<__m64*>(out + 6 * i + 4), _mm256_extractf128_ps(product, 1));
  }
}

/// One more than the largest bone that any slot names.
std::size_t bones_named(const Vertex* vertices, std::size_t vertex_count) {
  // Eight bytes of bones, then some of the weights.
  const auto bones_of = [&](std::size_t vertex) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(vertices[vertex].bones));
  };
  __m128i even = _mm_setzero_si128();
  __m128i odd = _mm_setzero_si128();
  std::size_t i = 0;
  for (; i + 4 <= vertex_count; i += 4) {
    even = _mm_max_epu16(_mm_max_epu16(even, bones_of(i)), bones_of(i + 2));
    odd = _mm_max_epu16(_mm_max_epu16(odd, bones_of(i + 1)), bones_of(i + 3));
  }
  for (; i < vertex_count; ++i) even = _mm_max_epu16(even, bones_of(i));
  return largest_of_four(static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_max_epu16(even, odd)))) + 1;
}

void skin(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, std::size_t bone_count,
          Vec2* out) noexcept {
  const auto* const transforms = reinterpret_cast<const float*>(palette);
  const std::size_t named = bones_named(vertices, vertex_count);
  if (named > bone_count || !all_finite<Eight>(transforms, 6 * named)) {
    return kScalarKernels.skin(vertices, vertex_count, palette, bone_count, out);
  }
  for (std::size_t i = 0; i < vertex_count; ++i) {
    const Vertex& vertex = vertices[i];
    const auto weighted = [&](int slot) {
      return _mm256_set1_ps(vertex.weights[slot]) * load_exact(transforms + std::size_t{6} * vertex.bones[slot]);
    };
    Columns sum = weighted(0) + weighted(1);
    if (uses_last_slots(vertex)) sum = sum + weighted(2) + weighted(3);
    const __m128 position = _mm_loadu_ps(&vertex.x);
    const __m128 turned = _mm256_castps256_ps128(sum) * _mm_permute_ps(position, 0b0101'0000);
    const __m128 skinned = turned + _mm_permute_ps(turned, 0b1110) + _mm256_extractf128_ps(sum, 1);
    _mm_storel_pi(reinterpret_cast<__m64*>(out + i), skinned);
  }
}

}  // namespace

const PoseKernels kAvx2Kernels{"AVX2", mix<Eight>, compose, build_palette, skin};

}  // namespace pchr

#endif
