// SPDX-License-Identifier: MIT
// Kernels for any vector width. The source file of each instruction set includes this header and defines its `Set`.
// Everything here has internal linkage, so that code for one set is never linked into another.
#pragma once

#include "character/kernels.hpp"
#include "character/sine_cosine.hpp"
#include "compiler/vectors.hpp"

#include <utility>

namespace pchr {
namespace {

/// Writes the first two lanes.
void store_pair(Float4 values, void* pair) { store_as(bits_as<Double2>(values)[0], pair); }

/// Returns which lanes are farther from 0 than `max`, or NaN.
template <typename Set>
typename Set::Ints beyond(typename Set::Floats values, float max) {
  const auto size = bits_as<typename Set::Floats>(bits_as<typename Set::Ints>(values) & INT32_MAX);
  return ~(size <= max);
}

// These functions are always inlined, because calls would pass their vectors through memory.

/// Interpolates along a line.
template <typename Set>
struct Line {
  using Floats = typename Set::Floats;
  PCHR_ALWAYS_INLINE static Floats change(Floats from, Floats to) { return to - from; }
  PCHR_ALWAYS_INLINE static Floats between(Floats from, Floats to, float factor) { return from + (to - from) * factor; }
};

/// Interpolates angles along the shortest arc.
template <typename Set>
struct Arc {
  using Floats = typename Set::Floats;
  /// See turn_between().
  PCHR_ALWAYS_INLINE static Floats change(Floats from, Floats to) {
    const Floats difference = to - from;
    const Floats turns = Set::ceil(difference / 360.0F - 0.5F);
    return difference - 360.0F * turns;
  }
  PCHR_ALWAYS_INLINE static Floats between(Floats from, Floats to, float factor) {
    return from + change(from, to) * factor;
  }
};

/// One array of BetweenFrames.
struct ArrayBetween {
  const float* frame;  ///< Null if every value is 1.
  const float* next;
  float factor;
};

ArrayBetween array_of(const BetweenFrames& place, const float* FramePointers::* array) {
  return {place.frame.*array, place.next.*array, place.factor};
}

template <typename Set, typename Path>
PCHR_ALWAYS_INLINE inline typename Set::Floats load(const ArrayBetween& array, std::size_t bone) {
  using Floats = typename Set::Floats;
  if (array.frame == nullptr) return all_lanes<Floats>(1.0F);
  const auto values = load_as<Floats>(array.frame + bone);
  return array.factor == 0 ? values : Path::between(values, load_as<Floats>(array.next + bone), array.factor);
}

/// Stores what `load_lanes(bone)` returns, for blocks of bones.
template <typename Set, typename Load>
PCHR_ALWAYS_INLINE inline void store_blocks(const Load& load_lanes, auto* out, std::size_t bone_count) {
  // The last lanes overlap earlier ones. They are read before any are written, because `out` may be the input.
  const std::size_t last = bone_count - Set::kWidth;
  const auto last_lanes = load_lanes(last);
  for (std::size_t bone = 0; bone < last; bone += Set::kWidth) store_as(load_lanes(bone), out + bone);
  store_as(last_lanes, out + last);
}

/// Mixes one array. Arrays are mixed one after the other: together, they need more registers than there are.
template <typename Set, typename Path>
void mix_array(const ArrayBetween& from, const ArrayBetween* to, float weight, float* out, std::size_t bone_count) {
  const auto sampled = [&](std::size_t bone) { return load<Set, Path>(from, bone); };
  if (to == nullptr) return store_blocks<Set>(sampled, out, bone_count);
  const auto mixed = [&](std::size_t bone) { return Path::between(sampled(bone), load<Set, Path>(*to, bone), weight); };
  store_blocks<Set>(mixed, out, bone_count);
}

template <typename Set>
void mix(const BetweenFrames& from, const BetweenFrames* to, float weight, const PosePointers& out,
         std::size_t bone_count) noexcept {
  if (bone_count < Set::kWidth) return Set::kNarrower.mix(from, to, weight, out, bone_count);
  const auto mix_one = [&]<typename Path>(Path /*path*/, const float* FramePointers::* array, float* mixed) {
    const ArrayBetween to_array = to != nullptr ? array_of(*to, array) : ArrayBetween{};
    mix_array<Set, Path>(array_of(from, array), to != nullptr ? &to_array : nullptr, weight, mixed, bone_count);
  };
  const FramePointers& held = to != nullptr && weight >= 0.5F ? to->frame : from.frame;
  const auto copy = [&]<typename Lanes>(Lanes /*lanes*/, const auto* array, auto* copied) {
    store_blocks<Set>([&](std::size_t bone) { return load_as<Lanes>(array + bone); }, copied, bone_count);
  };
  mix_one(Line<Set>{}, &FramePointers::x, out.x);
  mix_one(Line<Set>{}, &FramePointers::y, out.y);
  mix_one(Arc<Set>{}, &FramePointers::rotation_degrees, out.rotation_degrees);
  mix_one(Line<Set>{}, &FramePointers::scale_x, out.scale_x);
  mix_one(Line<Set>{}, &FramePointers::scale_y, out.scale_y);
  mix_one(Line<Set>{}, &FramePointers::opacity, out.opacity);
  copy(typename Set::Bytes{}, held.visible, out.visible);
  copy(typename Set::Ints{}, held.z_order, out.z_order);
}

/// Writes what `lanes_at(bone)` returns to `out`, for the bones that `mask` has.
template <typename Set>
PCHR_ALWAYS_INLINE inline void store_masked(const auto& lanes_at, const std::uint8_t* mask, auto* out,
                                            std::size_t bone_count) {
  if (mask == nullptr) return store_blocks<Set>(lanes_at, out, bone_count);
  const auto masked = [&](std::size_t bone) {
    const auto lanes = lanes_at(bone);
    const auto old = load_as<decltype(lanes_at(bone))>(out + bone);
    const auto in_mask = load_as<typename Set::Bytes>(mask + bone) != 0;
    if constexpr (sizeof(lanes) == sizeof(in_mask)) {
      return select(in_mask, lanes, old);
    } else {
      return select(lanes_as<typename Set::Ints>(in_mask), lanes, old);
    }
  };
  store_blocks<Set>(masked, out, bone_count);
}

/// Does what turn_between() does where `turns` has no number, and what turn_on() does elsewhere.
template <typename Set>
PCHR_ALWAYS_INLINE inline typename Set::Floats turned(typename Set::Floats from, typename Set::Floats to,
                                                      typename Set::Floats turns) {
  constexpr float kRound = 0x1.8p23F;
  const auto difference = to - from;
  const auto whole_turns = (turns - difference) * (1.0F / 360.0F) + kRound - kRound;
  const auto next = difference + 360.0F * whole_turns;
  const auto is_new = ~(turns == turns);
  return Set::any(is_new) ? select(is_new, Arc<Set>::change(from, to), next) : next;
}

template <typename Set>
void overlay(const Overlay& overlay, const PosePointers& out, std::size_t bone_count) noexcept {
  using Floats = typename Set::Floats;
  if (bone_count < Set::kWidth) return Set::kNarrower.overlay(overlay, out, bone_count);
  const float weight = overlay.weight;
  const std::uint8_t* const mask = overlay.mask;
  const auto change_one = [&]<typename Path>(Path /*path*/, const float* FramePointers::* array, float* changed) {
    const ArrayBetween to = array_of(overlay.to, array);
    if (overlay.reference != nullptr) {
      const ArrayBetween reference{overlay.reference->*array, nullptr, 0};
      const auto added = [&](std::size_t bone) {
        const Floats change = Path::change(load<Set, Path>(reference, bone), load<Set, Path>(to, bone));
        const Floats sum = load_as<Floats>(changed + bone) + change * weight;
        if (array != &FramePointers::opacity) return sum;
        return select(sum < 0.0F, Floats{}, select(sum > 1.0F, all_lanes<Floats>(1.0F), sum));
      };
      return store_masked<Set>(added, mask, changed, bone_count);
    }
    const auto sampled = [&](std::size_t bone) { return load<Set, Path>(to, bone); };
    if (weight >= 1) return store_masked<Set>(sampled, mask, changed, bone_count);
    const auto blended = [&](std::size_t bone) {
      return Path::between(load_as<Floats>(changed + bone), sampled(bone), weight);
    };
    store_masked<Set>(blended, mask, changed, bone_count);
  };
  change_one(Line<Set>{}, &FramePointers::x, out.x);
  change_one(Line<Set>{}, &FramePointers::y, out.y);
  change_one(Line<Set>{}, &FramePointers::scale_x, out.scale_x);
  change_one(Line<Set>{}, &FramePointers::scale_y, out.scale_y);
  change_one(Line<Set>{}, &FramePointers::opacity, out.opacity);
  float* const rotation = out.rotation_degrees;
  if (overlay.turns != nullptr) {
    const ArrayBetween to = array_of(overlay.to, &FramePointers::rotation_degrees);
    const auto turn = [&](std::size_t bone) {
      return turned<Set>(load_as<Floats>(rotation + bone), load<Set, Arc<Set>>(to, bone),
                         load_as<Floats>(overlay.turns + bone));
    };
    store_blocks<Set>(turn, overlay.turns, bone_count);
  }
  if (overlay.turns != nullptr && weight < 1) {
    const auto along = [&](std::size_t bone) {
      return load_as<Floats>(rotation + bone) + load_as<Floats>(overlay.turns + bone) * weight;
    };
    store_masked<Set>(along, mask, rotation, bone_count);
  } else {
    change_one(Arc<Set>{}, &FramePointers::rotation_degrees, rotation);
  }
  if (overlay.reference != nullptr || weight < 0.5F) return;
  const auto copy = [&]<typename Lanes>(Lanes /*lanes*/, const auto* array, auto* copied) {
    store_masked<Set>([&](std::size_t bone) { return load_as<Lanes>(array + bone); }, mask, copied, bone_count);
  };
  copy(typename Set::Bytes{}, overlay.to.frame.visible, out.visible);
  copy(typename Set::Ints{}, overlay.to.frame.z_order, out.z_order);
}

/// Computes sines and cosines of kVectors vectors of angles, in steps that can be interleaved with other work; see
/// sine_cosine_degrees(). Each operation is done for all vectors before the next: operations that depend on each other
/// would fill the processor's queues and wait there.
template <typename Set, int kVectors>
struct Rotations {
  using Floats = typename Set::Floats;
  using Ints = typename Set::Ints;
  Floats quarter[kVectors], radians[kVectors], square[kVectors], sine[kVectors], cosine[kVectors];

