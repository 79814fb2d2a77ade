// SPDX-License-Identifier: MIT
// Playback time of one clip.
#include <pchr/clock.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pchr {
namespace {

/// Splits a value into whole periods and a remainder in [0, period).
std::pair<double, double> wrap(double value, double period) noexcept {
  if (value >= 0 && value < period) return {0, value};  // Most steps of a clock stay within a period.
  // fmod is exact, division is not: a value just below 0 belongs to the period before.
  const double rest = std::fmod(value, period);
  const double periods = std::round((value - rest) / period);
  if (rest >= 0) return {periods, rest};
  // Adding a tiny negative remainder would round up to the period itself.
  return {periods - 1, std::min(rest + period, std::nextafter(period, 0.0))};
}

std::uint64_t saturating_count(double count) noexcept {
  constexpr double kMax = 18446744073709549568.0;  // the largest double below 2^64
  return static_cast<std::uint64_t>(std::clamp(count, 0.0, kMax));
}

}  // namespace

Clock::Clock(const Clip& clip, LoopMode mode) : Clock(clip, mode, 0, clip.frame_count) {
  loop_start_ = clip.loop_start;
}

Clock::Clock(const Clip& clip, LoopMode mode, std::uint32_t first, std::uint32_t count)
    : frames_per_second_(clip.frames_per_second), mode_(mode), looping_(clip.looping), playing_(true) {
  first = std::min(first, clip.frame_count);
  frame_count_ = std::min(count, clip.frame_count - first);
  if (clip.frame_ends.empty()) return;
  start_seconds_ = clip.frame_begin(first);
  const auto ends = std::span(clip.frame_ends).subspan(first, frame_count_);
  frame_ends_ = std::make_shared<std::vector<double>>(ends.begin(), ends.end());
}

LoopMode Clock::effective_mode() const noexcept {
  if (mode_ == LoopMode::from_file) return looping_ ? LoopMode::loop : LoopMode::once;
  // With one frame, ping-pong is the same as a loop.
  if (mode_ == LoopMode::ping_pong && frame_count_ < 2) return LoopMode::loop;
  return mode_;
}

// Ping-pong runs 0 1 2 3 2 1: neither end is shown twice.
double Clock::cycle_frames() const noexcept {
  return effective_mode() == LoopMode::ping_pong ? 2.0 * frame_count_ - 2.0 : frame_count_;
}

double Clock::loop_begin() const noexcept { return effective_mode() == LoopMode::loop ? loop_start_ : 0; }

// Converts a place within the cycle to ticks.
double Clock::ticks_at(double place) const noexcept {
  if (frame_ends_ == nullptr) return place;
  const double reversal = frame_count_;
  if (place > reversal) {  // The way back of ping-pong starts with the second-to-last frame.
    const double mirrored = cycle_frames() - place;
    const double held = std::ceil(mirrored);
    const auto frame = static_cast<std::uint32_t>(held);
    const double begins = frame_end(frame_count_ - 1) + frame_begin(frame_count_ - 1) - frame_end(frame);
    return begins + (held - mirrored) * (frame_end(frame) - frame_begin(frame));
  }
  const auto frame = static_cast<std::uint32_t>(std::min(std::floor(place), reversal - 1));
  return frame_begin(frame) + (place - frame) * (frame_end(frame) - frame_begin(frame));
}

double Clock::place_at(double ticks) const noexcept {
  if (frame_ends_ == nullptr) return ticks;
  const double reversal = frame_end(frame_count_ - 1);
  if (ticks <= reversal || effective_mode() != LoopMode::ping_pong) return place_in_clip(ticks);
  // Mirrors time about the middle of the last frame, so each frame lasts as long on the way back.
  return cycle_frames() + 1 - place_in_clip(reversal + frame_begin(frame_count_ - 1) - ticks);
}

double Clock::place_in_clip(double seconds) const noexcept {
  const auto found = std::ranges::upper_bound(*frame_ends_, seconds + start_seconds_);
  if (found == frame_ends_->end()) return frame_count_;
  const auto frame = static_cast<std::uint32_t>(found - frame_ends_->begin());
  const double within = (seconds - frame_begin(frame)) / (frame_end(frame) - frame_begin(frame));
  // Rounding up must not leave the frame.
  return std::min(frame + std::max(within, 0.0), std::nextafter(frame + 1.0, 0.0));
}

double Clock::duration_seconds() const noexcept { return can_play() ? ticks_at(frame_count_) / ticks_per_second() : 0; }

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
  if (!playing_ || !can_play()) return {0, false, frame_, frame_};
  const double before = frame_;
  const double now = ticks_at(frame_);
  const double target = now + seconds * speed_ * ticks_per_second();
  if (!std::isfinite(seconds) || !std::isfinite(target) || target == now) return {0, false, before, before};
  const double end = ticks_at(cycle_frames());
  if (effective_mode() == LoopMode::once) {
    frame_ = place_at(std::clamp(target, 0.0, end));
    const bool finished = target > now ? target >= end : target <= 0;
    if (finished) playing_ = false;
    return {0, finished, before, frame_};
  }
  const double begin = target < end ? 0 : ticks_at(loop_begin());
  const auto [cycles, rest] = wrap(target - begin, end - begin);
  frame_ = place_at(begin + rest);
  return {saturating_count(std::abs(cycles)), false, before, frame_, cycles};
}

