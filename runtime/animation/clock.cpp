// SPDX-License-Identifier: MIT
// Playback time of one clip.
#include <pchr/clock.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace pchr {
namespace {

/// `value` modulo `period`, from 0 up to but not including `period`.
double wrap(double value, double period) noexcept {
  const double remainder = std::fmod(value, period);
  if (remainder >= 0) return remainder;
  // A tiny negative remainder would round up to the period itself.
  return std::min(remainder + period, std::nextafter(period, 0.0));
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
  if (!playing_ || frame_count_ == 0 || !(frames_per_second_ > 0) || !std::isfinite(seconds) ||
      !std::isfinite(target) || target == frame_) {
    return {};
  }
  if (effective_mode() == LoopMode::once) {
    const bool forwards = target > frame_;
    frame_ = std::clamp(target, 0.0, static_cast<double>(frame_count_));
    const bool finished = forwards ? target >= frame_count_ : target <= 0;
    if (finished) playing_ = false;
    return {0, finished};
  }
  const double cycle = cycle_frames();
  frame_ = wrap(target, cycle);
  return {saturating_count(std::abs(std::floor(target / cycle))), false};
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
