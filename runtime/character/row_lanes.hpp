// SPDX-License-Identifier: MIT
// Composes several poses of one skeleton at once, one per lane. Unlike the transforms of one pose, those in different
// lanes never depend on each other, and only what is read and written needs to be shuffled.
#pragma once

#include "character/lanes.hpp"

namespace pchr {
namespace {

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

template <typename Set>
PCHR_ALWAYS_INLINE inline void load_block(const FramePointers* const* poses, const float* FramePointers::* array,
                                          std::size_t bone, BoneBlock<Set>& out) {
  const float* rows[Set::kWidth];
  for (std::size_t lane = 0; lane < Set::kWidth; ++lane) rows[lane] = poses[lane]->*array + bone;
  Set::load_columns(rows, out);
}

/// The local transforms of a block of bones.
template <typename Set>
struct LocalBlock {
  BoneBlock<Set> a, b, c, d, x, y;
};

template <typename Set>
void load_locals(const FramePointers* const* poses, std::size_t bone, LocalBlock<Set>& out) {
  BoneBlock<Set> degrees, scale_x, scale_y;
  load_block<Set>(poses, &FramePointers::x, bone, out.x);
  load_block<Set>(poses, &FramePointers::y, bone, out.y);
  load_block<Set>(poses, &FramePointers::rotation_degrees, bone, degrees);
  load_block<Set>(poses, &FramePointers::scale_x, bone, scale_x);
  load_block<Set>(poses, &FramePointers::scale_y, bone, scale_y);
  typename Set::Ints far{};
  for (const auto lanes : degrees) far |= beyond<Set>(lanes, kMaxDegrees);
  if (Set::any(far)) reduce_large_angles(reinterpret_cast<float*>(degrees), Set::kWidth * Set::kWidth);
  for (std::size_t i = 0; i < Set::kWidth; ++i) {
    LocalLanes<Set> lanes;
    lanes.reduce_small(degrees[i]);
    lanes.find_sine();
    lanes.find_cosine();
    lanes.turn();
    out.a[i] = lanes.cosine * scale_x[i];
    out.b[i] = lanes.sine * scale_x[i];
    out.c[i] = -lanes.sine * scale_y[i];
    out.d[i] = lanes.cosine * scale_y[i];
  }
}

/// Composes one pose per lane.
template <typename Set>
void compose_lanes(const Skeleton& skeleton, const FramePointers* const* poses, const PaletteRows& out,
                   float* const* rows) {
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
    const FramePointers* group[kWidth];
    float* rows[kWidth];
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      // Lanes without a pose repeat the last one.
      const std::size_t pose = first + lane < count ? first + lane : count - 1;
      group[lane] = poses + pose;
      rows[lane] = out.floats + pose * out.entry_count * kEntryFloats;
    }
    compose_lanes<Set>(skeleton, group, out, rows);
  }
}

}  // namespace
}  // namespace pchr
