// SPDX-License-Identifier: MIT
#include "animation/clip_timing.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace clip_timing_test {
using namespace pchr;

namespace {

Clip clip_of(std::uint32_t frames, double rate, bool looping) {
  Clip clip;
  clip.frame_count = frames;
  clip.frames_per_second = rate;
  clip.looping = looping;
  return clip;
}

template <Sampling kSampling>
void check_times(const Clip& clip, std::span<const double> seconds) {
  const std::uint32_t last = std::max(clip.frame_count, 1U) - 1;
  TimedFrames times;
  for (std::size_t first = 0; first < seconds.size(); first += TimedFrames::kMax) {
    const auto part = seconds.subspan(first, std::min(TimedFrames::kMax, seconds.size() - first));
    REQUIRE(ClipTiming(clip).convert(part, times));
    for (std::size_t i = 0; i < part.size(); ++i) {
      INFO(part[i] << " s, " << clip.frame_count << " frames at " << clip.frames_per_second);
      REQUIRE(times.position<kSampling>(i, last) == clip_time(clip, part[i], kSampling));
    }
  }
}

}  // namespace

TEST_CASE("times converted together are those of clip_time(), whatever the clip", "[clip_time]") {
  std::mt19937 random(1);
  std::vector<double> seconds{0.0, -0.0, 1e-300, -1e-300, 1e-20, -1e-20, 1e6, -1e6};
  for (int frame = -70; frame <= 70; ++frame) {
    for (const double rate : {12.0, 30.0, 59.94}) {
      const double at = frame / rate;
      seconds.insert(seconds.end(), {at, std::nextafter(at, -HUGE_VAL), std::nextafter(at, HUGE_VAL)});
    }
  }
  for (int i = 0; i < 1001; ++i) seconds.push_back((static_cast<double>(random()) / 4294967296.0 - 0.3) * 1000);
  for (const std::uint32_t frames : {0U, 1U, 2U, 3U, 7U, 60U, 1000U, (1U << 30) - 1}) {
    for (const double rate : {0.0, 12.0, 30.0, 59.94}) {
      for (const bool looping : {false, true}) {
        check_times<Sampling::step>(clip_of(frames, rate, looping), seconds);
        check_times<Sampling::smooth>(clip_of(frames, rate, looping), seconds);
      }
    }
  }
}

TEST_CASE("times that only clip_time() can convert are refused", "[clip_time]") {
  const double far[] = {0, 1, 1e8}, infinite[] = {HUGE_VAL, 0}, not_a_number[] = {0, std::nan("")};
  TimedFrames times;
  CHECK_FALSE(ClipTiming(clip_of(60, 30, true)).convert(far, times));
  CHECK(ClipTiming(clip_of(60, 30, false)).convert(far, times));
  CHECK_FALSE(ClipTiming(clip_of(60, 30, true)).convert(infinite, times));
  CHECK_FALSE(ClipTiming(clip_of(60, 30, true)).convert(not_a_number, times));
  CHECK_FALSE(ClipTiming(clip_of(60, 30, false)).convert(not_a_number, times));
  Clip clip = clip_of(3, 30, true);
  CHECK(ClipTiming(clip).is_even());
  clip.loop_start = 1;
  CHECK_FALSE(ClipTiming(clip).is_even());
  clip.loop_start = 0;
  clip.frame_ends = {0.1, 0.3, 0.4};
  CHECK_FALSE(ClipTiming(clip).is_even());
  CHECK_FALSE(ClipTiming(clip_of(1U << 30, 30, true)).is_even());
}

}  // namespace clip_timing_test
