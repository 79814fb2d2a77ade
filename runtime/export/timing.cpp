// SPDX-License-Identifier: MIT
#include "export/timing.hpp"

#include "export/fail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pchr {
namespace exporting {
namespace {

// Smaller errors are not visible.
constexpr double kExactSeconds = 1e-6;

constexpr std::uint32_t kApngMaxTicks = 65535;

bool fits_apng(const Timing& timing) {
  return std::ranges::all_of(timing.ticks, [](std::uint32_t ticks) { return ticks <= kApngMaxTicks; });
}

// APNG stores durations as fractions of 16-bit integers. Uses the first denominator that is exact for all frames, else
// 1000, or less if a frame lasts longer than a minute.
Timing timing_of_apng(std::span<const double> frame_ends) {
  const double rate = std::round(1 / frame_ends.front());
  std::vector<std::uint32_t> candidates{1000, 60000, 48000, 44100, 30000};
  if (rate >= 1 && rate <= kApngMaxTicks) candidates.insert(candidates.begin(), static_cast<std::uint32_t>(rate));
  for (const std::uint32_t candidate : candidates) {
    Timing timing = round_to_ticks(frame_ends, candidate, 1);
    if (timing.max_error_seconds <= kExactSeconds && fits_apng(timing)) return timing;
  }
  for (const std::uint32_t candidate : {1000U, 100U, 10U}) {
    Timing timing = round_to_ticks(frame_ends, candidate, 1);
    if (fits_apng(timing)) return timing;
  }
  Timing timing = round_to_ticks(frame_ends, 1, 1);
  for (std::uint32_t& ticks : timing.ticks) ticks = std::min(ticks, kApngMaxTicks);
  return timing;
}

}  // namespace

Timing round_to_ticks(std::span<const double> frame_ends, std::uint32_t ticks_per_second, std::uint32_t min_ticks) {
  constexpr double kMaxTicks = 4e9;
  Timing timing{ticks_per_second, min_ticks, {}, 0};
  double before = 0;
  for (const double end : frame_ends) {
    const double ticks =
        std::clamp(std::round(end * ticks_per_second) - before, static_cast<double>(min_ticks), kMaxTicks);
    timing.ticks.push_back(static_cast<std::uint32_t>(ticks));
    before += ticks;
    timing.max_error_seconds = std::max(timing.max_error_seconds, std::abs(before / ticks_per_second - end));
  }
  return timing;
}

Timing timing_of(const AnimationInfo& info, AnimationFormat format) {
  // Viewers show GIF frames shorter than two ticks for 0.1 s instead.
  if (format == AnimationFormat::gif) return round_to_ticks(info.frame_ends, 100, 2);
  if (format == AnimationFormat::webp) return round_to_ticks(info.frame_ends, 1000, 1);
  return timing_of_apng(info.frame_ends);
}

ExportResult<Rate> constant_rate(std::span<const double> frame_ends) {
  if (frame_ends.empty()) return reject("the animation has no frames");
  const auto count = static_cast<double>(frame_ends.size());
  const double frame_seconds = frame_ends.back() / count;
  for (std::size_t i = 0; i < frame_ends.size(); ++i) {
    if (std::abs(frame_ends[i] - frame_seconds * static_cast<double>(i + 1)) > kExactSeconds) {
      return reject("the frames have different durations");
    }
  }
  for (const std::uint32_t seconds : {1U, 1001U, 1000U}) {
    const double frames = std::round(seconds / frame_seconds);
    if (frames >= 1 && frames < 4e9 && std::abs(frames * frame_seconds - seconds) <= 1e-9 * seconds) {
      return Rate{static_cast<std::uint32_t>(frames), seconds};
    }
  }
  const double frames = std::clamp(std::round(1e6 / frame_seconds), 1.0, 4e9);
  return Rate{static_cast<std::uint32_t>(frames), 1'000'000};
}

}  // namespace exporting

std::string describe_rounding(const AnimationInfo& info, AnimationFormat format) {
  if (format != AnimationFormat::gif && format != AnimationFormat::webp && format != AnimationFormat::apng) return {};
  if (info.frame_ends.size() < 2) return {};
  const exporting::Timing timing = exporting::timing_of(info, format);
  if (timing.max_error_seconds <= exporting::kExactSeconds) return {};
  double all = 0;
  for (const std::uint32_t ticks : timing.ticks) all += ticks;
  all /= timing.ticks_per_second;
  if (all - info.frame_ends.back() > 1.0 / timing.ticks_per_second) {
    return fmt::format(
        "the format cannot store frames shorter than {}/{} s, so the animation lasts {:.2f} s instead of {:.2f}; use "
        "at "
        "most {} frames per second",
        timing.min_ticks, timing.ticks_per_second, all, info.frame_ends.back(),
        timing.ticks_per_second / timing.min_ticks);
  }
  return fmt::format("times are rounded to 1/{} s, with errors of at most {:.1f} ms", timing.ticks_per_second,
                     timing.max_error_seconds * 1000);
}

}  // namespace pchr