double Clock::seconds_to_end(bool backwards) const noexcept {
  const double ticks_per_second = this->ticks_per_second() * speed_ * (backwards ? -1 : 1);
  if (!playing_ || !can_play() || ticks_per_second == 0) return HUGE_VAL;
  if (ticks_per_second < 0) return ticks_at(frame_) / -ticks_per_second;
  return std::max(ticks_at(cycle_frames()) - ticks_at(frame_), 0.0) / ticks_per_second;
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
  frame_ = forwards ? loop_begin() : std::nextafter(cycle_frames(), 0.0);
  return {1, false, before, frame_, forwards ? 1.0 : -1.0};
}

bool Clock::at_end() const noexcept {
  return effective_mode() == LoopMode::once && !playing_ && (speed_ < 0 ? frame_ <= 0 : frame_ >= frame_count_);
}

Advance Clock::step_from(const Clock& before, double cycles) const noexcept {
  return {saturating_count(std::abs(cycles)), false, before.frame_, frame_, cycles};
}

FrameReached Clock::find_reached(std::uint32_t frame, const Advance& step) const noexcept {
  if (frame >= frame_count_ || !can_play() || speed_ == 0) return {};
  const LoopMode mode = effective_mode();
  const double end = cycle_frames();
  // Going forward, later cycles skip the frames before the loop start.
  const double begin = step.cycles > 0 ? loop_begin() : 0;
  const double cycle = end - begin;
  // A clip that plays once holds its last frame.
  const double last = mode == LoopMode::once ? frame_count_ - 1.0 : end;
  const double from = std::min(std::floor(step.from), last);
  const double to = std::min(std::floor(step.to), last) + step.cycles * cycle;
  const bool forwards = to > from;
  // The places reached in whole steps. Each is a frame or, on the way back of ping-pong, the mirror of one.
  const double first = forwards ? from + 1 : to;
  const double final = forwards ? to : from - 1;
  const double cycle_ticks = ticks_at(end) - ticks_at(begin);

  FrameReached reached;
  double ticks = HUGE_VAL;
  const auto count = [&](double place) {
    double before = std::ceil((first - place) / cycle), after = std::floor((final - place) / cycle);
    if (begin > 0) {
      before = std::max(before, 0.0);
      if (place < begin) after = std::min(after, 0.0);
    }
    if (after < before) return;
    reached.count += saturating_count(after - before + 1);
    const double nearest = forwards ? ticks_at(place) + before * cycle_ticks - ticks_at(step.from)
                                    : ticks_at(step.from) - (ticks_at(place + 1) + after * cycle_ticks);
    ticks = std::min(ticks, nearest);
  };
  count(frame);
  if (mode == LoopMode::ping_pong && frame > 0 && frame + 1 < frame_count_) count(end - frame);
  if (reached.count > 0) reached.seconds = std::max(ticks, 0.0) / std::abs(speed_ * ticks_per_second());
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
  if (std::isnan(seconds) || !can_play()) return;
  const double last = effective_mode() == LoopMode::ping_pong ? frame_count_ - 1.0 : frame_count_;
  frame_ = place_at(std::clamp(seconds * ticks_per_second(), 0.0, ticks_at(last)));
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
    const auto begin = frames < count - current ? 0 : static_cast<std::int64_t>(loop_begin());
    const std::int64_t period = count - begin;
    frame_ = static_cast<double>(((current - begin + frames % period) % period + period) % period + begin);
  }
}

void Clock::set_mode(LoopMode mode) noexcept {
  const std::uint32_t current = frame();
  const LoopMode before = effective_mode();
  mode_ = mode;
  if (effective_mode() != before) seek_frame(current);
}

double Clock::seconds() const noexcept {
  if (!can_play()) return 0;
  const bool backwards = effective_mode() == LoopMode::ping_pong && frame_ > frame_count_ - 1.0;
  return ticks_at(backwards ? cycle_frames() - frame_ : frame_) / ticks_per_second();
}

ClipTime Clock::position(Sampling sampling) const noexcept {
  if (frame_count_ == 0) return {};
  const std::uint32_t last = frame_count_ - 1;
  const double whole = std::floor(frame_);
  const auto factor = std::min(static_cast<float>(frame_ - whole), std::nextafter(1.0F, 0.0F));
  const bool between = sampling == Sampling::smooth && factor > 0;
  const LoopMode mode = effective_mode();
  const double reversal = static_cast<double>(last);
  if (mode == LoopMode::ping_pong && whole >= reversal) {
    // On the way back, each frame is held until the one below it is reached.
    const auto frame = static_cast<std::uint32_t>(cycle_frames() - whole);
    return between ? ClipTime{frame, frame - 1, factor} : ClipTime{frame, frame, 0};
  }
  const auto frame = static_cast<std::uint32_t>(std::min(whole, reversal));
  if (!between || (frame == last && mode == LoopMode::once)) return {frame, frame, 0};
  return {frame, frame == last ? loop_start_ : frame + 1, factor};
}

}  // namespace pchr
