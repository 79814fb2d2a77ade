// SPDX-License-Identifier: MIT
// Kernels in plain C++ for every processor. The others give the same bits.
#include "character/kernels.hpp"

#include "character/sine_cosine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace pchr {
namespace {

float line(float from, float to, float factor) { return from + (to - from) * factor; }

struct BoneValues {
  float x, y, rotation_degrees, scale_x, scale_y, opacity;
};

PCHR_ALWAYS_INLINE inline BoneValues values_of(const FramePointers& frame, std::size_t bone) {
  return {frame.x[bone],       frame.y[bone],       frame.rotation_degrees[bone],
          frame.scale_x[bone], frame.scale_y[bone], frame.opacity == nullptr ? 1.0F : frame.opacity[bone]};
}

PCHR_ALWAYS_INLINE inline BoneValues between(const BoneValues& from, const BoneValues& to, float factor) {
  return {line(from.x, to.x, factor),
          line(from.y, to.y, factor),
          from.rotation_degrees + turn_between(from.rotation_degrees, to.rotation_degrees) * factor,
          line(from.scale_x, to.scale_x, factor),
          line(from.scale_y, to.scale_y, factor),
          line(from.opacity, to.opacity, factor)};
}

PCHR_ALWAYS_INLINE inline BoneValues values_of(const BetweenFrames& place, std::size_t bone) {
  const BoneValues values = values_of(place.frame, bone);
  return place.factor == 0 ? values : between(values, values_of(place.next, bone), place.factor);
}

void mix(const BetweenFrames& from, const BetweenFrames* to, float weight, const PosePointers& out,
         std::size_t bone_count) noexcept {
  const FramePointers& held = to != nullptr && weight >= 0.5F ? to->frame : from.frame;
  for (std::size_t i = 0; i < bone_count; ++i) {
    BoneValues values = values_of(from, i);
    if (to != nullptr) values = between(values, values_of(*to, i), weight);
    out.x[i] = values.x;
    out.y[i] = values.y;
    out.rotation_degrees[i] = values.rotation_degrees;
    out.scale_x[i] = values.scale_x;
    out.scale_y[i] = values.scale_y;
    out.opacity[i] = values.opacity;
    out.visible[i] = held.visible[i];
    out.z_order[i] = held.z_order[i];
  }
}

void overlay(const Overlay& overlay, const PosePointers& out, std::size_t bone_count) noexcept {
  const float weight = overlay.weight;
  for (std::size_t i = 0; i < bone_count; ++i) {
    const BoneValues old{out.x[i], out.y[i], out.rotation_degrees[i], out.scale_x[i], out.scale_y[i], out.opacity[i]};
    BoneValues values = values_of(overlay.to, i);
    if (overlay.reference != nullptr) {
      const BoneValues reference = values_of(*overlay.reference, i);
      const float turn = turn_between(reference.rotation_degrees, values.rotation_degrees);
      const float opacity = old.opacity + (values.opacity - reference.opacity) * weight;
      values = {old.x + (values.x - reference.x) * weight,
                old.y + (values.y - reference.y) * weight,
                old.rotation_degrees + turn * weight,
                old.scale_x + (values.scale_x - reference.scale_x) * weight,
                old.scale_y + (values.scale_y - reference.scale_y) * weight,
                std::clamp(opacity, 0.0F, 1.0F)};
    } else {
      BoneValues blended = between(old, values, weight);
      if (overlay.turns != nullptr) {
        float& turn = overlay.turns[i];
        turn = std::isnan(turn) ? turn_between(old.rotation_degrees, values.rotation_degrees)
                                : turn_on(old.rotation_degrees, values.rotation_degrees, turn);
        blended.rotation_degrees = old.rotation_degrees + turn * weight;
      }
      if (weight < 1) values = blended;
    }
    if (overlay.mask != nullptr && overlay.mask[i] == 0) continue;
    out.x[i] = values.x;
    out.y[i] = values.y;
    out.rotation_degrees[i] = values.rotation_degrees;
    out.scale_x[i] = values.scale_x;
    out.scale_y[i] = values.scale_y;
    out.opacity[i] = values.opacity;
    if (overlay.reference != nullptr || weight < 0.5F) continue;
    out.visible[i] = overlay.to.frame.visible[i];
    out.z_order[i] = overlay.to.frame.z_order[i];
  }
}

void compose(const Bone* bones, std::size_t bone_count, const FramePointers& pose, Affine* world,
             const Affine* inverse_bind, Affine* palette) noexcept {
  for (std::size_t i = 0; i < bone_count; ++i) {
    const SineCosine turn = sine_cosine_degrees(pose.rotation_degrees[i]);
    const Affine local{turn.cosine * pose.scale_x[i],
                       turn.sine * pose.scale_x[i],
                       -turn.sine * pose.scale_y[i],
                       turn.cosine * pose.scale_y[i],
                       pose.x[i],
                       pose.y[i]};
    const auto parent = static_cast<std::int32_t>(bones[i].parent);
    world[i] = parent < 0 ? local : concatenate(world[parent], local);
    if (palette != nullptr) palette[i] = concatenate(world[i], inverse_bind[i]);
  }
}

void compose_rows(const Skeleton& skeleton, const FramePointers* poses, std::size_t count,
                  const PaletteRows& out) noexcept {
  auto* const world = reinterpret_cast<Affine*>(out.world);
  float* floats = out.floats;
  for (std::size_t pose = 0; pose < count; ++pose) {
    compose(skeleton.bones, skeleton.bone_count, poses[pose], world, nullptr, nullptr);
    for (std::size_t entry = 0; entry < out.entry_count; ++entry) {
      const std::size_t bone = index(out.entries[2 * entry]);
      const Affine palette = concatenate(world[bone], skeleton.inverse_bind[bone]);
      for (int column = 0; column < 3; ++column) {
        *floats++ = palette[column].x;
        *floats++ = palette[column].y;
      }
      *floats++ = 1;
      *floats++ = 0;
    }
  }
}

void build_palette(const Affine* world, const Affine* inverse_bind, Affine* palette, std::size_t bone_count) noexcept {
  for (std::size_t i = 0; i < bone_count; ++i) palette[i] = concatenate(world[i], inverse_bind[i]);
}

bool is_finite(const Affine& transform) {
  for (int column = 0; column < 3; ++column) {
    if (!std::isfinite(transform[column].x) || !std::isfinite(transform[column].y)) return false;
  }
  return true;
}

template <typename Counts>
Vec2 skinned(const Vertex& vertex, const Affine* palette, const Counts& counts) {
  const auto weighted = [&](int slot) {
    return counts(slot) ? vertex.weights[slot] * palette[vertex.bones[slot]] : Affine{0, 0, 0, 0, 0, 0};
  };
  Affine sum = weighted(0) + weighted(1);
  if (vertex.weights[2] != 0 || vertex.weights[3] != 0) sum = sum + weighted(2) + weighted(3);
  return apply(sum, {vertex.x, vertex.y});
}

void skin(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, std::size_t bone_count,
          Vec2* out) noexcept {
  for (std::size_t i = 0; i < vertex_count; ++i) {
    const Vertex& vertex = vertices[i];
    const auto exists = [&](int slot) { return vertex.bones[slot] < bone_count; };
    out[i] = skinned(vertex, palette, exists);
    if (std::isfinite(out[i].x) && std::isfinite(out[i].y)) continue;
    out[i] = skinned(vertex, palette, [&](int slot) { return vertex.weights[slot] != 0 && exists(slot); });
  }
}

void stream(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, const Affine& placement,
            std::uint32_t color, void* out) noexcept {
  for (std::size_t i = 0; i < vertex_count; ++i) {
    const Vec2 point = skinned(vertices[i], palette, [](int) { return true; });
    const Vec2 world = apply(placement, point);
    const std::array<float, 5> written{world.x, world.y, vertices[i].u, vertices[i].v, std::bit_cast<float>(color)};
    std::memcpy(static_cast<char*>(out) + i * sizeof(written), &written, sizeof(written));
  }
}

bool all_finite(const Affine* palette, std::size_t bone_count) noexcept {
  return std::all_of(palette, palette + bone_count, is_finite);
}

}  // namespace

const PoseKernels kScalarKernels{"scalar", mix,  overlay, compose,    build_palette,
                                 skin,     skin, stream,  all_finite, compose_rows};

}  // namespace pchr