  /// Angles must not be beyond kMaxDegrees.
  PCHR_ALWAYS_INLINE void reduce(const Floats* degrees) {
    for_each([&](int i) { quarter[i] = Set::floor_small(degrees[i] * (1.0F / 90.0F) + 0.5F); });
    for_each([&](int i) { radians[i] = (degrees[i] - quarter[i] * 90.0F) * 0.017453292519943295F; });
    for_each([&](int i) { square[i] = radians[i] * radians[i]; });
  }
  PCHR_ALWAYS_INLINE void find_sines() {
    for_each([&](int i) { sine[i] = -1.0F / 5040.0F + square[i] * (1.0F / 362880.0F); });
    for_each([&](int i) { sine[i] = 1.0F / 120.0F + square[i] * sine[i]; });
    for_each([&](int i) { sine[i] = -1.0F / 6.0F + square[i] * sine[i]; });
    for_each([&](int i) { sine[i] = radians[i] + radians[i] * square[i] * sine[i]; });
  }
  PCHR_ALWAYS_INLINE void find_cosines() {
    for_each([&](int i) { cosine[i] = 1.0F / 720.0F - square[i] * (1.0F / 40320.0F); });
    for_each([&](int i) { cosine[i] = 1.0F / 24.0F - square[i] * cosine[i]; });
    for_each([&](int i) { cosine[i] = 0.5F - square[i] * cosine[i]; });
    for_each([&](int i) { cosine[i] = 1.0F - square[i] * cosine[i]; });
  }
  /// Gives `sine` and `cosine` the signs of their quarter.
  PCHR_ALWAYS_INLINE void turn() {
    for_each([&](int i) {
      // Odd quarters swap the two. The sine is negative in quarters 2 and 3, the cosine in 1 and 2.
      const Ints number = truncate(quarter[i]), odd = number << 31;
      const Ints sine_sign = number << 30 & INT32_MIN;
      const Ints sine_bits = bits_as<Ints>(sine[i]), cosine_bits = bits_as<Ints>(cosine[i]);
      const Ints exchange = (sine_bits ^ cosine_bits) & odd >> 31;
      sine[i] = bits_as<Floats>(sine_bits ^ exchange ^ sine_sign);
      cosine[i] = bits_as<Floats>(cosine_bits ^ exchange ^ (sine_sign ^ odd));
    });
  }

