// SPDX-License-Identifier: MIT
// Kernels for vectors of eight floats, for processors with AVX2. Only this file is compiled for AVX2.
#include "compiler/compiler.hpp"

#ifdef PCHR_X86_64

#include "character/kernels_any_width.hpp"

#include <immintrin.h>

namespace pchr {
namespace {

struct EightLanes {
  static constexpr const char* kName = "AVX2";
  static constexpr const PoseKernels& kNarrower = kFourLaneKernels;
  static constexpr std::size_t kWidth = 8;
  using Floats = Float8;
  using Ints = Int8;
  using Bytes = Byte8;

  static bool any(Ints lanes) { return _mm256_movemask_epi8(in_register(lanes)) != 0; }
  static Floats floor_small(Floats values) { return _mm256_floor_ps(in_register(values)); }
  static Floats ceil(Floats values) { return _mm256_ceil_ps(in_register(values)); }

  /// Six floats of a transform in order, then two unused lanes.
  using Columns = Float8;

  // Not a constant, because its initialization could run before main on a processor without AVX2.
  static __m256i six_lanes() { return _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, 0, 0); }

  template <bool kExact>
  static Columns load(const float* affine) {
    return Columns(kExact ? _mm256_maskload_ps(affine, six_lanes()) : _mm256_loadu_ps(affine));
  }
  template <bool kExact>
  static void store(Columns columns, float* affine) {
    if (!kExact) return _mm256_storeu_ps(affine, in_register(columns));
    // A masked store takes many times as long on AMD's processors.
    _mm_storeu_ps(affine, _mm256_castps256_ps128(in_register(columns)));
    _mm_storel_pi(reinterpret_cast<__m64*>(affine + 4), _mm256_extractf128_ps(in_register(columns), 1));
  }
  /// Stores in halves, because children soon load halves, and those forward faster.
  static void store_for_children(Columns columns, float* affine) {
    _mm_storeu_ps(affine, _mm256_castps256_ps128(in_register(columns)));
    _mm_storeu_ps(affine + 4, _mm256_extractf128_ps(in_register(columns), 1));
  }

  static Float4 apply(Columns columns, Float4 point) {
    const Float4 turn = _mm256_castps256_ps128(in_register(columns));
    const Float4 translation = _mm256_extractf128_ps(in_register(columns), 1);
    const Float4 moved = turn * shuffle<0, 0, 1, 1>(point);
    return moved + shuffle<2, 3, 2, 3>(moved) + translation;
  }

  /// Two transforms: their linear parts side by side, and their translations.
  struct Two {
    Float8 turns, translations;
  };
  static Two both(Columns a, Columns b) {
    return {_mm256_permute2f128_ps(in_register(a), in_register(b), 0x20),
            _mm256_permute2f128_ps(in_register(a), in_register(b), 0x31)};
  }
  /// A point in the first two lanes of each half.
  using Points = Float8;
  static Points load_points(const float* a, const float* b) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
  }
  static Points apply(const Two& two, Points points) {
    const Float8 moved = two.turns * Float8(_mm256_permute_ps(in_register(points), 0x50));
    return moved + Float8(_mm256_permute_ps(in_register(moved), 0xEE)) + two.translations;
  }
  static Float4 side_by_side(Points points) {
    return _mm_movelh_ps(_mm256_castps256_ps128(in_register(points)), _mm256_extractf128_ps(in_register(points), 1));
  }
  static void store_points(Points points, void* a, void* b) {
    store_pair(Float4(_mm256_castps256_ps128(in_register(points))), a);
    store_pair(Float4(_mm256_extractf128_ps(in_register(points), 1)), b);
  }

