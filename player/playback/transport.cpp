// SPDX-License-Identifier: MIT
#include "playback/transport.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pchr::player {

Transport::Transport(const Clip& clip, const PlaybackSettings& settings)
    : clock_(clip, settings.mode),
      whole_(clip, LoopMode::once),
      frame_count_(clip.frame_count),
      duration_seconds_(clip.duration_seconds()) {
  configure(settings);
  play();
}

void Transport::configure(const PlaybackSettings& settings) noexcept {
  clock_.set_speed(settings.speed);
  whole_.set_speed(settings.speed);
  mode_ = settings.mode;
  clock_.set_mode(clock_mode());
  if (rested_ && !repeats()) {
    rested_.reset();
    if (effective_mode() != LoopMode::once) clock_.play();
  }
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
  const double speed = clock_.speed();
  const bool plays = playing();
  range_ = range;
  rested_.reset();
  const auto [first, last] = played();
  first_seconds_ = seconds_of_frame(clip, first);
  clock_ = range_ ? Clock(clip, clock_mode(), first, last - first + 1) : Clock(clip, clock_mode());
  clock_.set_speed(speed);
  outside_ = false;
  seek_frame(std::clamp(current, first, last));
  if (!plays) clock_.pause();
}

bool Transport::repeats() const noexcept {
  return mode_ == LoopMode::from_file && frame_count_ > 1 && effective_mode() == LoopMode::once;
}

void Transport::play() noexcept {
  if (outside_) return whole_.play();
  if (rested_) return;
  // In reverse, the start of a loop is the end of the previous one.
  const bool nothing_left = times_ > 0 && clock_.speed() < 0 && clock_.seconds() <= 0;
  if (finished() || nothing_left) {
    clock_.rewind();
    loops_ = 0;
  }
  clock_.play();
}

void Transport::pause() noexcept {
  clock_.pause();
  whole_.pause();
  rested_.reset();
}

void Transport::restart() noexcept {
  outside_ = false;
  rested_.reset();
  clock_.rewind();
  clock_.play();
}

double Transport::seconds_to_range() const noexcept {
  const bool forward = clock_.speed() >= 0;
  const bool before = whole_.frame() < played().first;
  if (forward != before) return whole_.seconds_to_end();
  const double entry = forward ? first_seconds_ : first_seconds_ + clock_.duration_seconds();
  return std::max((entry - whole_.seconds()) / clock_.speed(), 0.0);
}

void Transport::advance(double seconds) noexcept {
  if (!playing()) return;
  if (outside_) {
    const double left = seconds_to_range();
    if (seconds < left) {
      whole_.advance(seconds);
      return;
    }
    restart();
    seconds -= left;
  }
  if (rested_) {
    *rested_ += seconds;
    if (*rested_ < kEndSeconds) return;
    seconds = *rested_ - kEndSeconds;
    restart();
  }
  const double left = clock_.seconds_to_end();
  const Advance step = clock_.advance(seconds);
  if (step.finished && repeats()) {
    const double cycle = clock_.duration_seconds() / std::abs(clock_.speed()) + kEndSeconds;
    rested_ = std::fmod(std::max(seconds - left, 0.0), cycle);
    if (*rested_ < kEndSeconds) return;
    const double played = *rested_ - kEndSeconds;
    restart();
    clock_.advance(played);
    return;
  }
  loops_ += std::min(step.loops, std::numeric_limits<std::uint64_t>::max() - loops_);
  if (!finished() || !clock_.playing()) return;
  const auto [first, last] = played();
  clock_.seek_frame(clock_.speed() < 0 || effective_mode() == LoopMode::ping_pong ? 0 : last - first);
  clock_.pause();
}

void Transport::seek_frame(std::uint32_t frame) noexcept {
  const bool plays = playing();
  const auto [first, last] = played();
  frame = std::min(frame, std::max(frame_count_, 1U) - 1);
  outside_ = frame < first || frame > last;
  rested_.reset();
  loops_ = 0;
  outside_ ? whole_.seek_frame(frame) : clock_.seek_frame(frame - first);
  Clock& clock = outside_ ? whole_ : clock_;
  if (clock.playing() != plays) plays ? clock.play() : clock.pause();
}

void Transport::seek_seconds(double seconds) noexcept {
  seek_frame(played().first);
  clock_.seek_seconds(seconds - first_seconds_);
}

void Transport::step(std::int64_t frames) noexcept {
  pause();
  loops_ = 0;
  if (!outside_) return clock_.step(frames);
  const std::int64_t current = frame();
  seek_frame(static_cast<std::uint32_t>(
      std::clamp(frames, -current, static_cast<std::int64_t>(frame_count_) - 1 - current) + current));
}

ClipTime Transport::position(Sampling sampling, std::uint32_t hold) const noexcept {
  if (hold > 1) return held(frame(), hold);
  if (outside_) return whole_.position(sampling);
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
