// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/3d.hpp>
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
  std::vector<LaneRun> keys;     ///< 1 where the bone is not as in the frame before.
  std::vector<LaneRun> visible;  ///< 0 or 1.
  std::vector<LaneRun> z_order;
};

/// Returns whether samples `a` and `b` differ.
[[nodiscard]] inline bool differ(const BoneSamples& samples, std::size_t a, std::size_t b) noexcept {
  const auto differs = [&](const auto& values) { return !values.empty() && values[a] != values[b]; };
  return differs(samples.x) || differs(samples.y) || differs(samples.rotation_degrees) || differs(samples.scale_x) ||
         differs(samples.scale_y) || differs(samples.opacity) || differs(samples.visible) || differs(samples.z_order) ||
         differs(samples.samples_3d);
}

/// Finds the runs of `bone` over `clip`. Empty if the bone does not exist.
[[nodiscard]] inline Lanes find_lanes(const Clip& clip, std::size_t bone_count, BoneId bone) {
  Lanes lanes;
  if (index(bone) >= bone_count) return lanes;
  const auto add = [](std::vector<LaneRun>& runs, std::uint32_t frame, std::int32_t value) {
    if (runs.empty() || runs.back().value != value) runs.push_back({frame, frame, value});
    runs.back().last = frame;
  };
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const std::size_t sample = frame * bone_count + index(bone);
    add(lanes.keys, frame, frame > 0 && differ(clip.samples, sample, sample - bone_count) ? 1 : 0);
    add(lanes.visible, frame, clip.samples.visible[sample]);
    add(lanes.z_order, frame, clip.samples.z_order[sample]);
  }
  return lanes;
}

/// The lanes found last.
struct LaneCache {
  ClipId clip = ClipId::none;
  BoneId bone = BoneId::none;
  Lanes lanes{};
};

/// Returns the run that contains `frame`, which must exist.
[[nodiscard]] inline const LaneRun& run_of_frame(const std::vector<LaneRun>& runs, std::uint32_t frame) noexcept {
  return *(std::ranges::upper_bound(runs, frame, {}, &LaneRun::first) - 1);
}

}  // namespace pchr::player
