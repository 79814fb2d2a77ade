// SPDX-License-Identifier: MIT
// Durations of frames in the units of file formats.
#pragma once

#include <pchr/export/animation.hpp>

namespace pchr::exporting {

/// Whole ticks for each frame.
struct Timing {
  std::uint32_t ticks_per_second = 1;
  std::uint32_t min_ticks = 1;  ///< Of a frame.
  std::vector<std::uint32_t> ticks;
  double max_error_seconds = 0;  ///< How far a frame's end is from where it should be, at most.
};

/// Rounds the ends of frames, so that what one frame loses the next one gains. No frame lasts less than `min_ticks`;
/// the frames after it make up for that as soon as there is room.
[[nodiscard]] Timing round_to_ticks(std::span<const double> frame_ends, std::uint32_t ticks_per_second,
                                    std::uint32_t min_ticks);

/// Returns the times as the format holds them. PNG, RGBA and Y4M hold none: theirs are as exact as APNG's.
[[nodiscard]] Timing timing_of(const AnimationInfo& info, AnimationFormat format);

struct Rate {
  std::uint32_t frames = 1, seconds = 1;
};
/// Fails where not all frames last equally long.
[[nodiscard]] ExportResult<Rate> constant_rate(std::span<const double> frame_ends);

}  // namespace pchr::exporting
