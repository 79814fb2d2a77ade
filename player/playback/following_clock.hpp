// SPDX-License-Identifier: MIT
// A clock for clips that are shown beside the playing one.
#pragma once

#include "playback/playback.hpp"

namespace pchr::player {

/// Runs with the playing clip, but past its end while it loops, so that every clip loops over its own length.
struct FollowingClock {
  double seconds = 0;   ///< Not wrapped.
  double followed = 0;  ///< The playing clip's time when `seconds` was last updated.
};

/// Moves `clock` to the time of the playing clip, which was `before` and advanced by `passed` seconds.
void follow(FollowingClock& clock, const Playback& playback, double before, double passed);
/// Returns the position of `clip`, which loops unless the playing clip plays once.
[[nodiscard]] ClipTime time_in(const Clip& clip, const FollowingClock& clock, const Playback& playback) noexcept;

}  // namespace pchr::player
