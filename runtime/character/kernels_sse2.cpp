// SPDX-License-Identifier: MIT
// Kernels for every x86-64 processor.
#if defined(__x86_64__)

#include "character/lanes.hpp"

#include <emmintrin.h>

namespace pchr {
namespace {

/// Shuffles lanes as integers. Shuffling floats would copy them first.
template <int... kLanes>
Four pick(Four values) {
  using Ints = std::int32_t __attribute__((vector_size(16)));
  const auto bits = reinterpret_cast<Ints>(values);
  return reinterpret_cast<Four>(__builtin_shufflevector(bits, bits, kLanes...));
}

struct Sse2 {
  static constexpr const char* kName = "SSE2";
  static constexpr const PoseKernels& kNarrower = kScalarKernels;
  static constexpr std::size_t kWidth = 4;
  using Floats = Four;
  using Ints = std::int32_t __attribute__((vector_size(16)));

  static bool any(Ints lanes) { return _mm_movemask_epi8(reinterpret_cast<__m128i>(lanes)) != 0; }
  /// Rounds down numbers that fit in an int. A zero loses its sign.
  static Floats floor_small(Floats values) {
    const auto whole = __builtin_convertvector(__builtin_convertvector(values, Ints), Floats);
    return whole - (whole > values ? Floats{} + 1.0F : Floats{});
  }
  /// Rounds up numbers that have a fraction. Keeps the sign of a zero.
  static Floats ceil(Floats values) {
    const auto bits = reinterpret_cast<Ints>(values);
    const auto whole = __builtin_convertvector(__builtin_convertvector(values, Ints), Floats);
    const Floats up = whole + (whole < values ? Floats{} + 1.0F : Floats{});
    const auto has_fraction = reinterpret_cast<Floats>(bits & INT32_MAX) < 8388608.0F;
    return reinterpret_cast<Floats>(has_fraction ? reinterpret_cast<Ints>(up) | (bits & INT32_MIN) : bits);
  }

  /// Columns (a, b, c, d) of a transform, and its translation in the first two lanes.
  struct Columns {
    Four turn, translation;

    friend Columns operator*(float factor, const Columns& columns) {
      return {factor * columns.turn, factor * columns.translation};
    }
    friend Columns operator+(const Columns& a, const Columns& b) {
      return {a.turn + b.turn, a.translation + b.translation};
    }
  };

  template <bool kExact>
  static Columns load(const float* affine) {
    return {load_as<Four>(affine), load_pair(affine + 4)};
  }
  template <bool kExact>
  static void store(const Columns& columns, float* affine) {
    store_as(columns.turn, affine);
    store_pair(columns.translation, affine + 4);
  }

  static Four apply(const Columns& columns, Four point) {
    const Four moved = columns.turn * __builtin_shufflevector(point, point, 0, 0, 1, 1);
    return moved + pick<2, 3, 2, 3>(moved) + columns.translation;
  }
  static Columns concatenate(const Columns& outer, const Columns& inner) {
    return {pick<0, 1, 0, 1>(outer.turn) * pick<0, 0, 2, 2>(inner.turn) +
                pick<2, 3, 2, 3>(outer.turn) * pick<1, 1, 3, 3>(inner.turn),
            apply(outer, inner.translation)};
  }
  static Columns concatenate(const float* outer, const Columns& inner) { return concatenate(load<true>(outer), inner); }

  /// Writes the transforms of four bones whose values are side by side.
  [[gnu::always_inline]] static void transpose(Four a, Four b, Four c, Four d, Four x, Four y, Columns* out) {
    const auto put_two = [&](Four ab, Four cd, Four xy) {
      *out++ = {_mm_movelh_ps(ab, cd), xy};
      *out++ = {_mm_movehl_ps(cd, ab), _mm_movehl_ps(xy, xy)};
    };
    put_two(_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d), _mm_unpacklo_ps(x, y));
    put_two(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d), _mm_unpackhi_ps(x, y));
  }
};

}  // namespace

const PoseKernels kSse2Kernels = kKernels<Sse2>;

}  // namespace pchr

#endif
