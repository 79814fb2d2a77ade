// SPDX-License-Identifier: MIT
// The kernels for every x86-64 processor.
#include "character/kernels.hpp"

#if defined(__x86_64__)

#include "character/lanes.hpp"

#include <emmintrin.h>

namespace pchr {
namespace {

struct Four {
  using Floats = __m128;
  static constexpr std::size_t kWidth = 4;

  struct Whole {};
  struct First {
    explicit First(std::size_t lanes) : count(lanes) {}
    std::size_t count;
  };

  static Floats all(float value) { return _mm_set1_ps(value); }
  static Floats load(const float* from, Whole) { return _mm_loadu_ps(from); }
  static Floats load(const float* from, First part) {
    const Floats one = _mm_load_ss(from);
    if (part.count == 1) return one;
    const Floats two = _mm_unpacklo_ps(one, _mm_load_ss(from + 1));
    return part.count == 2 ? two : _mm_movelh_ps(two, _mm_load_ss(from + 2));
  }
  static void store(Floats values, float* to, Whole) { _mm_storeu_ps(to, values); }
  static void store(Floats values, float* to, First part) {
    _mm_store_ss(to, values);
    if (part.count > 1) _mm_store_ss(to + 1, _mm_shuffle_ps(values, values, 1));
    if (part.count > 2) _mm_store_ss(to + 2, _mm_movehl_ps(values, values));
  }
  template <typename T>
  static void copy(const T* from, T* to, Whole) {
    __builtin_memcpy(to, from, kWidth * sizeof(T));
  }
  template <typename T>
  static void copy(const T* from, T* to, First part) {
    for (std::size_t i = 0; i < part.count; ++i) to[i] = from[i];
  }

  static Floats negated(Floats values) { return _mm_xor_ps(values, all(-0.0F)); }
  /// Rounds where the number has a fraction at all; keeps the sign of a zero.
  static Floats ceil(Floats values) {
    const Floats signs = _mm_and_ps(values, all(-0.0F));
    const Floats whole = _mm_cvtepi32_ps(_mm_cvttps_epi32(values));
    const Floats up = whole + _mm_and_ps(_mm_cmplt_ps(whole, values), all(1.0F));
    const Floats has_fraction = _mm_cmplt_ps(_mm_andnot_ps(all(-0.0F), values), all(8388608.0F));
    return _mm_or_ps(_mm_and_ps(has_fraction, _mm_or_ps(up, signs)), _mm_andnot_ps(has_fraction, values));
  }
  /// Of numbers that an int holds. A zero loses its sign.
  static Floats floor_small(Floats values) {
    const Floats whole = _mm_cvtepi32_ps(_mm_cvttps_epi32(values));
    return whole - _mm_and_ps(_mm_cmpgt_ps(whole, values), all(1.0F));
  }
  static bool any_beyond(Floats values, float most) {
    return _mm_movemask_ps(_mm_cmpnle_ps(_mm_andnot_ps(all(-0.0F), values), all(most))) != 0;
  }
  static void turn_by_quarters(Floats quarter, Floats sine, Floats cosine, Floats& turned_sine, Floats& turned_cosine) {
    const __m128i number = _mm_cvttps_epi32(quarter);
    const Floats odd = _mm_castsi128_ps(_mm_srai_epi32(_mm_slli_epi32(number, 31), 31));
    const auto sign = [](__m128i quarters) {
      return _mm_castsi128_ps(_mm_slli_epi32(_mm_and_si128(quarters, _mm_set1_epi32(2)), 30));
    };
    const Floats exchange = _mm_and_ps(_mm_xor_ps(sine, cosine), odd);
    const __m128i next = _mm_add_epi32(number, _mm_set1_epi32(1));
    turned_sine = _mm_xor_ps(_mm_xor_ps(sine, exchange), sign(number));
    turned_cosine = _mm_xor_ps(_mm_xor_ps(cosine, exchange), sign(next));
  }
};

/// The columns (a, b, c, d), and the translation in the first two lanes.
struct Columns {
  __m128 turn;
  __m128 translation;
};

template <int kFirst, int kSecond, int kThird, int kFourth>
__m128 pick(__m128 values) {
  constexpr int kLanes = kFirst | kSecond << 2 | kThird << 4 | kFourth << 6;
  return _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(values), kLanes));
}

__m128 load_pair(const float* pair) {
  return _mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(pair)));
}

Columns load(const float* affine) { return {_mm_loadu_ps(affine), load_pair(affine + 4)}; }

void store(const Columns& columns, float* affine) {
  _mm_storeu_ps(affine, columns.turn);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(affine + 4), _mm_castps_si128(columns.translation));
}

Columns concatenate(const Columns& outer, const Columns& inner) {
  const __m128 turn = pick<0, 1, 0, 1>(outer.turn) * pick<0, 0, 2, 2>(inner.turn) +
                      pick<2, 3, 2, 3>(outer.turn) * pick<1, 1, 3, 3>(inner.turn);
  const __m128 moved = outer.turn * _mm_unpacklo_ps(inner.translation, inner.translation);
  return {turn, moved + pick<2, 3, 2, 3>(moved) + outer.translation};
}

