// SPDX-License-Identifier: MIT
// Kernels for processors with AVX2. Only this file is compiled for AVX2.
#if defined(__x86_64__)

#include "character/lanes.hpp"

#include <immintrin.h>

namespace pchr {
namespace {

struct Avx2 {
  static constexpr const char* kName = "AVX2";
  static constexpr const PoseKernels& kNarrower = kSse2Kernels;
  static constexpr std::size_t kWidth = 8;
  using Floats = __m256;
  using Ints = std::int32_t __attribute__((vector_size(32)));

  static bool any(Ints lanes) { return _mm256_movemask_epi8(reinterpret_cast<__m256i>(lanes)) != 0; }
  static Floats floor_small(Floats values) { return _mm256_floor_ps(values); }
  static Floats ceil(Floats values) { return _mm256_ceil_ps(values); }

  /// Six floats of a transform in order, then two unused lanes.
  using Columns = __m256;

  // Not a constant, because its initialization could run before main on a processor without AVX2.
  static __m256i six_lanes() { return _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, 0, 0); }

  template <bool kExact>
  static Columns load(const float* affine) {
    return kExact ? _mm256_maskload_ps(affine, six_lanes()) : _mm256_loadu_ps(affine);
  }
  template <bool kExact>
  static void store(Columns columns, float* affine) {
    if (kExact) return _mm256_maskstore_ps(affine, six_lanes(), columns);
    // Stored in halves, because children soon load halves, and those forward faster.
    _mm_storeu_ps(affine, _mm256_castps256_ps128(columns));
    _mm_storeu_ps(affine + 4, _mm256_extractf128_ps(columns, 1));
  }

  static Four apply(Columns columns, Four point) {
    const Four moved = _mm256_castps256_ps128(columns) * __builtin_shufflevector(point, point, 0, 0, 1, 1);
    return moved + __builtin_shufflevector(moved, moved, 2, 3, 2, 3) + _mm256_extractf128_ps(columns, 1);
  }
  /// Concatenates the transform with the columns `x` and `y`, each repeated four times, and the translation of `outer`.
  /// The columns without a translation add -0, the only zero that keeps the sign of their own zeros.
  static Columns concatenate(__m256d x, __m256d y, __m256 outer, Columns inner) {
    const __m256 translation = _mm256_blend_ps(_mm256_set1_ps(-0.0F), outer, 0b0011'0000);
    return _mm256_castpd_ps(x) * _mm256_moveldup_ps(inner) + _mm256_castpd_ps(y) * _mm256_movehdup_ps(inner) +
           translation;
  }
  static Columns concatenate(Columns outer, Columns inner) {
    const __m256d pairs = _mm256_castps_pd(outer);
    return concatenate(_mm256_permute4x64_pd(pairs, 0b0000'0000), _mm256_permute4x64_pd(pairs, 0b0101'0101), outer,
                       inner);
  }
  static Columns concatenate(const float* outer, Columns inner) {
    const auto pair = [&](int first) { return _mm256_set1_pd(load_as<double>(outer + first)); };
    return concatenate(pair(0), pair(2), _mm256_castpd_ps(pair(4)), inner);
  }

  /// Writes the transforms of eight bones whose values are side by side.
  [[gnu::always_inline]] static void transpose(__m256 a, __m256 b, __m256 c, __m256 d, __m256 x, __m256 y,
                                               Columns* out) {
    const auto put = [&](int row, __m256 four, __m256 translation) {
      out[row] = _mm256_permute2f128_ps(four, translation, 0x20);
      out[row + 4] = _mm256_permute2f128_ps(four, translation, 0x31);
    };
    const auto put_two = [&](int row, __m256 ab, __m256 cd, __m256 xy) {
      put(row, _mm256_shuffle_ps(ab, cd, 0x88), _mm256_permute_ps(xy, 0x88));
      put(row + 1, _mm256_shuffle_ps(ab, cd, 0xDD), _mm256_permute_ps(xy, 0xDD));
    };
    put_two(0, _mm256_shuffle_ps(a, b, 0x44), _mm256_shuffle_ps(c, d, 0x44), _mm256_shuffle_ps(x, y, 0x44));
    put_two(2, _mm256_shuffle_ps(a, b, 0xEE), _mm256_shuffle_ps(c, d, 0xEE), _mm256_shuffle_ps(x, y, 0xEE));
  }
};

}  // namespace

const PoseKernels kAvx2Kernels = kKernels<Avx2>;

}  // namespace pchr

#endif
