// SPDX-License-Identifier: MIT
#include "playback/following_clock.hpp"

#include <cmath>

namespace pchr::player {

void follow(FollowingClock& clock, const Playback& playback, double before, double passed) {
  const Transport& followed = playback.clock;
  const bool jumped = before != clock.followed;
  if (!playback.shows_clip()) {
    // A mix and a game have clocks of their own.
    if (playback.playing()) clock.seconds += passed * std::abs(playback.settings.speed);
  } else if (followed.effective_mode() != LoopMode::loop || followed.range() || jumped) {
    clock.seconds = followed.seconds();
  } else if (followed.seconds() != before) {
    clock.seconds += passed * playback.settings.speed;
  }
  clock.followed = followed.seconds();
}

ClipTime time_in(const Clip& clip, const FollowingClock& clock, const Playback& playback) noexcept {
  // A frame's start time may have been rounded down to just before it.
  constexpr double kRounding = 1e-9;
  Clip length;
  length.looping = playback.clock.effective_mode() != LoopMode::once;
  length.frames_per_second = clip.frames_per_second;
  length.frame_count = clip.frame_count;
  const PlaybackSettings& settings = playback.settings;
  const ClipTime time = clip_time(length, clock.seconds + kRounding, settings.sampling);
  return settings.hold > 1 ? held(time.frame, settings.hold) : time;
}

}  // namespace pchr::player