/// The last step of the local transforms of four bones.
template <typename Part>
void finish_columns(const Turning<Four>& turning, const FramePointers& pose, std::size_t bone, Part part,
                    Columns* locals) {
  const auto turn = turning.columns(Four::load(pose.scale_x + bone, part), Four::load(pose.scale_y + bone, part));
  const __m128 x = Four::load(pose.x + bone, part);
  const __m128 y = Four::load(pose.y + bone, part);
  const auto put_two = [&](int row, __m128 ab, __m128 cd, __m128 xy) {
    locals[row] = {_mm_movelh_ps(ab, cd), xy};
    locals[row + 1] = {_mm_movehl_ps(cd, ab), _mm_movehl_ps(xy, xy)};
  };
  put_two(0, _mm_unpacklo_ps(turn.a, turn.b), _mm_unpacklo_ps(turn.c, turn.d), _mm_unpacklo_ps(x, y));
  put_two(2, _mm_unpackhi_ps(turn.a, turn.b), _mm_unpackhi_ps(turn.c, turn.d), _mm_unpackhi_ps(x, y));
}

template <typename Part>
void four_columns(const FramePointers& pose, std::size_t bone, Part part, Columns* locals) {
  Turning<Four> turning;
  turning.reduce(Four::load(pose.rotation_degrees + bone, part));
  turning.find_sine();
  turning.find_cosine();
  finish_columns(turning, pose, bone, part, locals);
}

/// The local transforms of the eight bones from `first` on, or of as many as there are.
void local_columns(const FramePointers& pose, std::size_t first, std::size_t bone_count, Columns (&locals)[8]) {
  constexpr Four::Whole kWhole;
  if (first + 8 <= bone_count) {
    // Two in step, since neither alone keeps a processor busy.
    Turning<Four> low, high;
    low.reduce(_mm_loadu_ps(pose.rotation_degrees + first));
    high.reduce(_mm_loadu_ps(pose.rotation_degrees + first + 4));
    low.find_sine();
    high.find_sine();
    low.find_cosine();
    high.find_cosine();
    finish_columns(low, pose, first, kWhole, locals);
    finish_columns(high, pose, first + 4, kWhole, locals + 4);
    return;
  }
  for (std::size_t i = 0; first + i < bone_count; i += 4) {
    const std::size_t left = bone_count - first - i;
    if (left >= 4) {
      four_columns(pose, first + i, kWhole, locals + i);
    } else {
      four_columns(pose, first + i, Four::First(left), locals + i);
    }
  }
}

template <bool kPalette>
void compose_all(const Bone* bones, std::size_t bone_count, const FramePointers& pose, float* world,
                 const float* inverse_bind, float* palette) {
  // Each eight bones are turned before the eight ahead of them are composed, so that the processor does both at once.
  Columns locals[2][8];
  local_columns(pose, 0, bone_count, locals[0]);
  for (std::size_t block = 0; block < bone_count; block += 8) {
    local_columns(pose, block + 8, bone_count, locals[(block / 8 + 1) % 2]);
    const Columns* local = locals[block / 8 % 2];
    const std::size_t end = bone_count - block < 8 ? bone_count : block + 8;
    for (std::size_t bone = block; bone < end; ++bone, ++local) {
      const auto parent = static_cast<std::int32_t>(bones[bone].parent);
      const Columns own = parent < 0 ? *local : concatenate(load(world + std::ptrdiff_t{6} * parent), *local);
      store(own, world + 6 * bone);
      if (kPalette) store(concatenate(own, load(inverse_bind + 6 * bone)), palette + 6 * bone);
    }
  }
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
    store(concatenate(load(outer + 6 * i), load(inner + 6 * i)), out + 6 * i);
  }
}

/// One more than the largest bone that any slot names.
std::size_t bones_named(const Vertex* vertices, std::size_t vertex_count) {
  __m128i most = _mm_setzero_si128();
  for (std::size_t i = 0; i < vertex_count; ++i) {
    const __m128i bones = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(vertices[i].bones));
    most = _mm_add_epi16(most, _mm_subs_epu16(bones, most));
  }
  return largest_of_four(static_cast<std::uint64_t>(_mm_cvtsi128_si64(most))) + 1;
}

void skin(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, std::size_t bone_count,
          Vec2* out) noexcept {
  const auto* const transforms = reinterpret_cast<const float*>(palette);
  const std::size_t named = bones_named(vertices, vertex_count);
  if (named > bone_count || !all_finite<Four>(transforms, 6 * named)) {
    return kScalarKernels.skin(vertices, vertex_count, palette, bone_count, out);
  }
  for (std::size_t i = 0; i < vertex_count; ++i) {
    const Vertex& vertex = vertices[i];
    const auto weighted = [&](int slot) {
      const Columns columns = load(transforms + std::size_t{6} * vertex.bones[slot]);
      const __m128 weight = _mm_set1_ps(vertex.weights[slot]);
      return Columns{weight * columns.turn, weight * columns.translation};
    };
    const auto plus = [](const Columns& a, const Columns& b) {
      return Columns{a.turn + b.turn, a.translation + b.translation};
    };
    Columns sum = plus(weighted(0), weighted(1));
    if (uses_last_slots(vertex)) sum = plus(plus(sum, weighted(2)), weighted(3));
    const __m128 position = load_pair(&vertex.x);
    const __m128 turned = sum.turn * _mm_unpacklo_ps(position, position);
    const __m128 skinned = turned + pick<2, 3, 2, 3>(turned) + sum.translation;
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + i), _mm_castps_si128(skinned));
  }
}

}  // namespace

const PoseKernels kSse2Kernels{"SSE2", mix<Four>, compose, build_palette, skin};

}  // namespace pchr

#endif
