// SPDX-License-Identifier: MIT
// Playback time of one clip.
#include <pchr/clock.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace pchr {
namespace {

/// A value as whole periods and what is left, from 0 up to but not including the period.
struct Wrapped {
  double periods = 0;
  double rest = 0;
};

Wrapped wrap(double value, double period) noexcept {
  // fmod is exact, unlike a division: a value just below 0 is in the period before.
  const double rest = std::fmod(value, period);
  const double periods = std::round((value - rest) / period);
  if (rest >= 0) return {periods, rest};
  // A tiny negative rest would round up to the period itself.
  return {periods - 1, std::min(rest + period, std::nextafter(period, 0.0))};
}

std::uint64_t saturating_count(double count) noexcept {
  constexpr double kMost = 18446744073709549568.0;  // the largest double below 2^64
  return static_cast<std::uint64_t>(std::clamp(count, 0.0, kMost));
}

}  // namespace

Clock::Clock(const Clip& clip, LoopMode mode)
    : frames_per_second_(clip.frames_per_second),
      frame_count_(clip.frame_count),
      mode_(mode),
      looping_(clip.looping),
      playing_(true) {}

LoopMode Clock::effective_mode() const noexcept {
  if (mode_ == LoopMode::from_file) return looping_ ? LoopMode::loop : LoopMode::once;
  // There and back over one frame is that frame.
  if (mode_ == LoopMode::ping_pong && frame_count_ < 2) return LoopMode::loop;
  return mode_;
}

// Ping-pong runs 0 1 2 3 2 1: neither end is shown twice.
double Clock::cycle_frames() const noexcept {
  return effective_mode() == LoopMode::ping_pong ? 2.0 * frame_count_ - 2.0 : frame_count_;
}

double Clock::duration_seconds() const noexcept {
  return frames_per_second_ > 0 ? frame_count_ / frames_per_second_ : 0;
}

void Clock::play() noexcept {
  if (effective_mode() == LoopMode::once && speed_ >= 0 && frame_ >= frame_count_) frame_ = 0;
  if (effective_mode() == LoopMode::once && speed_ < 0 && frame_ <= 0) frame_ = frame_count_;
  playing_ = true;
}

void Clock::pause() noexcept { playing_ = false; }

void Clock::stop() noexcept {
  playing_ = false;
  frame_ = 0;
}

Advance Clock::advance(double seconds) noexcept {
  const double target = frame_ + seconds * speed_ * frames_per_second_;
  if (!playing_ || !can_play() || !std::isfinite(seconds) || !std::isfinite(target) || target == frame_) {
    return {0, false, frame_, frame_};
  }
  const double before = frame_;
  if (effective_mode() == LoopMode::once) {
    frame_ = std::clamp(target, 0.0, static_cast<double>(frame_count_));
    const bool finished = target > before ? target >= frame_count_ : target <= 0;
    if (finished) playing_ = false;
    return {0, finished, before, frame_};
  }
  const auto [cycles, place] = wrap(target, cycle_frames());
  frame_ = place;
  return {saturating_count(std::abs(cycles)), false, before, frame_, cycles};
}

double Clock::seconds_to_end(bool backwards) const noexcept {
  const double frames_per_second = speed_ * frames_per_second_ * (backwards ? -1 : 1);
  if (!playing_ || !can_play() || frames_per_second == 0) return HUGE_VAL;
  if (frames_per_second < 0) return frame_ / -frames_per_second;
  return std::max(cycle_frames() - frame_, 0.0) / frames_per_second;
}

Advance Clock::advance_to_end(bool backwards) noexcept {
  const double before = frame_;
  if (!std::isfinite(seconds_to_end(backwards))) return {0, false, before, before};
  const bool forwards = (speed_ > 0) != backwards;
  if (effective_mode() == LoopMode::once) {
    frame_ = forwards ? frame_count_ : 0;
    playing_ = false;
    return {0, true, before, frame_};
  }
  frame_ = forwards ? 0 : std::nextafter(cycle_frames(), 0.0);
  return {1, false, before, frame_, forwards ? 1.0 : -1.0};
}

bool Clock::at_end() const noexcept {
  return effective_mode() == LoopMode::once && !playing_ && (speed_ < 0 ? frame_ <= 0 : frame_ >= frame_count_);
}

