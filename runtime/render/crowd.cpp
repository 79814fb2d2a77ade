// SPDX-License-Identifier: MIT
#include "render/crowd.hpp"

namespace pchr {
namespace {

/// Returns the element of an instance in an array that has one per instance, or one for all.
template <typename T>
const T& shared(std::span<const T> values, std::size_t number) noexcept {
  return values.size() == 1 ? values[0] : values[number];
}

/// Returns the end of the instances from `first` on that play the same clip and do not crossfade.
std::size_t end_of_run(const Crowd& crowd, std::size_t first, std::size_t end) noexcept {
  if (!crowd.fade_weights.empty()) {
    std::size_t fading = first;
    while (fading < end && !(crowd.fade_weights[fading] > 0)) ++fading;
    end = fading;
  }
  if (crowd.clips.size() == 1) return end;
  std::size_t other = first;
  while (other < end && crowd.clips[other] == crowd.clips[first]) ++other;
  return other;
}

/// Converts the times of some instances with one clip. Returns false if that takes clip_time().
bool convert(const ClipTiming& timing, const Crowd& crowd, std::size_t first, std::size_t end, TimedFrames& out) {
  if (!timing.is_even()) return false;
  if (crowd.seconds.size() > 1) return timing.convert(crowd.seconds.subspan(first, end - first), out);
  std::array<double, TimedFrames::kMax> same;
  same.fill(crowd.seconds[0]);
  return timing.convert(std::span(same).first(end - first), out);
}

/// Converts times to frames and writes records, for runs of instances whose clip stays in registers.
template <Sampling kSampling>
std::size_t add_ready_as(const Model::Resources& model, const VisibleArea& visible_area, const Crowd& crowd,
                         std::size_t first, BatchCursor& batch_cursor) {
  constexpr std::array<std::uint8_t, 4> kWhite{255, 255, 255, 255};
  const std::uint64_t use = model.palettes->use();
  const std::size_t bind_pose = model.clips.size() - 1;
  const VisibleArea area = visible_area;
  BatchCursor cursor = batch_cursor;
  TimedFrames times;
  const std::size_t end = std::min<std::size_t>(crowd.placements.size(), first + cursor.room());
  std::size_t number = first;
  while (number < end) {
    const BakedClip& clip = model.clips[std::min(index(shared(crowd.clips, number)), bind_pose)];
    if (clip.in_use != use || !clip.is_simple || (kSampling == Sampling::smooth && !clip.rate.smooth)) break;
    const std::size_t run_end = end_of_run(crowd, number, std::min(end, number + TimedFrames::kMax));
    if (run_end == number || !convert(clip.timing, crowd, number, run_end, times)) break;
    const BakedRows rows(clip);
    const GLuint texture = clip.texture;
    const std::uint32_t first_row = clip.first_bone * kFactorSteps;
    const Affine* placement = &crowd.placements[number];
    const std::array<float, 4>* tint = crowd.tints.empty() ? nullptr : &crowd.tints[number];
    for (std::size_t i = 0; i < run_end - number; ++i, ++placement) {
      const BakedPlace place = rows.find(times.position<kSampling>(i, rows.last_frame));
      if (!cursor.is_in_group(place.segment->image, texture)) [[unlikely]] {
        cursor.enter_group(place.segment->image, texture);
      }
      cursor.add_if(area.sees(*place.box, *placement), *placement, tint != nullptr ? to_bytes(*tint++) : kWhite,
                    first_row + place.packed, *place.segment);
    }
    number = run_end;
  }
  batch_cursor = cursor;
  return number - first;
}

bool is_crossfade(const Instance& instance) noexcept { return instance.fade_weight > 0; }

}  // namespace

// Loops over many instances copy the cursor to a local variable, which the compiler can keep in registers: it knows
// that the writes cannot change it.
std::size_t add_ready(const Model::Resources& model, const VisibleArea& visible_area,
                      std::span<const Instance> instances, std::size_t first, BatchCursor& batch_cursor) {
  const BakedClip* const clips = model.clips.data();
  const std::uint64_t use = model.palettes->use();
  const std::size_t bind_pose = model.clips.size() - 1;
  const VisibleArea area = visible_area;
  BatchCursor cursor = batch_cursor;
  const auto rest = instances.subspan(first);
  const auto reachable = rest.first(std::min<std::size_t>(rest.size(), cursor.room()));
  auto instance = reachable.begin();
  for (; instance != reachable.end(); ++instance) {
    const BakedClip& clip = clips[std::min(index(instance->clip), bind_pose)];
    if (clip.in_use != use || instance->skin != nullptr || !is_plain(instance->appearance) || is_crossfade(*instance)) {
      break;
    }
    const BakedPlace place = BakedRows(clip).find(instance->position);
    if (!cursor.is_in_group(place.segment->image, clip.texture)) [[unlikely]] {
      if (place.segment->image == BakedRow::kNotOneSegment) break;
      cursor.enter_group(place.segment->image, clip.texture);
    }
    const std::uint32_t visible = area.sees(*place.box, instance->appearance.placement);
    const std::uint32_t row = clip.first_bone * kFactorSteps + place.packed;
    cursor.add_if(visible, instance->appearance.placement, to_bytes(instance->appearance.tint), row, *place.segment);
  }
  batch_cursor = cursor;
  return static_cast<std::size_t>(instance - reachable.begin());
}

std::size_t add_ready(const Model::Resources& model, const VisibleArea& visible_area, const Crowd& crowd,
                      std::size_t first, BatchCursor& batch_cursor) {
  return crowd.sampling == Sampling::step
             ? add_ready_as<Sampling::step>(model, visible_area, crowd, first, batch_cursor)
             : add_ready_as<Sampling::smooth>(model, visible_area, crowd, first, batch_cursor);
}

Instance instance_at(const Character& character, const Crowd& crowd, std::size_t number) noexcept {
  const auto clips = character.clips();
  const auto position_of = [&](ClipId clip, double seconds) {
    return clips.contains(clip) ? clip_time(clips[clip], seconds, crowd.sampling) : ClipTime{};
  };
  Instance instance;
  instance.clip = shared(crowd.clips, number);
  instance.position = position_of(instance.clip, shared(crowd.seconds, number));
  instance.appearance.placement = crowd.placements[number];
  if (!crowd.tints.empty()) instance.appearance.tint = crowd.tints[number];
  if (!crowd.fade_weights.empty()) {
    instance.fade_clip = crowd.fade_clips[number];
    instance.fade_position = position_of(instance.fade_clip, crowd.fade_seconds[number]);
    instance.fade_weight = crowd.fade_weights[number];
  }
  return instance;
}

bool has_valid_lengths(const Crowd& crowd) noexcept {
  const std::size_t count = crowd.placements.size();
  const auto is_shared_or_each = [&](std::size_t length) { return length == 1 || length == count; };
  const auto is_none_or_each = [&](std::size_t length) { return length == 0 || length == count; };
  return is_shared_or_each(crowd.clips.size()) && is_shared_or_each(crowd.seconds.size()) &&
         is_none_or_each(crowd.tints.size()) && is_none_or_each(crowd.fade_weights.size()) &&
         crowd.fade_clips.size() == crowd.fade_weights.size() && crowd.fade_seconds.size() == crowd.fade_weights.size();
}

}  // namespace pchr
