// SPDX-License-Identifier: MIT
// Frame durations in the units of file formats.
#pragma once

#include <pchr/export/animation.hpp>

namespace pchr::exporting {

/// Durations of frames in whole ticks.
struct Timing {
  std::uint32_t ticks_per_second = 1;
  std::uint32_t min_ticks = 1;  ///< Minimum duration of a frame.
  std::vector<std::uint32_t> ticks;
  double max_error_seconds = 0;  ///< Largest error of a frame's end.
};

/// Rounds the ends of frames, so errors do not accumulate. Frames last at least `min_ticks`; later frames compensate as
/// soon as possible.
[[nodiscard]] Timing round_to_ticks(std::span<const double> frame_ends, std::uint32_t ticks_per_second,
                                    std::uint32_t min_ticks);

/// Returns the durations as the format stores them. PNG, RGBA and Y4M store none and use those of APNG.
[[nodiscard]] Timing timing_of(const AnimationInfo& info, AnimationFormat format);

/// Constant rate: `frames` per `seconds`.
struct Rate {
  std::uint32_t frames = 1, seconds = 1;
};
/// Fails if the frames do not all have the same duration.
[[nodiscard]] ExportResult<Rate> constant_rate(std::span<const double> frame_ends);

}  // namespace pchr::exporting
