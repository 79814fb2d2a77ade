// SPDX-License-Identifier: MIT
// Runs of equal values.

#include "playback/lanes.hpp"

#include <algorithm>

namespace pchr::player {
namespace {

template <typename Value>
void find_runs(const Clip& clip, const Value* values, std::size_t stride, std::vector<LaneRun>& out) {
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const auto value = static_cast<std::int32_t>(values[frame * stride]);
    if (out.empty() || out.back().value != value) out.push_back({frame, frame, value});
    out.back().last = frame;
  }
}

}  // namespace

void find_lanes(const Clip& clip, std::size_t bone_count, BoneId bone, Lanes& out) {
  out.visible.clear();
  out.z_order.clear();
  if (index(bone) >= bone_count || clip.frame_count == 0) return;
  find_runs(clip, clip.samples.visible.data() + index(bone), bone_count, out.visible);
  find_runs(clip, clip.samples.z_order.data() + index(bone), bone_count, out.z_order);
}

const LaneRun& run_of_frame(const std::vector<LaneRun>& runs, std::uint32_t frame) noexcept {
  return *(std::ranges::upper_bound(runs, frame, {}, &LaneRun::first) - 1);
}

}  // namespace pchr::player
