// SPDX-License-Identifier: MIT
// Kernels for vectors of four floats, which every x86-64 and ARM64 processor has.
#include "compiler/compiler.hpp"

#ifdef PCHR_FOUR_LANES

#include "character/kernels_any_width.hpp"

namespace pchr {
namespace {

/// Shuffles lanes as integers. Shuffling floats would copy them first.
template <int... kLanes>
Float4 pick(Float4 values) {
  return bits_as<Float4>(shuffle<kLanes...>(bits_as<Int4>(values)));
}

/// Reads two floats into the first two lanes.
Float4 load_pair(const float* pair) { return bits_as<Float4>(Double2{load_as<double>(pair), 0}); }

struct FourLanes {
  static constexpr const char* kName = PCHR_FOUR_LANES;
  static constexpr const PoseKernels& kNarrower = kScalarKernels;
  static constexpr std::size_t kWidth = 4;
  using Floats = Float4;
  using Ints = Int4;
  using Bytes = Byte4;

  static bool any(Ints lanes) { return pchr::any(lanes); }
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
  static Float4 side_by_side(const Points& points) { return shuffle<0, 1, 4, 5>(points.a, points.b); }
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
    const auto put_two = [&](Float4 ab, Float4 cd, Float4 xy) {
      *out++ = {shuffle<0, 1, 4, 5>(ab, cd), xy};
      *out++ = {shuffle<2, 3, 6, 7>(ab, cd), shuffle<2, 3, 6, 7>(xy, xy)};
    };
    put_two(interleave_low(a, b), interleave_low(c, d), interleave_low(x, y));
    put_two(interleave_high(a, b), interleave_high(c, d), interleave_high(x, y));
  }

  /// Transposes four rows of four floats.
  PCHR_ALWAYS_INLINE static void transpose(Floats a, Floats b, Floats c, Floats d, Floats* out) {
    const Floats ab_low = interleave_low(a, b), cd_low = interleave_low(c, d);
    const Floats ab_high = interleave_high(a, b), cd_high = interleave_high(c, d);
    out[0] = shuffle<0, 1, 4, 5>(ab_low, cd_low);
    out[1] = shuffle<2, 3, 6, 7>(ab_low, cd_low);
    out[2] = shuffle<0, 1, 4, 5>(ab_high, cd_high);
    out[3] = shuffle<2, 3, 6, 7>(ab_high, cd_high);
  }
  PCHR_ALWAYS_INLINE static void load_columns(const float* const* rows, std::size_t at, Floats* out) {
    const auto row = [&](int i) { return load_as<Floats>(rows[i] + at); };
    transpose(row(0), row(1), row(2), row(3), out);
  }
  /// Writes one transform to each row, from element `at` on, followed by 1 and 0.
  template <typename Affines>
  PCHR_ALWAYS_INLINE static void store_entries(const Affines& affines, float* const* rows, std::size_t at) {
    Floats turns[4], moves[4];
    transpose(affines.a, affines.b, affines.c, affines.d, turns);
    transpose(affines.x, affines.y, all_lanes<Floats>(1.0F), Floats{}, moves);
    for (int i = 0; i < 4; ++i) {
      store_as(turns[i], rows[i] + at);
      store_as(moves[i], rows[i] + at + 4);
    }
  }
};

}  // namespace

const PoseKernels kFourLaneKernels = kKernels<FourLanes>;

}  // namespace pchr

#endif
