// SPDX-License-Identifier: MIT
// The kernels' loops over bones that do not depend on each other, for any width of vector. Included by the files of
// instruction sets alone; everything here has internal linkage, so that no code for one set serves another.
#pragma once

#include <pchr/api.hpp>

#include "character/kernels.hpp"
#include "character/sine_cosine.hpp"

namespace PCHR_API pchr {
namespace {

template <typename Lanes>
struct BoneLanes {
  typename Lanes::Floats x, y, rotation_degrees, scale_x, scale_y, opacity;
};

template <typename Lanes>
inline typename Lanes::Floats line(typename Lanes::Floats from, typename Lanes::Floats to,
                                   typename Lanes::Floats factor) {
  return from + (to - from) * factor;
}

template <typename Lanes>
inline typename Lanes::Floats shortest_arc(typename Lanes::Floats from, typename Lanes::Floats to,
                                           typename Lanes::Floats factor) {
  const auto difference = to - from;
  const auto turns = Lanes::ceil(difference / Lanes::all(360.0F) - Lanes::all(0.5F));
  return from + (difference - Lanes::all(360.0F) * turns) * factor;
}

/// `Part` is how many lanes of memory exist: all of them, or those of the last few bones.
template <typename Lanes, typename Part>
[[gnu::always_inline]] inline BoneLanes<Lanes> values_of(const FramePointers& frame, std::size_t bone, Part part) {
  return {Lanes::load(frame.x + bone, part),
          Lanes::load(frame.y + bone, part),
          Lanes::load(frame.rotation_degrees + bone, part),
          Lanes::load(frame.scale_x + bone, part),
          Lanes::load(frame.scale_y + bone, part),
          frame.opacity == nullptr ? Lanes::all(1.0F) : Lanes::load(frame.opacity + bone, part)};
}

template <typename Lanes>
[[gnu::always_inline]] inline BoneLanes<Lanes> between(const BoneLanes<Lanes>& from, const BoneLanes<Lanes>& to,
                                                       float weight) {
  const auto factor = Lanes::all(weight);
  return {line<Lanes>(from.x, to.x, factor),
          line<Lanes>(from.y, to.y, factor),
          shortest_arc<Lanes>(from.rotation_degrees, to.rotation_degrees, factor),
          line<Lanes>(from.scale_x, to.scale_x, factor),
          line<Lanes>(from.scale_y, to.scale_y, factor),
          line<Lanes>(from.opacity, to.opacity, factor)};
}

template <typename Lanes, typename Part>
[[gnu::always_inline]] inline BoneLanes<Lanes> values_of(const BetweenFrames& place, std::size_t bone, Part part) {
  BoneLanes<Lanes> values = values_of<Lanes>(place.frame, bone, part);
  if (place.factor != 0) values = between<Lanes>(values, values_of<Lanes>(place.next, bone, part), place.factor);
  return values;
}

/// The bones from `bone` on, mixed.
template <typename Lanes, typename Part>
[[gnu::always_inline]] inline BoneLanes<Lanes> mixed(const BetweenFrames& from, const BetweenFrames* to, float weight,
                                                     std::size_t bone, Part part) {
  BoneLanes<Lanes> values = values_of<Lanes>(from, bone, part);
  if (to != nullptr) values = between<Lanes>(values, values_of<Lanes>(*to, bone, part), weight);
  return values;
}

template <typename Lanes, typename Part>
[[gnu::always_inline]] inline void store(const BoneLanes<Lanes>& values, const FramePointers& held,
                                         const PosePointers& out, std::size_t bone, Part part) {
  Lanes::store(values.x, out.x + bone, part);
  Lanes::store(values.y, out.y + bone, part);
  Lanes::store(values.rotation_degrees, out.rotation_degrees + bone, part);
  Lanes::store(values.scale_x, out.scale_x + bone, part);
  Lanes::store(values.scale_y, out.scale_y + bone, part);
  Lanes::store(values.opacity, out.opacity + bone, part);
  Lanes::copy(held.visible + bone, out.visible + bone, part);
  Lanes::copy(held.z_order + bone, out.z_order + bone, part);
}

template <typename Lanes>
inline void mix(const BetweenFrames& from, const BetweenFrames* to, float weight, const PosePointers& out,
                std::size_t bone_count) noexcept {
  constexpr typename Lanes::Whole kWhole{};
  const FramePointers& held = to != nullptr && weight >= 0.5F ? to->frame : from.frame;
  if (bone_count < Lanes::kWidth) {
    if (bone_count == 0) return;
    const typename Lanes::First part(bone_count);
    return store<Lanes>(mixed<Lanes>(from, to, weight, 0, part), held, out, 0, part);
  }
  // The last lanes overlap those before them, and are read before any is written, since `out` may be what is read.
  const std::size_t last = bone_count - Lanes::kWidth;
  const BoneLanes<Lanes> last_values = mixed<Lanes>(from, to, weight, last, kWhole);
  for (std::size_t bone = 0; bone < last; bone += Lanes::kWidth) {
    store<Lanes>(mixed<Lanes>(from, to, weight, bone, kWhole), held, out, bone, kWhole);
  }
  store<Lanes>(last_values, held, out, last, kWhole);
}

/// Turn and scale of bones as the columns (a, b) and (c, d) of their transforms.
template <typename Lanes>
struct ColumnLanes {
  typename Lanes::Floats a, b, c, d;
};

/// sine_cosine_degrees in lanes, in steps that a caller can put between other work.
template <typename Lanes>
class Turning {
 public:
  using Floats = typename Lanes::Floats;