  /// Concatenates the transform with the columns `x` and `y`, each repeated four times, and the translation of `outer`.
  /// The columns without a translation add -0, the only zero that keeps the sign of their own zeros.
  static Columns concatenate(__m256d x, __m256d y, __m256 outer, Columns inner) {
    const __m256 translation = _mm256_blend_ps(_mm256_set1_ps(-0.0F), outer, 0b0011'0000);
    const __m256 across = _mm256_mul_ps(_mm256_castpd_ps(x), _mm256_moveldup_ps(in_register(inner)));
    const __m256 along = _mm256_mul_ps(_mm256_castpd_ps(y), _mm256_movehdup_ps(in_register(inner)));
    return _mm256_add_ps(_mm256_add_ps(across, along), translation);
  }
  static Columns concatenate(Columns outer, Columns inner) {
    const __m256d pairs = _mm256_castps_pd(in_register(outer));
    return concatenate(_mm256_permute4x64_pd(pairs, 0b0000'0000), _mm256_permute4x64_pd(pairs, 0b0101'0101),
                       in_register(outer), inner);
  }
  static Columns concatenate(const float* outer, Columns inner) {
    const auto pair = [&](int first) { return _mm256_set1_pd(load_as<double>(outer + first)); };
    return concatenate(pair(0), pair(2), _mm256_castpd_ps(pair(4)), inner);
  }

  /// Writes the transforms of eight bones whose values are side by side.
  PCHR_ALWAYS_INLINE static void transpose(Float8 a, Float8 b, Float8 c, Float8 d, Float8 x, Float8 y, Columns* out) {
    const auto put = [&](int row, __m256 four, __m256 translation) {
      out[row] = _mm256_permute2f128_ps(four, translation, 0x20);
      out[row + 4] = _mm256_permute2f128_ps(four, translation, 0x31);
    };
    const auto put_two = [&](int row, __m256 ab, __m256 cd, __m256 xy) {
      put(row, _mm256_shuffle_ps(ab, cd, 0x88), _mm256_permute_ps(xy, 0x88));
      put(row + 1, _mm256_shuffle_ps(ab, cd, 0xDD), _mm256_permute_ps(xy, 0xDD));
    };
    const auto low = [](Float8 u, Float8 v) { return _mm256_shuffle_ps(in_register(u), in_register(v), 0x44); };
    const auto high = [](Float8 u, Float8 v) { return _mm256_shuffle_ps(in_register(u), in_register(v), 0xEE); };
    put_two(0, low(a, b), low(c, d), low(x, y));
    put_two(2, high(a, b), high(c, d), high(x, y));
  }

  /// Transposes four rows of four floats in each half.
  PCHR_ALWAYS_INLINE static void transpose_halves(__m256 a, __m256 b, __m256 c, __m256 d, __m256* out) {
    const __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
    const __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
    out[0] = _mm256_shuffle_ps(ab_low, cd_low, 0x44);
    out[1] = _mm256_shuffle_ps(ab_low, cd_low, 0xEE);
    out[2] = _mm256_shuffle_ps(ab_high, cd_high, 0x44);
    out[3] = _mm256_shuffle_ps(ab_high, cd_high, 0xEE);
  }
  /// Transposes eight rows of eight floats, from element `at` on.
  PCHR_ALWAYS_INLINE static void load_columns(const float* const* rows, std::size_t at, Floats* out) {
    const auto load_half = [&](int first) {
      const auto two = [&](int row) {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[row] + at + first)),
                                    _mm_loadu_ps(rows[row + 4] + at + first), 1);
      };
      __m256 columns[4];
      transpose_halves(two(0), two(1), two(2), two(3), columns);
      for (int i = 0; i < 4; ++i) out[first + i] = columns[i];
    };
    load_half(0);
    load_half(4);
  }
  /// Writes one transform to each row, from element `at` on, followed by 1 and 0.
  template <typename Affines>
  PCHR_ALWAYS_INLINE static void store_entries(const Affines& affines, float* const* rows, std::size_t at) {
    __m256 turns[4], moves[4];
    transpose_halves(in_register(affines.a), in_register(affines.b), in_register(affines.c), in_register(affines.d),
                     turns);
    transpose_halves(in_register(affines.x), in_register(affines.y), _mm256_set1_ps(1), _mm256_setzero_ps(), moves);
    for (int i = 0; i < 4; ++i) {
      _mm256_storeu_ps(rows[i] + at, _mm256_permute2f128_ps(turns[i], moves[i], 0x20));
      _mm256_storeu_ps(rows[i + 4] + at, _mm256_permute2f128_ps(turns[i], moves[i], 0x31));
    }
  }
};

}  // namespace

const PoseKernels kEightLaneKernels = kKernels<EightLanes>;

}  // namespace pchr

#endif
