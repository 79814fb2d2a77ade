// SPDX-License-Identifier: MIT
#include "animation/clip_timing.hpp"
#include "support/catch.hpp"

#include <pchr/clock.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace clock_test {
namespace {

using namespace pchr;

Clip clip_of(std::uint32_t frames, double rate, bool looping) {
  Clip clip;
  clip.frame_count = frames;
  clip.frames_per_second = rate;
  clip.looping = looping;
  return clip;
}

std::vector<std::uint32_t> frames_shown(Clock clock, int count, double step) {
  std::vector<std::uint32_t> frames;
  for (int i = 0; i < count; ++i) {
    frames.push_back(clock.frame());
    clock.advance(step);
  }
  return frames;
}

TEST_CASE("a looping clip wraps and counts its loops", "[clock]") {
  Clock clock(clip_of(4, 8, true));
  CHECK(clock.duration_seconds() == 0.5);
  CHECK(clock.advance(0.25).loops == 0);
  CHECK(clock.frame() == 2);
  const Advance advance = clock.advance(1.5);
  CHECK(advance.loops == 3);
  CHECK_FALSE(advance.finished);
  CHECK(clock.frame() == 2);
  CHECK(frames_shown(Clock(clip_of(3, 8, true)), 7, 0.125) == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2, 0});
}

TEST_CASE("a clip that plays once holds its last frame and finishes once", "[clock]") {
  Clock clock(clip_of(4, 8, false));
  CHECK_FALSE(clock.advance(0.4).finished);
  CHECK(clock.advance(0.25).finished);
  CHECK_FALSE(clock.playing());
  CHECK(clock.frame() == 3);
  CHECK(clock.seconds() == 0.5);
  CHECK_FALSE(clock.advance(1).finished);
  clock.play();
  CHECK(clock.frame() == 0);
  CHECK(clock.advance(100).finished);
}

TEST_CASE("a clip that plays once in reverse ends on its first frame", "[clock]") {
  Clock clock(clip_of(4, 8, false));
  clock.set_speed(-1);
  clock.play();
  CHECK(clock.frame() == 3);
  CHECK_FALSE(clock.advance(0.25).finished);
  CHECK(clock.advance(0.25).finished);
  CHECK(clock.frame() == 0);
}

TEST_CASE("ping-pong shows each end once per cycle", "[clock]") {
  CHECK(frames_shown(Clock(clip_of(4, 8, true), LoopMode::ping_pong), 9, 0.125) ==
        std::vector<std::uint32_t>{0, 1, 2, 3, 2, 1, 0, 1, 2});
  Clock clock(clip_of(4, 8, false), LoopMode::ping_pong);
  CHECK(clock.advance(0.7).loops == 0);
  CHECK(clock.advance(0.1).loops == 1);
  CHECK(clock.advance(7.5).loops == 10);
}

TEST_CASE("ping-pong time runs back after the last frame", "[clock]") {
  Clock clock(clip_of(4, 8, true), LoopMode::ping_pong);
  clock.advance(4.25 / 8);
  CHECK(clock.seconds() == Approx(1.75 / 8));
  const ClipTime position = clock.position(Sampling::smooth);
  CHECK(position.frame == 2);
  CHECK(position.next == 1);
  CHECK(position.factor == Approx(0.25));
}

TEST_CASE("ping-pong over one frame or none is that frame", "[clock]") {
  for (const std::uint32_t count : {0U, 1U}) {
    Clock clock(clip_of(count, 8, true), LoopMode::ping_pong);
    clock.advance(12.3);
    CHECK(clock.frame() == 0);
    CHECK(std::isfinite(clock.seconds()));
  }
}

TEST_CASE("negative speed and negative time both play in reverse", "[clock]") {
  Clock clock(clip_of(4, 8, true));
  clock.set_speed(-2);
  CHECK(clock.advance(0.125).loops == 1);
  CHECK(clock.frame() == 2);
  CHECK(clock.advance(-0.125).loops == 1);
  CHECK(clock.frame() == 0);
}

