// SPDX-License-Identifier: MIT
// How long frames last, in the units of file formats.
#pragma once

#include "film/film.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pchr::film {

/// Whole ticks for each frame.
struct Timing {
  std::uint32_t ticks_per_second = 1;
  std::uint32_t fewest_ticks = 1;  ///< Of a frame.
  std::vector<std::uint32_t> ticks;
  double late_seconds = 0;  ///< How far a frame's end may be from where it should be.
};

/// Rounds the ends of frames, so that what one frame loses the next one gains. No frame lasts less than
/// `fewest_ticks`; what that takes too much is taken back as soon as there is room.
[[nodiscard]] Timing round_to_ticks(std::span<const double> frame_ends, std::uint32_t ticks_per_second,
                                    std::uint32_t fewest_ticks);

/// As the film's format holds it. PNG, RGBA and Y4M hold no times of frames: theirs are as exact as can be.
[[nodiscard]] Timing timing_of(const Film& film, Format format);

/// What is lost in the format, as a sentence for people; empty where nothing is.
[[nodiscard]] std::string describe_rounding(const Film& film, Format format);

/// Frames per second as a fraction, where all last equally long.
struct Rate {
  std::uint32_t frames = 1, seconds = 1;
};
[[nodiscard]] Result<Rate> even_rate(std::span<const double> frame_ends);

}  // namespace pchr::film
