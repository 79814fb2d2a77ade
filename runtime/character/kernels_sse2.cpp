// SPDX-License-Identifier: MIT
// Kernels for every x86-64 processor.
#include "compiler/compiler.hpp"

#ifdef PCHR_X86_64

#include "character/row_lanes.hpp"

#include <emmintrin.h>

namespace pchr {
namespace {

/// Shuffles lanes as integers. Shuffling floats would copy them first.
template <int... kLanes>
Float4 pick(Float4 values) {
  return bits_as<Float4>(shuffle<kLanes...>(bits_as<Int4>(values)));
}

/// Reads two floats into the first two lanes.
Float4 load_pair(const float* pair) { return bits_as<Float4>(Double2{load_as<double>(pair), 0}); }

struct Sse2 {
  static constexpr const char* kName = "SSE2";
  static constexpr const PoseKernels& kNarrower = kScalarKernels;
  static constexpr std::size_t kWidth = 4;
  using Floats = Float4;
  using Ints = Int4;
  using Bytes = std::uint32_t;

  static bool any(Ints lanes) { return _mm_movemask_epi8(in_register(lanes)) != 0; }
  /// Rounds down numbers that fit in an int. A zero loses its sign.
  static Floats floor_small(Floats values) {
    const auto whole = to_floats(truncate(values));
    return whole - select(whole > values, all_lanes<Floats>(1.0F), Floats{});
  }
  /// Rounds up numbers that have a fraction. Keeps the sign of a zero.
  static Floats ceil(Floats values) {
    const auto bits = bits_as<Ints>(values);
    const auto whole = to_floats(truncate(values));
    const Floats up = whole + select(whole < values, all_lanes<Floats>(1.0F), Floats{});
    const auto has_fraction = bits_as<Floats>(bits & INT32_MAX) < 8388608.0F;
    return bits_as<Floats>(select(has_fraction, bits_as<Ints>(up) | (bits & INT32_MIN), bits));
  }

  /// Columns (a, b, c, d) of a transform, and its translation in the first two lanes.
  struct Columns {
    Float4 turn, translation;

    friend Columns operator*(float factor, const Columns& columns) {
      return {factor * columns.turn, factor * columns.translation};
    }
    friend Columns operator+(const Columns& a, const Columns& b) {
      return {a.turn + b.turn, a.translation + b.translation};
    }
  };

  template <bool kExact>
  static Columns load(const float* affine) {
    return {load_as<Float4>(affine), load_pair(affine + 4)};
  }
  template <bool kExact>
  static void store(const Columns& columns, float* affine) {
    store_as(columns.turn, affine);
    store_pair(columns.translation, affine + 4);
  }
  static void store_for_children(const Columns& columns, float* affine) { store<true>(columns, affine); }

  static Float4 apply(const Columns& columns, Float4 point) {
    const Float4 moved = columns.turn * shuffle<0, 0, 1, 1>(point);
    return moved + pick<2, 3, 2, 3>(moved) + columns.translation;
  }

  struct Two {
    Columns a, b;
  };
  static Two both(const Columns& a, const Columns& b) { return {a, b}; }
  struct Points {
    Float4 a, b;
  };
  static Points load_points(const float* a, const float* b) { return {load_as<Float4>(a), load_as<Float4>(b)}; }
  static Points apply(const Two& two, const Points& points) { return {apply(two.a, points.a), apply(two.b, points.b)}; }
  static Float4 side_by_side(const Points& points) {
    return _mm_movelh_ps(in_register(points.a), in_register(points.b));
  }
  static void store_points(const Points& points, void* a, void* b) {
    store_pair(points.a, a);
    store_pair(points.b, b);
  }

  static Columns concatenate(const Columns& outer, const Columns& inner) {
    return {pick<0, 1, 0, 1>(outer.turn) * pick<0, 0, 2, 2>(inner.turn) +
                pick<2, 3, 2, 3>(outer.turn) * pick<1, 1, 3, 3>(inner.turn),
            apply(outer, inner.translation)};
  }
  static Columns concatenate(const float* outer, const Columns& inner) { return concatenate(load<true>(outer), inner); }

  /// Writes the transforms of four bones whose values are side by side.
  PCHR_ALWAYS_INLINE static void transpose(Float4 a, Float4 b, Float4 c, Float4 d, Float4 x, Float4 y, Columns* out) {
    const auto put_two = [&](__m128 ab, __m128 cd, __m128 xy) {
      *out++ = {_mm_movelh_ps(ab, cd), xy};
      *out++ = {_mm_movehl_ps(cd, ab), _mm_movehl_ps(xy, xy)};
    };
    const auto low = [](Float4 u, Float4 v) { return _mm_unpacklo_ps(in_register(u), in_register(v)); };
    const auto high = [](Float4 u, Float4 v) { return _mm_unpackhi_ps(in_register(u), in_register(v)); };
    put_two(low(a, b), low(c, d), low(x, y));
    put_two(high(a, b), high(c, d), high(x, y));
  }

  /// Transposes four rows of four floats.
  PCHR_ALWAYS_INLINE static void transpose(__m128 a, __m128 b, __m128 c, __m128 d, Floats* out) {
    _MM_TRANSPOSE4_PS(a, b, c, d);
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
  }
  PCHR_ALWAYS_INLINE static void load_columns(const float* const* rows, Floats* out) {
    transpose(_mm_loadu_ps(rows[0]), _mm_loadu_ps(rows[1]), _mm_loadu_ps(rows[2]), _mm_loadu_ps(rows[3]), out);
  }
  /// Writes one transform to each row, from element `at` on, followed by 1 and 0.
  template <typename Affines>
  PCHR_ALWAYS_INLINE static void store_entries(const Affines& affines, float* const* rows, std::size_t at) {
    Floats turns[4], moves[4];
    transpose(in_register(affines.a), in_register(affines.b), in_register(affines.c), in_register(affines.d), turns);
    transpose(in_register(affines.x), in_register(affines.y), _mm_set1_ps(1), _mm_setzero_ps(), moves);
    for (int i = 0; i < 4; ++i) {
      store_as(turns[i], rows[i] + at);
      store_as(moves[i], rows[i] + at + 4);
    }
  }
};

}  // namespace

const PoseKernels kSse2Kernels = kKernels<Sse2>;

}  // namespace pchr

#endif
