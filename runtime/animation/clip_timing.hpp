// SPDX-License-Identifier: MIT
// Converts many times of one clip to frames, like clip_time() but two at a time and without divisions.
#pragma once

#include "compiler/vectors.hpp"

#include <pchr/pose.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace pchr {

/// A frame and the place between it and the next, in [0, 1). It has the number of the frame in its low 32 bits.
struct TimedFrames {
  static constexpr std::size_t kMax = 128;

  std::array<double, kMax> frames;
  std::array<double, kMax> fractions;

  /// Returns what clip_time() returns for a clip with this last frame.
  template <Sampling kSampling>
  [[nodiscard]] PCHR_ALWAYS_INLINE ClipTime position(std::size_t i, std::uint32_t last) const noexcept {
    const auto frame = static_cast<std::uint32_t>(bits_as<std::uint64_t>(frames[i]));
    if (kSampling == Sampling::step) return {frame, frame, 0};
    // A double just below 1 can round up to 1 as a float.
    const float factor = std::min(static_cast<float>(fractions[i]), 0x1.fffffep-1F);
    return {frame, !(factor > 0) ? frame : frame < last ? frame + 1 : 0, factor};
  }
};

/// What the frames of a clip depend on. The default is that of a clip that holds its first frame.
class ClipTiming {
 public:
  ClipTiming() = default;
  explicit ClipTiming(const Clip& clip) noexcept {
    if (clip.frame_count == 0 || clip.frames_per_second <= 0) return;
    is_even_ = clip.frame_ends.empty() && clip.loop_start == 0 && clip.frame_count < kMaxFrames;
    loops_ = clip.looping;
    rate_ = clip.frames_per_second;
    count_ = clip.frame_count;
  }

  /// Returns false for clips with uneven frame durations or a loop start, which take clip_time().
  [[nodiscard]] bool is_even() const noexcept { return is_even_; }

  /// Converts up to TimedFrames::kMax times of an even clip. Returns false if a time is too far from 0.
  [[nodiscard]] bool convert(std::span<const double> seconds, TimedFrames& out) const noexcept {
    const Double2 rate = all_lanes<Double2>(rate_), count = all_lanes<Double2>(count_);
    const Double2 cycles_per_frame = all_lanes<Double2>(1.0 / count_), last = all_lanes<Double2>(count_ - 1.0);
    const Double2 one = all_lanes<Double2>(1.0), max_square = all_lanes<Double2>(double{kMaxFrames} * kMaxFrames);
    // Adding this rounds to a whole number, which the low bits then hold.
    const Double2 rounder = all_lanes<Double2>(0x1.8p52);
    Double2 valid{};
    const auto convert_two = [&](Double2 two, std::size_t i) {
      Double2 place = two * rate;
      if (!loops_) place = min(last, max(Double2{}, place));
      valid = valid + if_less(place * place, max_square, one);
      Double2 whole = (place + rounder) - rounder;
      whole = whole - if_less(place, whole, one);
      const Double2 cycles = (whole * cycles_per_frame + rounder) - rounder;
      Double2 frame = whole - cycles * count;
      frame = frame + if_less(frame, Double2{}, count);
      store_as(frame + rounder, &out.frames[i]);
      store_as(place - whole, &out.fractions[i]);
    };
    std::size_t i = 0;
    for (; i + 2 <= seconds.size(); i += 2) convert_two(load_as<Double2>(&seconds[i]), i);
    if (i < seconds.size()) convert_two(Double2{seconds[i], 0.0}, i), ++i;
    const std::size_t converted = (seconds.size() + 1) / 2 * 2;
    return valid[0] + valid[1] == static_cast<double>(converted);
  }

 private:
  static constexpr std::uint32_t kMaxFrames = 1U << 30;  ///< Beyond, rounding could lose whole frames.

  double rate_ = 0, count_ = 1;
  bool loops_ = true, is_even_ = true;
};

}  // namespace pchr
