// SPDX-License-Identifier: MIT
// Which moments of a clip a film shows, and for how long.
#pragma once

#include "film/film.hpp"

#include <pchr/character.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace pchr::film {

/// Frames of a clip, both included.
struct FrameRange {
  std::uint32_t first = 0, last = 0;
};

struct PlanOptions {
  std::optional<FrameRange> frames;         ///< Absent: all.
  std::optional<double> frames_per_second;  ///< Sampled anew; absent: each of the clip's frames once.
  double speed = 1;                         ///< Above 0.
  bool smooth = false;                      ///< Between frames, where it is sampled anew.
};

struct FilmPlan {
  std::optional<std::uint32_t> clip;  ///< Absent: the bind pose.
  std::vector<FramePosition> positions;
  std::vector<double> frame_ends;  ///< Seconds; one for each position.
  std::uint32_t first_frame = 0;   ///< With which the numbers of pictures begin.
};

/// A clip of one frame that only holds the bind pose, beside clips that move.
[[nodiscard]] bool is_mere_bind_pose(const Character& character, std::uint32_t clip);

/// One moment, which lasts for a second.
[[nodiscard]] FilmPlan plan_still(std::optional<std::uint32_t> clip, FramePosition position);

/// A clip, `cycles` times: from its beginning, and from then on from where it loops. A clip that does not play is its
/// first frame, and one without frames the bind pose.
[[nodiscard]] Result<FilmPlan> plan_film(const Character& character, std::uint32_t clip, const PlanOptions& options,
                                         std::uint32_t cycles);

/// How often a film that is to play `plays` times (0: for ever) is written: once where the format has a word for that.
[[nodiscard]] std::uint32_t cycles_of(Format format, std::uint32_t plays);

}  // namespace pchr::film
