// SPDX-License-Identifier: MIT
#include "animation/clip_blend.hpp"

#include <algorithm>
#include <cmath>

namespace pchr {
namespace {

/// A place between two rows of ClipBlend::seconds.
struct RowPlace {
  std::size_t row;
  double factor;
};

/// The seconds of one clip in each row.
struct ClipColumn {
  const ClipBlend& blend;
  std::size_t clip;

  double operator()(std::size_t row) const noexcept { return blend.seconds[row * blend.clips.size() + clip]; }
};

/// The mean of the clips of a play, from 0.
struct MeanColumn {
  const Play& play;

  double operator()(std::size_t row) const noexcept {
    double sum = 0;
    for (std::size_t part = 0; part < play.blend_weights.size(); ++part) {
      const ClipColumn column{*play.blend, play.blend_clips[part]};
      sum += static_cast<double>(play.blend_weights[part]) * (column(row) - column(0));
    }
    return sum;
  }
};

std::size_t last_row(const ClipBlend& blend) noexcept { return blend.seconds.size() / blend.clips.size() - 1; }

/// Returns the row before `seconds`.
std::size_t row_before(const ClipBlend& blend, const auto& column, double seconds) noexcept {
  const std::size_t last = last_row(blend);
  std::size_t row = 0;
  while (row + 1 < last && seconds >= column(row + 1)) ++row;
  return row;
}

RowPlace find_row(const ClipBlend& blend, const auto& column, double seconds) noexcept {
  const std::size_t row = row_before(blend, column, seconds);
  const double begin = column(row), end = column(row + 1);
  return {row, end > begin ? (seconds - begin) / (end - begin) : 0};
}

double value_at(const auto& column, const RowPlace& place) noexcept {
  const double begin = column(place.row);
  return begin + (column(place.row + 1) - begin) * place.factor;
}

double duration(const ClipBlend& blend, const auto& column) noexcept { return column(last_row(blend)) - column(0); }

bool repeats(const Clock& clock) noexcept { return clock.effective_mode() == LoopMode::loop; }

/// The time of a clip within its duration, and how often it restarted.
struct Wrapped {
  double seconds;
  double cycles;
};

RowPlace find_row(const ClipBlend& blend, const Clock& reference) noexcept {
  return find_row(blend, ClipColumn{blend, blend.reference}, reference.seconds());
}

/// Returns the time of a clip of a blend.
Wrapped seconds_of(const ClipBlend& blend, std::size_t clip, const RowPlace& place, bool loops) noexcept {
  const ClipColumn column{blend, clip};
  const double length = duration(blend, column), seconds = value_at(column, place);
  if (loops && seconds < 0) return {seconds + length, -1};
  if (loops && seconds >= length) return {seconds - length, 1};
  return {seconds, 0};
}

Clock clock_at(const ClipBlend& blend, std::size_t clip, double seconds) noexcept {
  Clock clock = blend.clocks[clip];
  clock.seek_seconds(seconds);
  return clock;
}

/// Returns what clock_at() gives for a clip whose frames last equally long, in less time.
ClipTime even_position(const Clip& clip, double seconds, bool loops, Sampling sampling) noexcept {
  const std::uint32_t last = clip.frame_count - 1;
  const double place = seconds * clip.frames_per_second;
  const auto frame = static_cast<std::uint32_t>(std::min(place, static_cast<double>(last)));
  const float factor = std::min(static_cast<float>(place - frame), 0x1.fffffep-1F);
  if (sampling == Sampling::step || !(factor > 0) || (frame == last && !loops)) return {frame, frame, 0};
  return {frame, frame < last ? frame + 1 : 0, factor};
}

/// Appends a row for each marker that all clips have, or returns false if the clips cannot be in step there.
bool add_marker_rows(ClipBlend& blend, const Character& character, const Markers& markers) {
  const std::size_t count = blend.clips.size();
  const auto has = [&](ClipId clip, const std::string& name) {
    return std::ranges::find(markers.of_clip(clip), name, &Marker::name) != markers.of_clip(clip).end();
  };
  struct Step {
    const std::string* name;
    double seconds;
  };
  std::vector<std::vector<Step>> steps(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Clip& clip = character.clips()[blend.clips[i]];
    for (const Marker& marker : markers.of_clip(blend.clips[i])) {
      const bool in_all = std::ranges::all_of(blend.clips, [&](ClipId other) { return has(other, marker.name); });
      if (in_all && marker.frame < clip.frame_count) steps[i].push_back({&marker.name, clip.frame_begin(marker.frame)});
    }
  }
  const std::vector<Step>& first = steps[blend.reference];
  const bool loops = repeats(blend.clocks[blend.reference]);
  if (first.empty()) return false;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Step>& own = steps[i];
    if (own.size() != first.size()) return false;
    const auto same = [&] {
      return std::ranges::equal(own, first, [](const Step& a, const Step& b) { return *a.name == *b.name; });
    };
    // A loop can begin with another foot.
    for (std::size_t turn = 1; loops && !same() && turn < own.size(); ++turn) {
      own.front().seconds += blend.clocks[i].duration_seconds();
      std::ranges::rotate(own, own.begin() + 1);
    }
    if (!same()) return false;
  }

