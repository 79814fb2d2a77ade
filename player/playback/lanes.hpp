// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/character.hpp>

#include <algorithm>

namespace pchr::player {

/// Consecutive frames in which a bone's value stays the same.
struct LaneRun {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::int32_t value = 0;
  bool operator==(const LaneRun&) const = default;
};

/// One bone's values over a clip, as shown in the timeline.
struct Lanes {
  std::vector<LaneRun> visible;  ///< 0 or 1.
  std::vector<LaneRun> z_order;
};

/// Finds the runs of `bone` over `clip`, reusing the memory of `out`. Empty if the bone does not exist.
inline void find_lanes(const Clip& clip, std::size_t bone_count, BoneId bone, Lanes& out) {
  const auto find_runs = [&](const auto& values, std::vector<LaneRun>& runs) {
    runs.clear();
    if (index(bone) >= bone_count) return;
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      const std::int32_t value = values[frame * bone_count + index(bone)];
      if (runs.empty() || runs.back().value != value) runs.push_back({frame, frame, value});
      runs.back().last = frame;
    }
  };
  find_runs(clip.samples.visible, out.visible);
  find_runs(clip.samples.z_order, out.z_order);
}

/// Returns the run that contains `frame`, which must exist.
[[nodiscard]] inline const LaneRun& run_of_frame(const std::vector<LaneRun>& runs, std::uint32_t frame) noexcept {
  return *(std::ranges::upper_bound(runs, frame, {}, &LaneRun::first) - 1);
}

}  // namespace pchr::player
