// SPDX-License-Identifier: MIT
// Turns instances into records of a batch: the loops over crowds.
#pragma once

#include "compiler/vectors.hpp"
#include "render/batch.hpp"

#include <pchr/renderer.hpp>

#include <cmath>

namespace pchr {

/// The visible part of the world. The default sees everything.
class VisibleArea {
 public:
  VisibleArea() : center_{}, half_(all_lanes<Float4>(HUGE_VALF)) {}
  explicit VisibleArea(const Camera& camera) {
    const Vec2 half = camera.viewport * (0.5F / camera.zoom);
    center_ = Float4{camera.center.x, camera.center.y, 0, 0};
    // Slightly more, so that rounding never culls anything visible.
    const auto reach = [](float side, float center) { return side + (std::abs(center) + side) * 1.0e-5F; };
    half_ = Float4{reach(half.x, camera.center.x), reach(half.y, camera.center.y), 0, 0};
  }

  /// Returns 1 if any of the box is visible at `placement`, or if that is not a number; else 0.
  [[nodiscard]] PCHR_ALWAYS_INLINE std::uint32_t sees(const CullBox& box, const Affine& placement) const noexcept {
    const Int4 sizes_are_positive{-1, -1, 0x7FFFFFFF, 0x7FFFFFFF};
    const auto corner = load_as<Float4>(&box), columns = load_as<Float4>(&placement);
    const auto translation = load_as<double>(&placement[2]);
    // Lanes 0 and 1 hold the placed center, lanes 2 and 3 half the size.
    const Float4 x = shuffle<0, 0, 2, 2>(corner);
    const Float4 y = shuffle<1, 1, 3, 3>(corner);
    const auto across = bits_as<Float4>(bits_as<Int4>(shuffle<0, 1, 0, 1>(columns)) & sizes_are_positive);
    const auto along = bits_as<Float4>(bits_as<Int4>(shuffle<2, 3, 2, 3>(columns)) & sizes_are_positive);
    const Float4 placed = across * x + along * y + bits_as<Float4>(Double2{translation, 0});
    const auto distance = bits_as<Float4>(bits_as<Int4>(placed - center_) & 0x7FFFFFFF);
    const Float4 reach = half_ + shuffle<2, 3, 2, 3>(placed);
    const auto beyond = bits_as<std::array<std::uint64_t, 2>>(distance > reach);
    return 1U - static_cast<std::uint32_t>(beyond[0] != 0);
  }

 private:
  Float4 center_, half_;
};

/// The baked rows of an instance. See BakedRow.
struct BakedPlace {
  const DrawSegment* segment;
  const CullBox* box;  ///< Null if the clip's rows cannot be used.
  std::uint32_t packed;
};

inline constexpr DrawSegment kNoSegment{BakedRow::kNotOneSegment, 0, 0};

/// What finding a place needs of a BakedClip. Loops copy it, because the compiler must assume that they change a clip.
struct BakedRows {
  const BakedRow* rows;
  const CullBox* boxes_between;
  std::uint32_t last_frame;
  BakeRate rate;

  explicit BakedRows(const BakedClip& clip) noexcept
      : rows(clip.rows.data()),
        boxes_between(clip.boxes_between.data()),
        last_frame(clip.last_frame),
        rate(clip.rate) {}

  [[nodiscard]] PCHR_ALWAYS_INLINE BakedPlace find(const ClipTime& position) const noexcept {
    // In clips with one row, any frame uses it.
    const std::uint32_t frame = std::min(position.frame, last_frame);
    const BakedRow& row = rows[std::size_t{frame} * rate.steps];
    if (!(position.factor > 0)) return {&row.segment, &row.box, row.packed};
    if (!rate.smooth) return {&kNoSegment, nullptr, 0};
    if (last_frame == 0 || position.next == frame) return {&row.segment, &row.box, row.packed};
    const std::optional<std::uint32_t> steps = find_between(rate, last_frame, position);
    if (!steps) return {&kNoSegment, nullptr, 0};
    const std::uint32_t before = *steps / kFactorSteps, factor = *steps % kFactorSteps;
    return {&row.segment, factor == 0 ? &rows[before].box : &boxes_between[before], rows[before].packed + factor};
  }
};

/// Add instances from number `first` on, for as long as there is room, they are plain and their rows are baked, which
/// covers nearly all of a crowd. Return their number, including culled ones.
/// @{
[[nodiscard]] std::size_t add_ready(const Model::Resources& model, const VisibleArea& visible_area,
                                    std::span<const Instance> instances, std::size_t first, BatchCursor& batch_cursor);
[[nodiscard]] std::size_t add_ready(const Model::Resources& model, const VisibleArea& visible_area, const Crowd& crowd,
                                    std::size_t first, BatchCursor& batch_cursor);
/// @}

[[nodiscard]] inline std::size_t count_of(std::span<const Instance> instances) noexcept { return instances.size(); }
[[nodiscard]] inline std::size_t count_of(const Crowd& crowd) noexcept { return crowd.placements.size(); }

[[nodiscard]] inline const Instance& instance_at(const Character&, std::span<const Instance> instances,
                                                 std::size_t number) noexcept {
  return instances[number];
}
[[nodiscard]] Instance instance_at(const Character& character, const Crowd& crowd, std::size_t number) noexcept;

/// Returns whether the arrays of a crowd have the lengths that they must have.
[[nodiscard]] bool has_valid_lengths(const Crowd& crowd) noexcept;

}  // namespace pchr
