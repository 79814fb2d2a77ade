// SPDX-License-Identifier: MIT
// The part of a clip that the timeline shows.
#pragma once

#include <pchr/pose.hpp>

#include <optional>

namespace pchr::player {

/// What the mouse drags on the timeline.
enum class TimelineDrag : std::uint8_t { none, playhead, new_range, range_first, range_last, view };

/// The visible part of a clip, in shares of its duration, and what the mouse does with it.
struct TimelineView {
  double begin = 0;
  double end = 1;
  std::uint32_t frames = 0;                 ///< Length of the clip that the part belongs to.
  std::optional<std::uint32_t> playhead{};  ///< Where the playhead was when the view last followed it.
  TimelineDrag drag = TimelineDrag::none;
  std::uint32_t anchor = 0;  ///< Frame where the drag began.
  float scrolled = 0;        ///< How far the rows are scrolled down, in window units.

  [[nodiscard]] double span() const noexcept { return end - begin; }
};

/// Returns where `frame` starts, in shares of the clip's duration. A frame's share is proportional to its duration.
[[nodiscard]] double share_of(const Clip& clip, std::uint32_t frame) noexcept;
/// Returns the frame at `share`, clamped to the clip, which must have frames.
[[nodiscard]] std::uint32_t frame_at(const Clip& clip, double share) noexcept;
/// Returns the first and last frame that are at least partly visible.
[[nodiscard]] FrameRange visible_frames(const TimelineView& view, const Clip& clip) noexcept;

/// Shows the whole clip if its length is not the one shown so far.
void show_clip(TimelineView& view, const Clip& clip) noexcept;
/// Shows a part of the clip, widened to a few frames if needed.
void show_part(TimelineView& view, const Clip& clip, double begin, double end) noexcept;
/// Shows `range` with some room around it.
void show_range(TimelineView& view, const Clip& clip, const FrameRange& range) noexcept;
/// Zooms in by wheel notches, or out if negative. The frame at `share` stays in place.
void zoom(TimelineView& view, const Clip& clip, float notches, double share) noexcept;
void pan(TimelineView& view, const Clip& clip, double by) noexcept;
/// Pans as little as possible so that `frame` is visible.
void reveal(TimelineView& view, const Clip& clip, std::uint32_t frame) noexcept;
/// Turns the page when the playhead has left the visible part. While it plays, a part chosen elsewhere stays.
void follow_playhead(TimelineView& view, const Clip& clip, std::uint32_t frame, bool playing) noexcept;

}  // namespace pchr::player