  const auto add_row = [&](const auto& seconds_of_clip) {
    for (std::size_t i = 0; i < count; ++i) blend.seconds.push_back(seconds_of_clip(i));
  };
  const auto length = [&](std::size_t i) { return blend.clocks[i].duration_seconds(); };
  // The share of the step over the seam at which the reference starts.
  const double before = length(blend.reference) - first.back().seconds;
  const double share = before / (before + first.front().seconds);
  const auto start = [&](std::size_t i) {
    const double from = steps[i].back().seconds - length(i);
    return loops ? from + (steps[i].front().seconds - from) * share : 0;
  };
  add_row(start);
  bool starts_with_marker = true;
  for (std::size_t i = 0; i < count; ++i) starts_with_marker &= steps[i].front().seconds == start(i);
  for (std::size_t step = starts_with_marker ? 1 : 0; step < first.size(); ++step) {
    add_row([&](std::size_t i) { return steps[i][step].seconds; });
  }
  add_row([&](std::size_t i) { return start(i) + length(i); });
  for (std::size_t next = count; next < blend.seconds.size(); ++next) {
    if (!(blend.seconds[next] > blend.seconds[next - count])) return false;
  }
  return true;
}

void count_loops(Play& play, const Advance& step) noexcept {
  const double loops = static_cast<double>(play.loops) + step.cycles;
  play.loops = static_cast<std::int64_t>(std::clamp(loops, -kMaxLoops, kMaxLoops));
}

}  // namespace

std::shared_ptr<const ClipBlend> make_clip_blend(const Character& character, std::vector<ClipId> clips, LoopMode mode,
                                                 const Markers& markers) {
  auto blend = std::make_shared<ClipBlend>();
  blend->clips = std::move(clips);
  if (mode == LoopMode::from_file) mode = character.clips()[blend->clips[0]].looping ? LoopMode::loop : LoopMode::once;
  for (const ClipId id : blend->clips) {
    const Clip& clip = character.clips()[id];
    blend->clocks.emplace_back(clip, mode, 0, clip.frame_count);
  }
  const auto lasts = [](const Clock& clock) { return clock.duration_seconds() > 0; };
  const auto reference = std::ranges::find_if(blend->clocks, lasts);
  if (reference != blend->clocks.end()) {
    blend->reference = static_cast<std::uint32_t>(reference - blend->clocks.begin());
    if (std::ranges::all_of(blend->clocks, lasts) && add_marker_rows(*blend, character, markers)) return blend;
  }
  blend->seconds.assign(blend->clips.size(), 0.0);
  for (const Clock& clock : blend->clocks) blend->seconds.push_back(lasts(clock) ? clock.duration_seconds() : 1);
  return blend;
}

double play_seconds(const Play& play, double clip_seconds) noexcept {
  if (!play.blend) return clip_seconds;
  const ClipBlend& blend = *play.blend;
  return value_at(MeanColumn{play}, find_row(blend, ClipColumn{blend, blend.reference}, clip_seconds));
}

double clip_seconds(const Play& play, double play_seconds) noexcept {
  if (!play.blend) return play_seconds;
  const ClipBlend& blend = *play.blend;
  return value_at(ClipColumn{blend, blend.reference}, find_row(blend, MeanColumn{play}, play_seconds));
}

double seconds_to_end(const Play& play, const Clock& clock, bool backwards) noexcept {
  const double seconds = clock.seconds_to_end(backwards);
  if (!play.blend || !std::isfinite(seconds)) return seconds;
  const double speed = clock.speed() * (backwards ? -1 : 1);
  const double now = play_seconds(play, clock.seconds());
  const double left = speed > 0 ? duration(*play.blend, MeanColumn{play}) - now : now;
  return std::max(left, 0.0) / std::abs(speed);
}