  void reduce(Floats degrees) {
    if (Lanes::any_beyond(degrees, kMaxDegrees)) {
      float apart[Lanes::kWidth];
      Lanes::store(degrees, apart, typename Lanes::Whole{});
      reduce_large_angles(apart, Lanes::kWidth);
      degrees = Lanes::load(apart, typename Lanes::Whole{});
    }
    quarter_ = Lanes::floor_small(degrees * Lanes::all(1.0F / 90.0F) + Lanes::all(0.5F));
    radians_ = (degrees - quarter_ * Lanes::all(90.0F)) * Lanes::all(0.017453292519943295F);
    square_ = radians_ * radians_;
  }
  void find_sine() {
    sine_ = Lanes::all(-1.0F / 5040.0F) + square_ * Lanes::all(1.0F / 362880.0F);
    sine_ = Lanes::all(-1.0F / 6.0F) + square_ * (Lanes::all(1.0F / 120.0F) + square_ * sine_);
    sine_ = radians_ + radians_ * square_ * sine_;
  }
  void find_cosine() {
    cosine_ = Lanes::all(1.0F / 720.0F) - square_ * Lanes::all(1.0F / 40320.0F);
    cosine_ = Lanes::all(0.5F) - square_ * (Lanes::all(1.0F / 24.0F) - square_ * cosine_);
    cosine_ = Lanes::all(1.0F) - square_ * cosine_;
  }
  [[nodiscard]] ColumnLanes<Lanes> columns(Floats scale_x, Floats scale_y) const {
    Floats sine, cosine;
    Lanes::turn_by_quarters(quarter_, sine_, cosine_, sine, cosine);
    return {cosine * scale_x, sine * scale_x, Lanes::negated(sine) * scale_y, cosine * scale_y};
  }

 private:
  Floats quarter_, radians_, square_, sine_, cosine_;
};

template <typename Lanes>
inline bool all_finite(const float* values, std::size_t count) {
  constexpr float kMax = 3.402823466e38F;
  bool finite = true;
  std::size_t i = 0;
  for (; i + Lanes::kWidth <= count; i += Lanes::kWidth) {
    finite &= !Lanes::any_beyond(Lanes::load(values + i, typename Lanes::Whole{}), kMax);
  }
  if (i < count) finite &= !Lanes::any_beyond(Lanes::load(values + i, typename Lanes::First(count - i)), kMax);
  return finite;
}

/// Of four numbers of 16 bits.
inline std::size_t largest_of_four(std::uint64_t packed) {
  std::size_t largest = 0;
  for (int slot = 0; slot < 4; ++slot) {
    const std::size_t number = packed >> 16 * slot & 0xFFFF;
    if (number > largest) largest = number;
  }
  return largest;
}

/// Whether slot 2 or 3 has a weight. Most vertices use at most two slots, and those that use more stand together.
inline bool uses_last_slots(const Vertex& vertex) {
  std::uint64_t weights;
  __builtin_memcpy(&weights, &vertex.weights[2], sizeof weights);
  return (weights & 0x7FFF'FFFF'7FFF'FFFF) != 0;
}

}  // namespace
}  // namespace pchr