FrameReached Clock::find_reached(std::uint32_t frame, const Advance& step) const noexcept {
  if (frame >= frame_count_ || !can_play() || speed_ == 0) return {};
  const LoopMode mode = effective_mode();
  const double cycle = cycle_frames();
  // Beyond the last frame of a clip that plays once, that frame is held.
  const double last = mode == LoopMode::once ? frame_count_ - 1.0 : cycle;
  const double from = std::min(std::floor(step.from), last);
  const double to = std::min(std::floor(step.to), last) + step.cycles * cycle;
  const bool forwards = to > from;
  // The whole places that came up: each is a frame, or on ping-pong's way back the mirror of one.
  const double first = forwards ? from + 1 : to;
  const double final = forwards ? to : from - 1;

  FrameReached reached;
  double frames = HUGE_VAL;
  const auto count = [&](double place) {
    const double before = std::ceil((first - place) / cycle), after = std::floor((final - place) / cycle);
    if (after < before) return;
    reached.count += saturating_count(after - before + 1);
    const double nearest = place + (forwards ? before : after) * cycle;
    frames = std::min(frames, forwards ? nearest - step.from : step.from - (nearest + 1));
  };
  count(frame);
  if (mode == LoopMode::ping_pong && frame > 0 && frame + 1 < frame_count_) count(cycle - frame);
  if (reached.count > 0) reached.seconds = std::max(frames, 0.0) / std::abs(speed_ * frames_per_second_);
  return reached;
}

void Clock::rewind() noexcept {
  if (speed_ >= 0 || frame_count_ == 0) {
    frame_ = 0;
  } else {
    frame_ = effective_mode() == LoopMode::once ? frame_count_ : std::nextafter(frame_count_, 0.0);
  }
}

void Clock::seek_seconds(double seconds) noexcept {
  if (std::isnan(seconds)) return;
  const double last = effective_mode() == LoopMode::ping_pong ? frame_count_ - 1.0 : frame_count_;
  frame_ = std::clamp(seconds * frames_per_second_, 0.0, last);
  if (effective_mode() == LoopMode::loop && frame_ >= frame_count_) frame_ = 0;
}

void Clock::seek_frame(std::uint32_t frame) noexcept {
  frame_ = frame_count_ == 0 ? 0 : std::min(frame, frame_count_ - 1);
}

void Clock::step(std::int64_t frames) noexcept {
  playing_ = false;
  if (frame_count_ == 0) return;
  const auto count = static_cast<std::int64_t>(frame_count_);
  const auto current = static_cast<std::int64_t>(frame());
  if (effective_mode() == LoopMode::once) {
    frame_ = static_cast<double>(std::clamp(frames, -current, count - 1 - current) + current);
  } else {
    frame_ = static_cast<double>(((current + frames % count) % count + count) % count);
  }
}

void Clock::set_mode(LoopMode mode) noexcept {
  const std::uint32_t current = frame();
  const LoopMode before = effective_mode();
  mode_ = mode;
  if (effective_mode() != before) seek_frame(current);
}

double Clock::seconds() const noexcept {
  if (!(frames_per_second_ > 0)) return 0;
  const bool backwards = effective_mode() == LoopMode::ping_pong && frame_ > frame_count_ - 1.0;
  return (backwards ? cycle_frames() - frame_ : frame_) / frames_per_second_;
}

FramePosition Clock::position(Sampling sampling) const noexcept {
  if (frame_count_ == 0) return {};
  const std::uint32_t last = frame_count_ - 1;
  const double whole = std::floor(frame_);
  const auto factor = std::min(static_cast<float>(frame_ - whole), std::nextafter(1.0F, 0.0F));
  const bool between = sampling == Sampling::smooth && factor > 0;
  const LoopMode mode = effective_mode();
  const double turn = static_cast<double>(last);
  if (mode == LoopMode::ping_pong && whole >= turn) {
    // The way back: each frame is held until the one below it is reached.
    const auto frame = static_cast<std::uint32_t>(cycle_frames() - whole);
    return between ? FramePosition{frame, frame - 1, factor} : FramePosition{frame, frame, 0};
  }
  const auto frame = static_cast<std::uint32_t>(std::min(whole, turn));
  if (!between || (frame == last && mode == LoopMode::once)) return {frame, frame, 0};
  return {frame, frame == last ? 0 : frame + 1, factor};
}

}  // namespace pchr
