// SPDX-License-Identifier: MIT
// Frame durations in the units of formats.
#include "export/animation_formats.hpp"

#include "support/catch.hpp"

#include <numeric>
#include <vector>

namespace timing_test {
using namespace pchr;
using namespace pchr::exporting;

namespace {

std::vector<double> even_ends(int count, double rate) {
  std::vector<double> ends;
  for (int i = 1; i <= count; ++i) ends.push_back(i / rate);
  return ends;
}

AnimationInfo info_of(std::vector<double> ends) { return {8, 8, std::move(ends), 0}; }

using Ticks = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("rounding errors do not accumulate", "[export]") {
  const Timing gif = timing_of(info_of(even_ends(6, 30)), AnimationFormat::gif);
  CHECK(gif.ticks == Ticks{3, 4, 3, 3, 4, 3});
  const Timing webp = timing_of(info_of(even_ends(3, 24)), AnimationFormat::webp);
  CHECK(webp.ticks == Ticks{42, 41, 42});
  const Timing long_one = timing_of(info_of(even_ends(6000, 7)), AnimationFormat::gif);
  CHECK(std::accumulate(long_one.ticks.begin(), long_one.ticks.end(), 0U) == 85714);
  CHECK(long_one.max_error_seconds <= 0.005 + 1e-9);
}

TEST_CASE("a frame below the GIF minimum takes time from the next", "[export]") {
  CHECK(timing_of(info_of({0.001, 0.1, 0.2}), AnimationFormat::gif).ticks == Ticks{2, 8, 10});
  CHECK(timing_of(info_of(even_ends(4, 100)), AnimationFormat::gif).ticks == Ticks{2, 2, 2, 2});
}

TEST_CASE("APNG stores most rates exactly", "[export]") {
  const Timing thirty = timing_of(info_of(even_ends(4, 30)), AnimationFormat::apng);
  CHECK(thirty.ticks_per_second == 30);
  CHECK(thirty.ticks == Ticks{1, 1, 1, 1});
  const Timing mixed = timing_of(info_of({0.05, 0.25, 0.251}), AnimationFormat::apng);
  CHECK(mixed.ticks_per_second == 1000);
  CHECK(mixed.ticks == Ticks{50, 200, 1});
  const Timing minutes = timing_of(info_of({0.5, 100}), AnimationFormat::apng);
  CHECK(minutes.ticks_per_second == 2);
  CHECK(minutes.ticks == Ticks{1, 199});
  const Timing hours = timing_of(info_of({0.3, 100'000}), AnimationFormat::apng);
  for (const std::uint32_t ticks : hours.ticks) CHECK(ticks <= 65535);
}

TEST_CASE("rounding is described only if it can be seen", "[export]") {
  CHECK(describe_rounding(info_of(even_ends(6, 30)), AnimationFormat::webp).empty());
  CHECK(describe_rounding(info_of({0.0503, 0.1}), AnimationFormat::gif).empty());
  CHECK(describe_rounding(info_of(even_ends(6, 25)), AnimationFormat::gif).empty());
  CHECK(describe_rounding(info_of(even_ends(6, 30)), AnimationFormat::apng).empty());
  CHECK(describe_rounding(info_of(even_ends(6, 30)), AnimationFormat::png).empty());
  CHECK(describe_rounding(info_of(even_ends(1, 30)), AnimationFormat::gif).empty());
  CHECK(describe_rounding(info_of(even_ends(6, 30)), AnimationFormat::gif) ==
        "times are rounded to 1/100 s, with errors of at most 3.3 ms");
  CHECK(
      describe_rounding(info_of(even_ends(120, 60)), AnimationFormat::gif) ==
      "the format cannot store frames shorter than 2/100 s, so the animation lasts 2.40 s instead of 2.00; use at most "
      "50 frames per second");
}

TEST_CASE("an animation without frames has no constant rate", "[export]") {
  EncoderOptions options;
  options.format = AnimationFormat::y4m;
  const auto checked = check_format(info_of({}), options);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().message == "Y4M needs a constant frame rate, but the animation has no frames");
}

TEST_CASE("a constant rate is a fraction", "[export]") {
  const auto check = [](double rate, std::uint32_t frames, std::uint32_t seconds) {
    const auto found = constant_rate(even_ends(100, rate));
    REQUIRE(found);
    CHECK(found->frames == frames);
    CHECK(found->seconds == seconds);
  };
  check(30, 30, 1);
  check(30000.0 / 1001, 30000, 1001);
  check(12.5, 12500, 1000);
  CHECK_FALSE(constant_rate(std::vector{0.1, 0.3}));
}

}  // namespace timing_test
