// SPDX-License-Identifier: MIT
#include "ui/timeline_view.hpp"

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

constexpr double kMinVisibleFrames = 8;
constexpr double kTimelineZoom = 1.25;
/// Going back by up to this many frames is playing or stepping backward; by more, it is a jump.
constexpr std::uint32_t kMaxStep = 10;

bool is_visible(const TimelineView& view, const Clip& clip, std::uint32_t frame) noexcept {
  constexpr double kRounding = 1e-9;
  return share_of(clip, frame) >= view.begin - kRounding && share_of(clip, frame + 1) <= view.end + kRounding;
}

}  // namespace

double share_of(const Clip& clip, std::uint32_t frame) noexcept {
  if (clip.frame_ends.empty()) return static_cast<double>(frame) / clip.frame_count;
  return seconds_of_frame(clip, frame) / clip.frame_ends.back();
}

std::uint32_t frame_at(const Clip& clip, double share) noexcept {
  share = std::clamp(share, 0.0, 1.0);
  const auto& ends = clip.frame_ends;
  const auto frame =
      ends.empty() ? static_cast<std::uint32_t>(share * clip.frame_count)
                   : static_cast<std::uint32_t>(std::ranges::upper_bound(ends, share * ends.back()) - ends.begin());
  return std::min(frame, clip.frame_count - 1);
}

FrameRange visible_frames(const TimelineView& view, const Clip& clip) noexcept {
  constexpr double kWithin = 1e-9;  // A frame that only touches the edge is not visible.
  return {frame_at(clip, view.begin + kWithin), frame_at(clip, view.end - kWithin)};
}

void show_clip(TimelineView& view, const Clip& clip) noexcept {
  if (view.frames != clip.frame_count) view = {.frames = clip.frame_count};
}

void show_part(TimelineView& view, const Clip& clip, double begin, double end) noexcept {
  const double span = std::clamp(end - begin, std::min(kMinVisibleFrames / clip.frame_count, 1.0), 1.0);
  view.begin = std::clamp((begin + end - span) * 0.5, 0.0, 1.0 - span);
  view.end = view.begin + span;
}

void show_range(TimelineView& view, const Clip& clip, const FrameRange& range) noexcept {
  constexpr double kMargin = 0.05;
  const double begin = share_of(clip, range.first);
  const double end = share_of(clip, range.last + 1);
  const double margin = (end - begin) * kMargin;
  show_part(view, clip, begin - margin, end + margin);
}

void zoom(TimelineView& view, const Clip& clip, float notches, double share) noexcept {
  const double min_span = std::min(kMinVisibleFrames / clip.frame_count, 1.0);
  const double factor = std::clamp(view.span() * std::pow(kTimelineZoom, -notches), min_span, 1.0) / view.span();
  show_part(view, clip, share - (share - view.begin) * factor, share + (view.end - share) * factor);
}

void pan(TimelineView& view, const Clip& clip, double by) noexcept {
  show_part(view, clip, view.begin + by, view.end + by);
}

void reveal(TimelineView& view, const Clip& clip, std::uint32_t frame) noexcept {
  pan(view, clip, std::min(share_of(clip, frame) - view.begin, 0.0));
  pan(view, clip, std::max(share_of(clip, frame + 1) - view.end, 0.0));
}

void follow_playhead(TimelineView& view, const Clip& clip, std::uint32_t frame, bool playing) noexcept {
  if (view.playhead == frame) return;
  const std::uint32_t before = view.playhead.value_or(frame);
  view.playhead = frame;
  if (is_visible(view, clip, frame) || (playing && !is_visible(view, clip, before))) return;
  const bool backward = frame < before && before - frame <= kMaxStep;
  const double begin = backward ? share_of(clip, frame + 1) - view.span() : share_of(clip, frame);
  show_part(view, clip, begin, begin + view.span());
}

}  // namespace pchr::player
