// SPDX-License-Identifier: MIT
// How one bone is shown over a clip, as the timeline draws it.
#pragma once

#include <pchr/character.hpp>

#include <cstdint>
#include <vector>

namespace pchr::player {

/// Frames in a row over which a value of a bone stays the same.
struct LaneRun {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::int32_t value = 0;
  bool operator==(const LaneRun&) const = default;
};

struct Lanes {
  std::vector<LaneRun> visible;  ///< 0 or 1.
  std::vector<LaneRun> z_order;
};

/// Finds the runs of `bone` over `clip`, into the memory of `out`. Empty for a bone that does not exist.
void find_lanes(const Clip& clip, std::size_t bone_count, BoneId bone, Lanes& out);

/// Returns the run that has `frame`; there must be one.
[[nodiscard]] const LaneRun& run_of_frame(const std::vector<LaneRun>& runs, std::uint32_t frame) noexcept;

}  // namespace pchr::player