 private:
  template <typename Work>
  PCHR_ALWAYS_INLINE static void for_each(const Work& work) {
    [&]<int... kVector>(std::integer_sequence<int, kVector...>) {
      (work(kVector), ...);
    }(std::make_integer_sequence<int, kVectors>{});
  }
};

/// Prepares the rotations of a block of bones, of any size.
template <typename Set>
PCHR_ALWAYS_INLINE inline void reduce_block(const FramePointers& pose, std::size_t bone, Rotations<Set, 1>& out) {
  auto degrees = load_as<typename Set::Floats>(pose.rotation_degrees + bone);
  if (Set::any(beyond<Set>(degrees, kMaxDegrees))) {
    reduce_large_angles(reinterpret_cast<float*>(&degrees), Set::kWidth);
  }
  out.reduce(&degrees);
}

/// Writes the local transforms of a block of bones.
template <typename Set>
PCHR_ALWAYS_INLINE inline void finish_block(const FramePointers& pose, std::size_t bone, Rotations<Set, 1>& rotations,
                                            typename Set::Columns* locals) {
  using Floats = typename Set::Floats;
  rotations.turn();
  const Floats sine = rotations.sine[0], cosine = rotations.cosine[0];
  const auto scale_x = load_as<Floats>(pose.scale_x + bone), scale_y = load_as<Floats>(pose.scale_y + bone);
  Set::transpose(cosine * scale_x, sine * scale_x, -sine * scale_y, cosine * scale_y, load_as<Floats>(pose.x + bone),
                 load_as<Floats>(pose.y + bone), locals);
}

/// Composes a bone. For all but the last bone, may read and write two floats past its transforms.
template <typename Set, bool kPalette, bool kLast>
PCHR_ALWAYS_INLINE inline void compose_bone(BoneId parent, std::size_t bone, typename Set::Columns local, float* world,
                                            const float* inverse_bind, float* palette) {
  const auto above = static_cast<std::int32_t>(parent);
  if (above >= 0) local = Set::concatenate(world + std::ptrdiff_t{6} * above, local);
  kLast ? Set::template store<true>(local, world + 6 * bone) : Set::store_for_children(local, world + 6 * bone);
  if (!kPalette) return;
  const auto inner = Set::template load<kLast>(inverse_bind + 6 * bone);
  Set::template store<kLast>(Set::concatenate(local, inner), palette + 6 * bone);
}

/// Composes neighboring bones.
template <typename Set, bool kPalette>
struct Composer {
  const Bone* bones;
  float* world;
  const float* inverse_bind;
  float* palette;
  const typename Set::Columns* local;
  std::size_t bone = 0;