TEST_CASE("a step of any length leaves the clock inside the clip", "[clock]") {
  const double steps[] = {0,
                          -0.0,
                          1e-320,
                          -1e-320,
                          1e-17,
                          -1e-17,
                          1.0 / 3,
                          -1.0 / 3,
                          1e9,
                          -1e9,
                          1e18,
                          -1e18,
                          1e300,
                          -1e300,
                          std::numeric_limits<double>::max(),
                          std::numeric_limits<double>::lowest(),
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::quiet_NaN()};
  for (const LoopMode mode : {LoopMode::once, LoopMode::loop, LoopMode::ping_pong}) {
    for (const std::uint32_t count : {1U, 2U, 7U, 65535U}) {
      for (const double speed : {1.0, -1.0, 0.0, 1e200}) {
        Clock clock(clip_of(count, 24, true), mode);
        clock.set_speed(speed);
        for (const double first : steps) {
          for (const double second : steps) {
            clock.play();
            clock.advance(first);
            clock.advance(second);
            for (const Sampling sampling : {Sampling::step, Sampling::smooth}) {
              const ClipTime position = clock.position(sampling);
              if (position.frame >= count || position.next >= count || !(position.factor >= 0) ||
                  !(position.factor < 1) || !(clock.seconds() >= 0) || clock.seconds() > clock.duration_seconds()) {
                CAPTURE(count, speed, first, second, position.frame, position.next, position.factor, clock.seconds());
                FAIL("outside the clip");
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE("loops saturate instead of overflowing", "[clock]") {
  Clock clock(clip_of(1, 60, true));
  CHECK(clock.advance(1e300).loops > std::uint64_t{1} << 63);
}

TEST_CASE("a simulated week does not drift", "[clock]") {
  constexpr double kStep = 1.0 / 64;  // Exact, so the true time is known.
  constexpr std::int64_t kSteps = std::int64_t{7} * 24 * 3600 * 64;
  Clock clock(clip_of(37, 24, true));
  std::uint64_t loops = 0;
  for (std::int64_t i = 0; i < kSteps; ++i) loops += clock.advance(kStep).loops;
  const double frames = 7.0 * 24 * 3600 * 24;
  CHECK(loops == static_cast<std::uint64_t>(frames / 37));
  CHECK(clock.seconds() == Approx(std::fmod(frames, 37) / 24).margin(1e-9));
}

TEST_CASE("seeking a frame shows that frame at every rate", "[clock]") {
  for (const double rate : {1.0, 12.0, 24.0, 25.0, 29.97, 30.0, 49.0, 60.0, 65535.0}) {
    const Clip clip = clip_of(500, rate, true);
    Clock clock(clip);
    for (std::uint32_t frame = 0; frame < 500; ++frame) {
      clock.seek_frame(frame);
      REQUIRE(clock.frame() == frame);
      REQUIRE(clip_time(clip, clip.frame_begin(frame), Sampling::step).frame == frame);
    }
    clock.seek_frame(500);
    CHECK(clock.frame() == 499);
  }
}

TEST_CASE("seeking a time clamps to the clip", "[clock]") {
  Clock clock(clip_of(4, 8, false));
  clock.seek_seconds(0.3);
  CHECK(clock.frame() == 2);
  clock.seek_seconds(99);
  CHECK(clock.frame() == 3);
  clock.seek_seconds(-1);
  CHECK(clock.frame() == 0);
  clock.seek_seconds(std::numeric_limits<double>::quiet_NaN());
  CHECK(clock.frame() == 0);
}

TEST_CASE("stepping pauses, wraps in a loop and otherwise stops at the ends", "[clock]") {
  Clock loop(clip_of(4, 8, true));
  loop.advance(0.06);
  loop.step(-1);
  CHECK_FALSE(loop.playing());
  CHECK(loop.frame() == 3);
  loop.step(2);
  CHECK(loop.frame() == 1);
  loop.step(std::numeric_limits<std::int64_t>::min());
  CHECK(loop.frame() < 4);
  Clock once(clip_of(4, 8, false));
  once.step(-1);
  CHECK(once.frame() == 0);
  once.step(std::numeric_limits<std::int64_t>::max());
  CHECK(once.frame() == 3);
}

TEST_CASE("pause holds, stop returns to the start", "[clock]") {
  Clock clock(clip_of(4, 8, true));
  clock.advance(0.25);
  clock.pause();
  clock.advance(0.125);
  CHECK(clock.frame() == 2);
  clock.stop();
  CHECK(clock.frame() == 0);
  CHECK_FALSE(clock.playing());
}

TEST_CASE("changing the mode keeps the frame", "[clock]") {
  Clock clock(clip_of(4, 8, true), LoopMode::ping_pong);
  clock.advance(4.0 / 8);
  CHECK(clock.frame() == 2);
  clock.set_mode(LoopMode::once);
  CHECK(clock.frame() == 2);
}

TEST_CASE("a rate of 0 holds the first frame and never finishes", "[clock]") {
  Clock clock(clip_of(4, 0, false));
  const Advance advance = clock.advance(1000);
  CHECK_FALSE(advance.finished);
  CHECK(advance.loops == 0);
  CHECK(clock.frame() == 0);
  clock.step(2);
  CHECK(clock.frame() == 2);
}

TEST_CASE("a clock counts how often a step reached a frame, and when first", "[clock]") {
  Clock clock(clip_of(4, 8, true));
  Advance step = clock.advance(1.3);  // Over places 0 to 10.4: frames 1 2 3 0 1 2 3 0 1 2.
  CHECK(clock.find_reached(0, step).count == 2);
  CHECK(clock.find_reached(0, step).seconds == 0.5);
  CHECK(clock.find_reached(2, step).count == 3);
  CHECK(clock.find_reached(2, step).seconds == 0.25);
  CHECK(clock.find_reached(4, step).count == 0);
  clock.seek_frame(1);
  step = clock.advance(-0.5);  // Back over 0 3 2 1, entered at its end and left at its start.
  CHECK(clock.find_reached(0, step).count == 1);
  CHECK(clock.find_reached(0, step).seconds == 0);
  CHECK(clock.find_reached(1, step).count == 1);
  CHECK(clock.find_reached(1, step).seconds == 0.375);

  Clock there_and_back(clip_of(4, 8, false), LoopMode::ping_pong);
  step = there_and_back.advance(1.5);  // 1 2 3 2 1 0 1 2 3 2 1 0
  CHECK(there_and_back.find_reached(0, step).count == 2);
  CHECK(there_and_back.find_reached(1, step).count == 4);
  CHECK(there_and_back.find_reached(3, step).count == 2);
  CHECK(there_and_back.find_reached(2, step).seconds == 0.25);
}

TEST_CASE("a clock advances exactly to its end", "[clock]") {
  // The quotients of these rates and speeds are not exact.
  for (const double speed : {0.3, 1.0 / 7, 1.1}) {
    Clock clock(clip_of(7, 29.97, true));
    clock.set_speed(speed);
    clock.advance(0.0123);
    CHECK(clock.seconds_to_end() == Approx(7 / 29.97 / speed - 0.0123));
    CHECK(clock.advance_to_end().loops == 1);
    CHECK(clock.seconds() == 0);
    CHECK(clock.advance_to_end(true).loops == 1);
    CHECK(clock.frame() == 6);
    clock.set_mode(LoopMode::once);
    CHECK_FALSE(clock.at_end());
    CHECK(clock.advance_to_end().finished);
    CHECK(clock.at_end());
    CHECK(std::isinf(clock.seconds_to_end()));
    CHECK_FALSE(clock.advance_to_end().finished);
  }
  CHECK(std::isinf(Clock(clip_of(3, 0, true)).seconds_to_end()));
}

TEST_CASE("a tiny step back from the start is a loop", "[clock]") {
  Clock clock(clip_of(5, 10, true));
  const Advance step = clock.advance(-1e-300);
  CHECK(step.loops == 1);
  CHECK(clock.frame() == 4);
  CHECK(clock.find_reached(4, step).count == 1);
}

/// Frames that last 10, 30, 20 and 40 ms, repeating.
Clip uneven_clip(std::uint32_t frames, bool looping, std::uint32_t loop_start = 0) {
  Clip clip = clip_of(frames, 50, looping);
  constexpr double kSeconds[] = {0.010, 0.030, 0.020, 0.040};
  double end = 0;
  for (std::uint32_t i = 0; i < frames; ++i) clip.frame_ends.push_back(end += kSeconds[i % 4]);
  clip.loop_start = loop_start;
  return clip;
}

/// The frames that a clip plays in sequence, with their end times, for at least `seconds`.
std::vector<std::pair<double, std::uint32_t>> played_out(const Clip& clip, LoopMode mode, double seconds) {
  std::vector<std::pair<double, std::uint32_t>> ends;
  const auto frames = static_cast<std::int64_t>(clip.frame_count);
  std::int64_t frame = 0, direction = 1;
  double end = 0;
  while (end < seconds) {
    const auto i = static_cast<std::size_t>(frame);
    end += clip.frame_ends.empty() ? 1 / clip.frames_per_second
                                   : clip.frame_ends[i] - (i > 0 ? clip.frame_ends[i - 1] : 0);
    ends.emplace_back(end, static_cast<std::uint32_t>(frame));
    if (mode == LoopMode::once && frame + 1 == frames) break;
    if (mode == LoopMode::ping_pong && frame + direction == (direction > 0 ? frames : -1)) direction = -direction;
    frame += direction;
    if (mode == LoopMode::loop && frame == frames) frame = clip.loop_start;
  }
  return ends;
}

TEST_CASE("frames with individual durations show for as long as they last, in every mode", "[clock]") {
  for (const LoopMode mode : {LoopMode::once, LoopMode::loop, LoopMode::ping_pong}) {
    for (const std::uint32_t loop_start : {0U, 2U}) {
      for (const bool uneven : {true, false}) {
        Clip clip = uneven_clip(7, true, loop_start);
        if (!uneven) clip.frame_ends.clear();
        const auto ends = played_out(clip, mode, 2.0);
        Clock clock(clip, mode);
        std::size_t at = 0;
        // This step length never meets the end of a frame.
        for (double seconds = 0; seconds < 1.9; seconds += 0.00137) {
          while (at + 1 < ends.size() && ends[at].first <= seconds) ++at;
          INFO("mode " << static_cast<int>(mode) << ", loop from " << loop_start << ", at " << seconds);
          REQUIRE(clock.frame() == ends[at].second);
          clock.advance(0.00137);
        }
      }
    }
  }
}

TEST_CASE("one large step arrives where many small ones do, with uneven frames too", "[clock]") {
  const Clip clip = uneven_clip(9, true, 4);
  for (const LoopMode mode : {LoopMode::once, LoopMode::loop, LoopMode::ping_pong}) {
    for (const double speed : {1.0, -1.0, 2.5}) {
      Clock small(clip, mode);
      small.set_speed(speed);
      small.rewind();
      Clock large = small;
      std::uint64_t loops = 0;
      for (int i = 0; i < 500; ++i) loops += small.advance(0.00311).loops;
      const Advance step = large.advance(500 * 0.00311);
      INFO("mode " << static_cast<int>(mode) << ", speed " << speed);
      CHECK(step.loops == loops);
      CHECK(large.frame() == small.frame());
      CHECK(large.seconds() == Approx(small.seconds()).margin(1e-9));
    }
  }
}

TEST_CASE("a step finds frames of any duration, with any loop start", "[clock]") {
  for (const bool uneven : {true, false}) {
    for (const std::uint32_t loop_start : {0U, 3U, 6U}) {
      for (const LoopMode mode : {LoopMode::once, LoopMode::loop, LoopMode::ping_pong}) {
        for (const double speed : {1.0, -1.5}) {
          Clip clip = uneven_clip(7, true, loop_start);
          if (!uneven) clip.frame_ends.clear();
          Clock clock(clip, mode);
          clock.set_speed(speed);
          clock.rewind();
          for (const double length : {0.0113, 0.0571, 0.3137, 1.7177}) {
            const Clock before = clock;
            const Advance step = clock.advance(length);
            for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
              Clock slow = before;
              std::uint64_t count = 0;
              double first = 0;
              std::uint32_t last = slow.frame();
              constexpr int kSteps = 4000;
              for (int i = 1; i <= kSteps; ++i) {
                const std::uint64_t loops = slow.advance(length / kSteps).loops;
                const bool again = loops > 0 && loop_start == 6 && mode == LoopMode::loop && speed > 0;
                if (slow.frame() == frame && (last != frame || again)) {
                  if (count++ == 0) first = length * i / kSteps;
                }
                last = slow.frame();
              }
              const FrameReached reached = clock.find_reached(frame, step);
              INFO("uneven " << uneven << ", loop from " << loop_start << ", mode " << static_cast<int>(mode)
                             << ", speed " << speed << ", step " << length << ", frame " << frame);
              CHECK(reached.count == count);
              CHECK(reached.seconds == Approx(first).margin(length / kSteps + 1e-9));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("seconds and frames agree for uneven frames", "[clock]") {
  const Clip clip = uneven_clip(6, true, 2);
  CHECK(clip.duration_seconds() == Approx(0.14));
  CHECK(Clock(clip).duration_seconds() == clip.duration_seconds());
  Clock clock(clip);
  clock.pause();
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const double begin = clip.frame_begin(frame);
    CHECK(clip_time(clip, begin, Sampling::step).frame == frame);
    CHECK(clip_time(clip, std::nextafter(clip.frame_ends[frame], 0.0), Sampling::step).frame == frame);
    clock.seek_seconds(begin);
    CHECK(clock.frame() == frame);
    clock.seek_frame(frame);
    CHECK(clock.seconds() == Approx(begin).margin(1e-12));
  }
  // Past the end it continues at the loop start, before the start at the end.
  CHECK(clip_time(clip, 0.141, Sampling::step).frame == 2);
  CHECK(clip_time(clip, -0.001, Sampling::step).frame == 5);
  const ClipTime seam = clip_time(clip, 0.135, Sampling::smooth);
  CHECK(seam.frame == 5);
  CHECK(seam.next == 2);
  CHECK(seam.factor == Approx(5.0 / 6).margin(0.01));
  clock.seek_frame(5);
  clock.step(1);
  CHECK(clock.frame() == 2);
  clock.step(-3);
  CHECK(clock.frame() == 5);
}

TEST_CASE("a clock over a range of frames plays only that range", "[clock]") {
  const Clip clip = uneven_clip(8, true, 3);
  Clock clock(clip, LoopMode::loop, 2, 3);
  CHECK(clock.duration_seconds() == Approx(0.020 + 0.040 + 0.010));
  CHECK(clock.frame() == 0);
  clock.advance(0.021);
  CHECK(clock.frame() == 1);
  clock.advance(0.055);
  CHECK(clock.frame() == 0);  // Not the clip's loop start.
  CHECK(Clock(clip, LoopMode::once, 6, 100).duration_seconds() == Approx(0.060));
  CHECK(Clock(clip, LoopMode::once, 100, 1).duration_seconds() == 0);
}

TEST_CASE("a clock and its copies outlive the clip", "[clock]") {
  std::optional<Clip> clip = uneven_clip(8, true, 3);
  Clock clock(*clip, LoopMode::loop);
  Clock expected = clock;
  std::vector<std::uint32_t> shown = frames_shown(expected, 40, 0.017);
  clip->frame_ends.assign(8, 1e9);
  clip.reset();
  const Clock copy = clock;
  CHECK(frames_shown(clock, 40, 0.017) == shown);
  CHECK(frames_shown(copy, 40, 0.017) == shown);
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

}  // namespace
}  // namespace clock_test
