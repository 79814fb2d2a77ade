// SPDX-License-Identifier: MIT
// What the timeline shows besides frames, and what the mouse holds of it.
#pragma once

#include <pchr/character.hpp>
#include <pchr/marker.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace pchr::player {

/// Frames in a row over which a value of a bone stays the same.
struct LaneRun {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::int32_t value = 0;
  bool operator==(const LaneRun&) const = default;
};

/// How one bone is shown over one clip.
struct Lanes {
  std::vector<LaneRun> visible;  ///< 0 or 1.
  std::vector<LaneRun> z_order;
};

/// The runs of `bone` over `clip`, into the memory of `out`. Empty for a bone that does not exist.
void find_lanes(const Clip& clip, std::size_t bone_count, std::uint32_t bone, Lanes& out);

/// The run that has `frame`; there must be one.
[[nodiscard]] const LaneRun& run_of_frame(const std::vector<LaneRun>& runs, std::uint32_t frame) noexcept;

enum class RangeGrip : std::uint8_t { none, both_ends, first, last };

struct Timeline {
  RangeGrip grip = RangeGrip::none;  ///< What the mouse holds on the ruler.
  std::uint32_t anchor = 0;          ///< Where it began.

  Lanes lanes;
  const Clip* lanes_clip = nullptr;  ///< What the lanes are of.
  std::uint32_t lanes_bone = 0;
  std::uint32_t lanes_file = 0;

  std::shared_ptr<const Markers> markers = std::make_shared<Markers>();
  std::uint32_t markers_file = 0;  ///< Session::files_opened when they were read.
};

}  // namespace pchr::player