Advance advance(Play& play, double seconds) noexcept {
  const double speed = play.clock.speed();
  if (play.blend && speed != 0) {
    const ClipBlend& blend = *play.blend;
    const ClipColumn reference{blend, blend.reference};
    const double own = play.clock.seconds();
    const std::size_t row = row_before(blend, reference, own);
    const double begin = reference(row), end = reference(row + 1);
    double mean = 0;
    for (std::size_t part = 0; part < play.blend_weights.size(); ++part) {
      const ClipColumn column{blend, play.blend_clips[part]};
      mean += static_cast<double>(play.blend_weights[part]) * (column(row + 1) - column(row));
    }
    const double scaled = seconds * ((end - begin) / mean), reached = own + scaled * speed;
    if (reached >= begin && reached < end) {
      // No row between: the clock advances, and does not restart.
      return play.clock.advance(scaled);
    }
    const double now = play_seconds(play, own), all = duration(blend, MeanColumn{play});
    const double target = now + seconds * speed;
    const double cycles = repeats(play.clock) && all > 0 ? std::floor(target / all) : 0;
    const double rest = target - cycles * all, within = std::clamp(rest, 0.0, all);
    const double moved = cycles * play.clock.duration_seconds() + clip_seconds(play, within) + (rest - within);
    seconds = all > 0 ? (moved - own) / speed : 0;
  }
  const Advance step = play.clock.advance(seconds);
  count_loops(play, step);
  return step;
}

Advance advance_to_end(Play& play, bool backwards) noexcept {
  const Advance step = play.clock.advance_to_end(backwards);
  count_loops(play, step);
  return step;
}

BlendedStep blended_step(const Play& play, std::size_t part, const Clock& before, const Advance& step) noexcept {
  if (!play.blend) return {play.clip, 1, play.clock, step};
  const ClipBlend& blend = *play.blend;
  const std::size_t clip = play.blend_clips[part];
  const float weight = play.blend_weights[part];
  if (clip == blend.reference) return {blend.clips[clip], weight, play.clock, step};
  const bool loops = repeats(play.clock);
  const Wrapped from = seconds_of(blend, clip, find_row(blend, before), loops);
  const Wrapped to = seconds_of(blend, clip, find_row(blend, play.clock), loops);
  const Clock clock = clock_at(blend, clip, to.seconds);
  return {blend.clips[clip], weight, clock,
          clock.step_from(clock_at(blend, clip, from.seconds), step.cycles + to.cycles - from.cycles)};
}

double seconds_until(const Play& play, std::size_t part, const Clock& before, double part_seconds,
                     bool backwards) noexcept {
  if (!play.blend) return part_seconds;
  const ClipBlend& blend = *play.blend;
  if (play.blend_clips[part] == blend.reference) part_seconds *= std::abs(before.speed());
  const ClipColumn column{blend, play.blend_clips[part]};
  const RowPlace from = find_row(blend, before);
  const double length = duration(blend, column);
  const bool down = backwards != (before.speed() < 0);
  const double target = value_at(column, from) + (down ? -part_seconds : part_seconds);
  const double cycles = length > 0 ? std::floor((target - column(0)) / length) : 0;
  const RowPlace to = find_row(blend, column, target - cycles * length);
  const MeanColumn mean{play};
  const double passed = value_at(mean, to) + cycles * duration(blend, mean) - value_at(mean, from);
  return std::abs(passed / before.speed());
}

std::size_t main_part(const Play& play) noexcept {
  return static_cast<std::size_t>(std::ranges::max_element(play.blend_weights) - play.blend_weights.begin());
}

void sample(const Character& character, const Play& play, Sampling sampling, Pose& out) {
  if (!play.blend) return sample(character, play.clip, play.clock.position(sampling), out);
  const ClipBlend& blend = *play.blend;
  const RowPlace place = find_row(blend, play.clock);
  const bool loops = repeats(play.clock);
  const auto position = [&](std::size_t part) {
    const std::size_t clip = play.blend_clips[part];
    if (clip == blend.reference) return play.clock.position(sampling);
    const double seconds = seconds_of(blend, clip, place, loops).seconds;
    const Clip& frames = character.clips()[blend.clips[clip]];
    if (!frames.frame_ends.empty() || frames.frame_count == 0) return clock_at(blend, clip, seconds).position(sampling);
    return even_position(frames, seconds, loops, sampling);
  };
  const auto& weights = play.blend_weights;
  const auto clip_of = [&](std::size_t part) { return blend.clips[play.blend_clips[part]]; };
  if (!(weights[1] > 0)) return sample(character, clip_of(0), position(0), out);
  const float both = weights[0] + weights[1];
  sample(character, PoseRequest{clip_of(0), position(0), clip_of(1), position(1), weights[1] / both}, out);
  if (weights[2] > 0) pchr::blend(character, clip_of(2), position(2), weights[2] / (both + weights[2]), out);
}

}  // namespace pchr