  PCHR_ALWAYS_INLINE void compose_some(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i, ++bone) {
      compose_bone<Set, kPalette, false>(bones[bone].parent, bone, *local++, world, inverse_bind, palette);
    }
  }
};

template <typename Set, bool kPalette>
void compose_all(const Bone* bones, std::size_t bone_count, const FramePointers& pose, float* world,
                 const float* inverse_bind, float* palette) {
  constexpr std::size_t kWidth = Set::kWidth;
  typename Set::Columns locals[2][kWidth];
  Rotations<Set, 1> rotations;
  reduce_block<Set>(pose, 0, rotations);
  rotations.find_sines();
  rotations.find_cosines();
  finish_block<Set>(pose, 0, rotations, locals[0]);
  Composer<Set, kPalette> composer{bones, world, inverse_bind, palette, locals[0]};
  std::size_t& bone = composer.bone;
  std::size_t first = 0;
  // Rotations of one block are computed while the block before it is composed. The operations of a rotation depend on
  // each other, and a processor looks only so far ahead for independent ones.
  while (bone + kWidth < bone_count) {
    auto* const next = locals[(bone / kWidth + 1) % 2];
    // The last block overlaps the one before it.
    first = bone + 2 * kWidth < bone_count ? bone + kWidth : bone_count - kWidth;
    reduce_block<Set>(pose, first, rotations);
    composer.compose_some(kWidth / 4);
    rotations.find_sines();
    composer.compose_some(kWidth / 4);
    rotations.find_cosines();
    composer.compose_some(kWidth / 4);
    finish_block<Set>(pose, first, rotations, next);
    composer.compose_some(kWidth / 4);
    composer.local = next;
  }
  composer.local += bone - first;
  composer.compose_some(bone_count - 1 - bone);
  compose_bone<Set, kPalette, true>(bones[bone].parent, bone, *composer.local, world, inverse_bind, palette);
}

template <typename Set>
void compose(const Bone* bones, std::size_t bone_count, const FramePointers& pose, Affine* world,
             const Affine* inverse_bind, Affine* palette) noexcept {
  if (bone_count < Set::kWidth) {
    return Set::kNarrower.compose(bones, bone_count, pose, world, inverse_bind, palette);
  }
  auto* const world_floats = reinterpret_cast<float*>(world);
  if (palette == nullptr) return compose_all<Set, false>(bones, bone_count, pose, world_floats, nullptr, nullptr);
  compose_all<Set, true>(bones, bone_count, pose, world_floats, reinterpret_cast<const float*>(inverse_bind),
                         reinterpret_cast<float*>(palette));
}

template <typename Set>
void build_palette(const Affine* world, const Affine* inverse_bind, Affine* palette, std::size_t bone_count) noexcept {
  const auto* const outer = reinterpret_cast<const float*>(world);
  const auto* const inner = reinterpret_cast<const float*>(inverse_bind);
  auto* const out = reinterpret_cast<float*>(palette);
  for (std::size_t i = 0; i < 6 * bone_count; i += 6) {
    Set::template store<true>(Set::concatenate(outer + i, Set::template load<true>(inner + i)), out + i);
  }
}

/// Returns one more than the largest bone index of any slot.
std::size_t bones_named(const Vertex* vertices, std::size_t vertex_count) {
  Ushort8 largest{};
  for (std::size_t i = 0; i < vertex_count; ++i) {
    // Eight bytes of bone indices, then some of the weights.
    largest = max(load_as<Ushort8>(vertices[i].bones), largest);
  }
  std::size_t last = 0;
  for (int slot = 0; slot < 4; ++slot) last = largest[slot] > last ? largest[slot] : last;
  return last + 1;
}

template <typename Set>
bool all_finite(const float* values, std::size_t count) {
  constexpr float kMax = 3.402823466e38F;
  typename Set::Ints far{};
  std::size_t i = 0;
  for (; i + Set::kWidth <= count; i += Set::kWidth) {
    far |= beyond<Set>(load_as<typename Set::Floats>(values + i), kMax);
  }
  bool finite = !Set::any(far);
  for (; i < count; ++i) finite &= ::fabsf(values[i]) <= kMax;
  return finite;
}

template <typename Set>
bool all_finite(const Affine* palette, std::size_t bone_count) noexcept {
  return all_finite<Set>(reinterpret_cast<const float*>(palette), 6 * bone_count);
}

/// Returns whether slot 2 or 3 has a weight. Most vertices use at most two slots, and those that use more are usually
/// neighbors.
bool uses_last_slots(const Vertex& vertex) {
  return (load_as<std::uint64_t>(&vertex.weights[2]) & 0x7FFF'FFFF'7FFF'FFFF) != 0;
}

/// Skins two vertices. `rows` has a transform in every `kRow` floats.
template <typename Set, std::size_t kRow>
PCHR_ALWAYS_INLINE inline typename Set::Points skinned(const Vertex& a, const Vertex& b, const float* rows) {
  const auto transform_of = [&](const Vertex& vertex) {
    const auto weighted = [&](int slot) {
      return vertex.weights[slot] * Set::template load < kRow == 6 > (rows + kRow * vertex.bones[slot]);
    };
    const auto sum = weighted(0) + weighted(1);
    return uses_last_slots(vertex) ? sum + weighted(2) + weighted(3) : sum;
  };
  return Set::apply(Set::both(transform_of(a), transform_of(b)), Set::load_points(&a.x, &b.x));
}

/// Returns whether all points are finite. Loading them again to find out would wait for their stores.
template <typename Set, std::size_t kRow>
bool skin_rows(const Vertex* vertex, std::size_t vertex_count, const float* rows, Vec2* out) {
  Float4 zeros{};
  for (const Vertex* const end = vertex + (vertex_count & ~std::size_t{1}); vertex != end; vertex += 2, out += 2) {
    const Float4 points = Set::side_by_side(skinned<Set, kRow>(vertex[0], vertex[1], rows));
    zeros += points - points;
    store_as(points, out);
  }
  if (vertex_count % 2 != 0) {
    const Float4 points = Set::side_by_side(skinned<Set, kRow>(*vertex, *vertex, rows));
    zeros += points - points;
    store_pair(points, out);
  }
  return zeros[0] + zeros[1] + zeros[2] + zeros[3] == 0;
}

template <typename Set>
void skin_known(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, std::size_t bone_count,
                Vec2* out) noexcept {
  const auto* const transforms = reinterpret_cast<const float*>(palette);
  bool finite = false;
  constexpr std::size_t kMaxCopied = 256;
  // Aligned transforms of eight floats load faster, which pays off for a few vertices per bone.
  if (Set::kWidth == 8 && bone_count <= kMaxCopied && vertex_count >= 4 * bone_count) {
    alignas(32) float rows[8 * kMaxCopied];
    for (std::size_t i = 0; i < bone_count; ++i) {
      Set::template store<false>(Set::template load<true>(transforms + 6 * i), rows + 8 * i);
    }
    finite = skin_rows<Set, 8>(vertices, vertex_count, rows, out);
  } else {
    finite = skin_rows<Set, 6>(vertices, vertex_count, transforms, out);
  }
  // A transform that is not finite makes every point that it moves so, even with weight 0.
  if (!finite) kScalarKernels.skin(vertices, vertex_count, palette, bone_count, out);
}

template <typename Set>
void skin(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, std::size_t bone_count,
          Vec2* out) noexcept {
  if (bones_named(vertices, vertex_count) > bone_count) {
    return kScalarKernels.skin(vertices, vertex_count, palette, bone_count, out);
  }
  skin_known<Set>(vertices, vertex_count, palette, bone_count, out);
}

template <typename Set>
void stream(const Vertex* vertex, std::size_t vertex_count, const Affine* palette, const Affine& placement,
            std::uint32_t color, void* out) noexcept {
  const auto* const transforms = reinterpret_cast<const float*>(palette);
  const auto outer = Set::template load<true>(reinterpret_cast<const float*>(&placement));
  const auto placements = Set::both(outer, outer);
  auto* next = static_cast<char*>(out);
  constexpr std::size_t kSize = 20;
  const auto write_two = [&](const Vertex& a, const Vertex& b, char* to_a, char* to_b) {
    Set::store_points(Set::apply(placements, skinned<Set, 6>(a, b, transforms)), to_a, to_b);
    store_as(load_as<std::uint64_t>(&a.u), to_a + 8);
    store_as(color, to_a + 16);
    store_as(load_as<std::uint64_t>(&b.u), to_b + 8);
    store_as(color, to_b + 16);
  };
  for (const Vertex* const end = vertex + (vertex_count & ~std::size_t{1}); vertex != end; vertex += 2) {
    write_two(vertex[0], vertex[1], next, next + kSize);
    next += 2 * kSize;
  }
  // An odd last vertex is its own neighbor.
  if (vertex_count % 2 != 0) write_two(*vertex, *vertex, next, next);
}

// Composing several poses of one skeleton at once, one per lane. Unlike the transforms of one pose, those in different
// lanes never depend on each other, and only what is read and written needs to be shuffled.

/// One transform per lane.
template <typename Set>
struct AffineLanes {
  typename Set::Floats a, b, c, d, x, y;
};

template <typename Set>
PCHR_ALWAYS_INLINE inline AffineLanes<Set> load_affines(const float* world) {
  using Floats = typename Set::Floats;
  const auto row = [&](std::size_t i) { return load_as<Floats>(world + i * Set::kWidth); };
  return {row(0), row(1), row(2), row(3), row(4), row(5)};
}

template <typename Set>
PCHR_ALWAYS_INLINE inline void store_affines(const AffineLanes<Set>& affines, float* world) {
  const auto store_row = [&](std::size_t i, typename Set::Floats row) { store_as(row, world + i * Set::kWidth); };
  store_row(0, affines.a);
  store_row(1, affines.b);
  store_row(2, affines.c);
  store_row(3, affines.d);
  store_row(4, affines.x);
  store_row(5, affines.y);
}

/// The same transform for every lane.
struct Bind {
  float a, b, c, d, x, y;
};

/// Does what concatenate() for one transform does.
template <typename Set, typename Inner>
PCHR_ALWAYS_INLINE inline AffineLanes<Set> concatenate(const AffineLanes<Set>& outer, const Inner& inner) {
  return {outer.a * inner.a + outer.c * inner.b,           outer.b * inner.a + outer.d * inner.b,
          outer.a * inner.c + outer.c * inner.d,           outer.b * inner.c + outer.d * inner.d,
          outer.a * inner.x + outer.c * inner.y + outer.x, outer.b * inner.x + outer.d * inner.y + outer.y};
}

/// One value of each bone of a block: a vector per bone, with one pose per lane.
template <typename Set>
using BoneBlock = typename Set::Floats[Set::kWidth];

/// The arrays of one pose per lane.
template <typename Set>
struct PoseLanes {
  const float *x[Set::kWidth], *y[Set::kWidth], *degrees[Set::kWidth], *scale_x[Set::kWidth], *scale_y[Set::kWidth];
};

/// The local transforms of a block of bones.
template <typename Set>
struct LocalBlock {
  BoneBlock<Set> a, b, c, d, x, y;
};

template <typename Set>
void load_locals(const PoseLanes<Set>& poses, std::size_t bone, LocalBlock<Set>& out) {
  BoneBlock<Set> degrees, scale_x, scale_y;
  Set::load_columns(poses.x, bone, out.x);
  Set::load_columns(poses.y, bone, out.y);
  Set::load_columns(poses.degrees, bone, degrees);
  Set::load_columns(poses.scale_x, bone, scale_x);
  Set::load_columns(poses.scale_y, bone, scale_y);
  typename Set::Ints far{};
  for (const auto lanes : degrees) far |= beyond<Set>(lanes, kMaxDegrees);
  if (Set::any(far)) reduce_large_angles(reinterpret_cast<float*>(degrees), Set::kWidth * Set::kWidth);
  constexpr int kAtOnce = 4;
  for (std::size_t first = 0; first < Set::kWidth; first += kAtOnce) {
    Rotations<Set, kAtOnce> rotations;
    rotations.reduce(degrees + first);
    rotations.find_sines();
    rotations.find_cosines();
    rotations.turn();
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      const auto sine = rotations.sine[i], cosine = rotations.cosine[i];
      out.a[first + i] = cosine * scale_x[first + i];
      out.b[first + i] = sine * scale_x[first + i];
      out.c[first + i] = -sine * scale_y[first + i];
      out.d[first + i] = cosine * scale_y[first + i];
    }
  }
}

/// Composes one pose per lane.
template <typename Set>
void compose_lanes(const Skeleton& skeleton, const PoseLanes<Set>& poses, const PaletteRows& out, float* const* rows) {
  constexpr std::size_t kWidth = Set::kWidth;
  constexpr std::size_t kStride = 6 * kWidth;
  const auto* const inverse_bind = reinterpret_cast<const float*>(skeleton.inverse_bind);
  LocalBlock<Set> locals;
  std::size_t entry = 0;
  const auto is_of = [&](std::size_t bone) {
    return entry < out.entry_count && static_cast<std::size_t>(out.entries[2 * entry]) == bone;
  };
  for (std::size_t next = 0; next < skeleton.bone_count; next += kWidth) {
    // The last block overlaps the one before it.
    const std::size_t first = next + kWidth <= skeleton.bone_count ? next : skeleton.bone_count - kWidth;
    load_locals<Set>(poses, first, locals);
    for (std::size_t bone = next; bone < first + kWidth; ++bone) {
      const std::size_t i = bone - first;
      AffineLanes<Set> world{locals.a[i], locals.b[i], locals.c[i], locals.d[i], locals.x[i], locals.y[i]};
      const auto parent = static_cast<std::int32_t>(skeleton.bones[bone].parent);
      if (parent >= 0) {
        world = concatenate(load_affines<Set>(out.world + kStride * static_cast<std::size_t>(parent)), world);
      }
      store_affines(world, out.world + kStride * bone);
      if (!is_of(bone)) continue;
      const float* const bind = inverse_bind + 6 * bone;
      const auto palette = concatenate(world, Bind{bind[0], bind[1], bind[2], bind[3], bind[4], bind[5]});
      for (; is_of(bone); ++entry) Set::store_entries(palette, rows, entry * kEntryFloats);
    }
  }
}

template <typename Set>
void compose_rows(const Skeleton& skeleton, const FramePointers* poses, std::size_t count,
                  const PaletteRows& out) noexcept {
  constexpr std::size_t kWidth = Set::kWidth;
  if (skeleton.bone_count < kWidth) return Set::kNarrower.compose_rows(skeleton, poses, count, out);
  for (std::size_t first = 0; first < count; first += kWidth) {
    PoseLanes<Set> group;
    float* rows[kWidth];
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      // Lanes without a pose repeat the last one.
      const std::size_t pose = first + lane < count ? first + lane : count - 1;
      group.x[lane] = poses[pose].x;
      group.y[lane] = poses[pose].y;
      group.degrees[lane] = poses[pose].rotation_degrees;
      group.scale_x[lane] = poses[pose].scale_x;
      group.scale_y[lane] = poses[pose].scale_y;
      rows[lane] = out.floats + pose * out.entry_count * kEntryFloats;
    }
    compose_lanes<Set>(skeleton, group, out, rows);
  }
}

template <typename Set>
constexpr PoseKernels kKernels{Set::kName, mix<Set>,        overlay<Set>, compose<Set>,    build_palette<Set>,
                               skin<Set>,  skin_known<Set>, stream<Set>,  all_finite<Set>, compose_rows<Set>};

}  // namespace
}  // namespace pchr
