// SPDX-License-Identifier: MIT
// How long frames last, in the units of file formats.
#include "film/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pchr::film {
namespace {

// Closer than this a film is as it should be: a millionth of a second is no viewer's.
constexpr double kExactSeconds = 1e-6;

constexpr std::uint32_t kGifTicksPerSecond = 100;
// Viewers show frames of GIF that last less for a tenth of a second instead.
constexpr std::uint32_t kGifFewestTicks = 2;
constexpr std::uint32_t kWebpTicksPerSecond = 1000;
constexpr std::uint32_t kApngMostTicks = 65535;

bool fits_apng(const Timing& timing) {
  return std::ranges::all_of(timing.ticks, [](std::uint32_t ticks) { return ticks <= kApngMostTicks; });
}

// A frame of APNG lasts a fraction of 16 bits by 16 bits: the first denominator that says all of them exactly, else a
// thousand, or fewer where a frame lasts longer than a minute.
Timing timing_of_apng(std::span<const double> frame_ends) {
  const double rate = std::round(1 / frame_ends.front());
  std::vector<std::uint32_t> candidates{1000, 60000, 48000, 44100, 30000};
  if (rate >= 1 && rate <= kApngMostTicks) candidates.insert(candidates.begin(), static_cast<std::uint32_t>(rate));
  for (const std::uint32_t candidate : candidates) {
    Timing timing = round_to_ticks(frame_ends, candidate, 1);
    if (timing.late_seconds <= kExactSeconds && fits_apng(timing)) return timing;
  }
  for (const std::uint32_t candidate : {1000U, 100U, 10U}) {
    Timing timing = round_to_ticks(frame_ends, candidate, 1);
    if (fits_apng(timing)) return timing;
  }
  Timing timing = round_to_ticks(frame_ends, 1, 1);
  for (std::uint32_t& ticks : timing.ticks) ticks = std::min(ticks, kApngMostTicks);
  return timing;
}

}  // namespace

Timing round_to_ticks(std::span<const double> frame_ends, std::uint32_t ticks_per_second, std::uint32_t fewest_ticks) {
  constexpr double kMostTicks = 4e9;
  Timing timing{ticks_per_second, fewest_ticks, {}, 0};
  double before = 0;
  for (const double end : frame_ends) {
    const double ticks =
        std::clamp(std::round(end * ticks_per_second) - before, static_cast<double>(fewest_ticks), kMostTicks);
    timing.ticks.push_back(static_cast<std::uint32_t>(ticks));
    before += ticks;
    timing.late_seconds = std::max(timing.late_seconds, std::abs(before / ticks_per_second - end));
  }
  return timing;
}

Timing timing_of(const Film& film, Format format) {
  if (format == Format::gif) return round_to_ticks(film.frame_ends, kGifTicksPerSecond, kGifFewestTicks);
  if (format == Format::webp) return round_to_ticks(film.frame_ends, kWebpTicksPerSecond, 1);
  return timing_of_apng(film.frame_ends);
}

std::string describe_rounding(const Film& film, Format format) {
  if (format != Format::gif && format != Format::webp && format != Format::apng) return {};
  if (film.frame_ends.size() < 2) return {};
  const Timing timing = timing_of(film, format);
  if (timing.late_seconds <= kExactSeconds) return {};
  double all = 0;
  for (const std::uint32_t ticks : timing.ticks) all += ticks;
  all /= timing.ticks_per_second;
  if (all - film.frame_ends.back() > 1.0 / timing.ticks_per_second) {
    return fmt::format(
        "no frame lasts less than {}/{} s in this format, so it takes {:.2f} s instead of {:.2f}; {} frames "
        "per second or fewer keep their time",
        timing.fewest_ticks, timing.ticks_per_second, all, film.frame_ends.back(),
        timing.ticks_per_second / timing.fewest_ticks);
  }
  return fmt::format("times are rounded to 1/{} s, each within {:.1f} ms of where it should be",
                     timing.ticks_per_second, timing.late_seconds * 1000);
}

Result<Rate> even_rate(std::span<const double> frame_ends) {
  const auto count = static_cast<double>(frame_ends.size());
  const double frame_seconds = frame_ends.back() / count;
  for (std::size_t i = 0; i < frame_ends.size(); ++i) {
    if (std::abs(frame_ends[i] - frame_seconds * static_cast<double>(i + 1)) > kExactSeconds) {
      return std::unexpected("its frames do not all last equally long");
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

}  // namespace pchr::film
