// SPDX-License-Identifier: MIT
// Which moments of a clip a film shows, and for how long.
#include "film/plan.hpp"

#include <pchr/clock.hpp>
#include <pchr/finding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pchr::film {
namespace {

constexpr std::uint64_t kMostPictures = 1'000'000;

// A clip's time at which a frame begins; one past the last, where that ends.
double begin_of(const Clip& clip, std::uint32_t frame) {
  if (clip.frame_ends.empty()) return frame / clip.frames_per_second;
  return frame == 0 ? 0 : clip.frame_ends[frame - 1];
}

// Positions so close to a frame that nobody sees a difference are that frame: it is drawn as it was exported.
FramePosition settled(FramePosition position) {
  constexpr float kClose = 1e-4F;
  if (position.factor > 1 - kClose) return {position.next, position.next, 0};
  if (position.factor < kClose) return {position.frame, position.frame, 0};
  return position;
}

void append_frames(FilmPlan& plan, const Clip& clip, FrameRange range, double speed) {
  const double start = plan.frame_ends.empty() ? 0 : plan.frame_ends.back();
  for (std::uint32_t frame = range.first; frame <= range.last; ++frame) {
    plan.positions.push_back({frame, frame, 0});
    plan.frame_ends.push_back(start + (begin_of(clip, frame + 1) - begin_of(clip, range.first)) / speed);
  }
}

std::uint64_t sample_count(const Clip& clip, FrameRange range, const PlanOptions& options) {
  const double seconds = (begin_of(clip, range.last + 1) - begin_of(clip, range.first)) / options.speed;
  return static_cast<std::uint64_t>(std::clamp(std::round(seconds * *options.frames_per_second), 1.0, 1e18));
}

void append_samples(FilmPlan& plan, const Clip& clip, FrameRange range, const PlanOptions& options) {
  const double rate = *options.frames_per_second;
  Clock clock(clip, LoopMode::from_file, range.first, range.last - range.first + 1);
  const std::uint64_t count = sample_count(clip, range, options);
  for (std::uint64_t i = 0; i < count; ++i) {
    // A little late, so that a moment in which a frame begins is that frame's for all rounding.
    constexpr double kLate = 1e-6;
    clock.seek_seconds((static_cast<double>(i) + kLate) / rate * options.speed);
    plan.positions.push_back(settled(clock.position(options.smooth ? Sampling::smooth : Sampling::step)));
    plan.frame_ends.push_back(static_cast<double>(plan.positions.size()) / rate);
  }
}

Result<FrameRange> range_in(const Clip& clip, const PlanOptions& options) {
  const FrameRange range = options.frames.value_or(FrameRange{0, clip.frame_count - 1});
  if (range.last < clip.frame_count) return range;
  return std::unexpected(fmt::format("there is no frame {}; the clip \"{}\" has the frames 0 to {}", range.last,
                                     printable(clip.name), clip.frame_count - 1));
}

}  // namespace

bool is_mere_bind_pose(const Character& character, std::uint32_t clip) {
  return character.bind_pose_source().clip == clip && character.clips()[clip].frame_count == 1 &&
         character.clips().size() > 1;
}

FilmPlan plan_still(std::optional<std::uint32_t> clip, FramePosition position) {
  return {clip, {position}, {1.0}, position.frame};
}

Result<FilmPlan> plan_film(const Character& character, std::uint32_t clip_index, const PlanOptions& options,
                           std::uint32_t cycles) {
  const Clip& clip = character.clips()[clip_index];
  if (clip.frame_count == 0) return plan_still(std::nullopt, {});
  const auto range = range_in(clip, options);
  if (!range) return std::unexpected(range.error());
  if (!(clip.frames_per_second > 0)) return plan_still(clip_index, {range->first, range->first, 0});

  FrameRange again = *range;
  if (!options.frames) again.first = std::min(clip.loop_start, range->last);
  const std::uint64_t pictures =
      options.frames_per_second ? sample_count(clip, *range, options) : range->last - range->first + 1;
  if (pictures > kMostPictures / cycles) {
    return std::unexpected(fmt::format("the film would have more than {} pictures", kMostPictures));
  }
  FilmPlan plan{clip_index, {}, {}, range->first};
  for (std::uint32_t cycle = 0; cycle < cycles; ++cycle) {
    const FrameRange part = cycle == 0 ? *range : again;
    if (options.frames_per_second) {
      append_samples(plan, clip, part, options);
    } else {
      append_frames(plan, clip, part, options.speed);
    }
  }
  return plan;
}

std::uint32_t cycles_of(Format format, std::uint32_t plays) {
  const bool says_plays = format == Format::apng || format == Format::gif || format == Format::webp;
  return says_plays ? 1 : std::max(1U, plays);
}

}  // namespace pchr::film
