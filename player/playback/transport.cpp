// SPDX-License-Identifier: MIT
#include "playback/transport.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pchr::player {

Transport::Transport(const Clip& clip, const PlaybackSettings& settings)
    : clock_(clip, settings.mode), frame_count_(clip.frame_count), duration_seconds_(clip.duration_seconds()) {
  configure(settings);
}

void Transport::configure(const PlaybackSettings& settings) noexcept {
  clock_.set_speed(settings.speed);
  mode_ = settings.mode;
  clock_.set_mode(clock_mode());
  if (times_ == 0) loops_ = 0;
  times_ = settings.counted ? settings.times : 0;
}

LoopMode Transport::clock_mode() const noexcept {
  return mode_ == LoopMode::from_file && range_ ? LoopMode::loop : mode_;
}

FrameRange Transport::played() const noexcept { return range_.value_or(FrameRange{0, std::max(frame_count_, 1U) - 1}); }

void Transport::set_range(const Clip& clip, std::optional<FrameRange> range) noexcept {
  if (frame_count_ == 0) return;
  if (range) *range = {std::min(range->first, frame_count_ - 1), std::min(range->last, frame_count_ - 1)};
  if (range == range_ || (range && range->first > range->last)) return;
  const std::uint32_t current = frame();
  const Clock before = clock_;
  range_ = range;
  const auto [first, last] = played();
  first_seconds_ = seconds_of_frame(clip, first);
  clock_ = range_ ? Clock(clip, clock_mode(), first, last - first + 1) : Clock(clip, clock_mode());
  clock_.set_speed(before.speed());
  seek_frame(current);
  if (!before.playing()) clock_.pause();
}

void Transport::play() noexcept {
  // In reverse, the start of a loop is the end of the previous one.
  const bool nothing_left = times_ > 0 && clock_.speed() < 0 && clock_.seconds() <= 0;
  if (finished() || nothing_left) {
    clock_.rewind();
    loops_ = 0;
  }
  clock_.play();
}

void Transport::advance(double seconds) noexcept {
  const Advance step = clock_.advance(seconds);
  loops_ += std::min(step.loops, std::numeric_limits<std::uint64_t>::max() - loops_);
  if (!finished() || !clock_.playing()) return;
  const auto [first, last] = played();
  clock_.seek_frame(clock_.speed() < 0 || effective_mode() == LoopMode::ping_pong ? 0 : last - first);
  clock_.pause();
}

void Transport::seek_frame(std::uint32_t frame) noexcept {
  const auto [first, last] = played();
  clock_.seek_frame(std::clamp(frame, first, last) - first);
  loops_ = 0;
}

void Transport::seek_seconds(double seconds) noexcept {
  clock_.seek_seconds(seconds - first_seconds_);
  loops_ = 0;
}

void Transport::step(std::int64_t frames) noexcept {
  clock_.step(frames);
  loops_ = 0;
}

ClipTime Transport::position(Sampling sampling, std::uint32_t hold) const noexcept {
  if (hold > 1) return held(frame(), hold);
  const std::uint32_t first = played().first;
  const ClipTime within = clock_.position(sampling);
  return {within.frame + first, within.next + first, within.factor};
}

double neighboring_speed(double speed, int direction) noexcept {
  constexpr double kRoundSpeeds[] = {kMinSpeed, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, kMaxSpeed};
  const double now = std::abs(speed);
  double next = direction > 0 ? kMaxSpeed : kMinSpeed;
  for (const double candidate : kRoundSpeeds) {
    if (direction > 0 && candidate > now * 1.001) next = std::min(next, candidate);
    if (direction < 0 && candidate < now * 0.999) next = std::max(next, candidate);
  }
  return std::copysign(next, speed);
}

}  // namespace pchr::player
