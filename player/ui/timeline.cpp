// SPDX-License-Identifier: MIT
#include "ui/app.hpp"

#include "playback/playback.hpp"
#include "ui/panels.hpp"

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
  return clip.frame_begin(frame) / clip.frame_ends.back();
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

namespace {

constexpr std::size_t kMaxTagRows = 8;
constexpr float kLaneRowHeight = 15.0F;
constexpr float kMinLaneHeight = 13.0F;
constexpr float kHandleReach = 6.0F;
constexpr float kDragStart = 4.0F;  ///< How far the mouse moves before a click becomes a drag.
constexpr float kScrollHeight = 8.0F;

/// Maps frames to positions on the bar. A frame's width is proportional to its duration.
struct TimeScale {
  Rect bar;
  const Clip& clip;
  const TimelineView& view;
  float units = 1.0F;  ///< Window units per design unit.
  ImDrawList& list = *ImGui::GetWindowDrawList();

  [[nodiscard]] std::uint32_t count() const noexcept { return clip.frame_count; }
  /// Returns the average width of a frame.
  [[nodiscard]] float width() const noexcept {
    return bar.size().x / static_cast<float>(static_cast<double>(count()) * view.span());
  }
  [[nodiscard]] float width(std::uint32_t frame) const noexcept { return x(frame + 1) - x(frame); }
  [[nodiscard]] float middle(std::uint32_t frame) const noexcept { return std::round(x(frame) + width(frame) * 0.5F); }
  /// Returns the position where `frame` starts, also to the left or right of the bar.
  [[nodiscard]] float x(std::uint32_t frame) const noexcept {
    return bar.min.x + bar.size().x * static_cast<float>((share_of(clip, frame) - view.begin) / view.span());
  }
  [[nodiscard]] double pointed_share() const noexcept {
    return view.begin + view.span() * (ImGui::GetIO().MousePos.x - bar.min.x) / bar.size().x;
  }
  [[nodiscard]] std::uint32_t pointed() const noexcept { return frame_at(clip, pointed_share()); }
  [[nodiscard]] FrameRange visible() const noexcept { return visible_frames(view, clip); }
};

/// Where the rows below the ruler are. They scroll if the bar is too low for all.
struct TimelineRows {
  float markers = 0;
  float tags = 0;
  std::size_t tag_count = 0;
  float lanes = 0;
  float lane_height = 0;
  float hidden = 0;  ///< Height of what does not fit.
};

TimelineRows arrange_rows(const Rect& track, bool has_markers, bool has_tags, bool has_lanes, float scrolled,
                          float units) {
  const float row = kLaneRowHeight * units;
  const float room = track.size().y;
  const float markers = has_markers ? row : 0.0F;
  const float above = markers + (has_tags ? row : 0.0F);
  TimelineRows rows{.lane_height = std::clamp((room - above) / 3.0F, kMinLaneHeight * units, row)};
  const float lanes = has_lanes ? 3.0F * rows.lane_height : 0.0F;
  const float height = std::max(above + lanes, room);
  rows.hidden = height - room;
  const float top = track.min.y - std::clamp(scrolled, 0.0F, rows.hidden);
  rows.markers = top;
  rows.tags = top + markers;
  rows.lanes = top + height - lanes;
  rows.tag_count = std::clamp<std::size_t>(static_cast<std::size_t>((rows.lanes - rows.tags) / row), 1, kMaxTagRows);
  return rows;
}

/// Draws a name, shortened to fit. The timeline's own tooltip has the full one.
void name_in(const Rect& area, ImU32 color, std::string_view name) {
  text_at({area.min.x, area.center().y}, {0.0F, 0.5F}, color, ellipsized(name, area.size().x));
}

ImU32 color_of(const ArtworkTag& tag) {
  if (tag.color.alpha == 0) return kDimTextColor;
  return IM_COL32(tag.color.red, tag.color.green, tag.color.blue, 255);
}

/// Returns the frames of `tag` in `clip`: a range in the clip of all frames, everything in its own clip, else nothing.
std::optional<FrameRange> frames_of(const Artwork& artwork, const ArtworkTag& tag, ClipId clip,
                                    const TimeScale& scale) {
  if (artwork.whole_clip && clip == ClipId{*artwork.whole_clip}) return FrameRange{tag.first_frame, tag.last_frame};
  if (clip == ClipId{tag.clip}) return FrameRange{0, scale.count() - 1};
  return std::nullopt;
}

/// Draws the tags as bars in their colors, stacked where they overlap.
void draw_tags(const TimeScale& scale, const Artwork& artwork, ClipId clip, const TimelineRows& rows) {
  std::array<std::uint32_t, kMaxTagRows> free_from{};
  const float height = kLaneRowHeight * scale.units;
  for (const ArtworkTag& tag : artwork.tags) {
    const auto frames = frames_of(artwork, tag, clip, scale);
    if (!frames) continue;
    const auto used = std::span(free_from).first(rows.tag_count);
    const auto free = std::ranges::find_if(used, [&](std::uint32_t from) { return from <= frames->first; });
    // If all rows are taken, the last one shows the latest tag.
    const auto row = std::min<std::size_t>(static_cast<std::size_t>(free - used.begin()), rows.tag_count - 1);
    free_from[row] = frames->last + 1;
    const float top = rows.tags + static_cast<float>(row) * height;
    const float left = std::round(scale.x(frames->first)) + 1.0F;
    const Vec2 min{std::max(left, scale.bar.min.x), top + scale.units};
    const Vec2 max{std::min(std::round(scale.x(frames->last + 1)) - 1.0F, scale.bar.max.x), top + height - scale.units};
    if (min.x >= max.x) continue;
    fill({min, max}, with_alpha(color_of(tag), 0.3F), 2.0F * scale.units);
    if (left == min.x) fill({min, {min.x + 3.0F * scale.units, max.y}}, color_of(tag));
    name_in({min + Vec2{7.0F * scale.units, 0.0F}, max}, tag.enabled ? kTextColor : kDimTextColor, tag.name);
  }
}

/// Lists the tags at `frame` as lines of a tooltip.
void name_tags(const TimeScale& scale, const Artwork& artwork, ClipId clip, std::uint32_t frame) {
  for (const ArtworkTag& tag : artwork.tags) {
    const auto frames = frames_of(artwork, tag, clip, scale);
    if (!frames || frame < frames->first || frame > frames->last) continue;
    std::string text = fmt::format("{}, {}", tag.name, name_of(tag.direction));
    if (tag.repeats > 0) text += tag.repeats == 1 ? ", once" : fmt::format(", {} times", tag.repeats);
    colored(color_of(tag), text);
  }
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50, ... frames that is at least `minimum` wide.
std::uint32_t tick_step(float frame_width, float minimum) {
  return static_cast<std::uint32_t>(std::max(grid_step(frame_width, minimum).minor, 1.0));
}

void draw_ruler(const TimeScale& scale, float bottom) {
  ShortText text;
  const std::uint32_t last = scale.count() - 1;
  const float gap = 4.0F * scale.units;
  const float widest = text_size(write(text, "{}", last)).x;
  const std::uint32_t labeled = tick_step(scale.width(), std::max(48.0F * scale.units, widest + 3.0F * gap));
  const std::uint32_t ticked = tick_step(scale.width(), 6.0F * scale.units);
  const float text_top = scale.bar.min.y + (bottom - scale.bar.min.y - ImGui::GetTextLineHeight()) * 0.5F;
  const auto number = [&](float left, std::uint32_t frame) {
    scale.list.AddText({left, text_top}, kDimTextColor, write(text, "{}", frame));
  };
  // The last frame is always numbered.
  const auto [first_visible, last_visible] = scale.visible();
  float free_to = scale.bar.max.x;
  if (last_visible == last) {
    free_to = std::min(std::floor(scale.x(last)) + gap, scale.bar.max.x - widest - gap);
    number(free_to, last);
  }
  float free_from = 0.0F;  // Frames of uneven duration can be closer together than the average.
  for (std::uint32_t frame = first_visible - first_visible % ticked; frame <= last_visible; frame += ticked) {
    const float x = std::floor(scale.x(frame)) + 0.5F;
    if (frame % labeled != 0) {
      scale.list.AddLine({x, bottom - 5.0F * scale.units}, {x, bottom}, kFaintTextColor);
      continue;
    }
    scale.list.AddLine({x, bottom - 11.0F * scale.units}, {x, bottom}, kDimTextColor);
    scale.list.AddLine({x, bottom}, {x, scale.bar.max.y}, with_alpha(kFaintTextColor, 0.35F));
    const float left = x + gap;
    const float right = left + text_size(write(text, "{}", frame)).x + gap;
    if (frame == last || left < free_from || right > free_to) continue;
    number(left, frame);
    free_from = right;
  }
}

/// Darkens the frames outside the range and draws its ends as handles.
void draw_range(const TimeScale& scale, const FrameRange& range, float ruler_bottom) {
  const Rect& bar = scale.bar;
  const float first = std::round(scale.x(range.first));
  const float last = std::round(scale.x(range.last + 1));
  const auto within = [&](float x) { return std::clamp(x, bar.min.x, bar.max.x); };
  const float rounding = 4.0F * scale.units;
  const ImU32 dark = with_alpha(kBorderColor, 0.6F);
  scale.list.AddRectFilled(bar.min, {within(first), bar.max.y}, dark, rounding, ImDrawFlags_RoundCornersLeft);
  scale.list.AddRectFilled({within(last), bar.min.y}, bar.max, dark, rounding, ImDrawFlags_RoundCornersRight);
  fill({{within(first), bar.min.y}, {within(last), ruler_bottom}}, with_alpha(kBoneColor, 0.22F));
  const float thick = 4.0F * scale.units;
  fill({{first, bar.min.y}, {first + thick, ruler_bottom}}, kBoneColor, thick * 0.5F);
  fill({{last - thick, bar.min.y}, {last, ruler_bottom}}, kBoneColor, thick * 0.5F);
  name_area("range-first", {{first, bar.min.y}, {first + thick, ruler_bottom}});
  name_area("range-last", {{last - thick, bar.min.y}, {last, ruler_bottom}});
  scale.list.AddLine({first, ruler_bottom}, {first, bar.max.y}, with_alpha(kBoneColor, 0.5F));
  scale.list.AddLine({last - 1.0F, ruler_bottom}, {last - 1.0F, bar.max.y}, with_alpha(kBoneColor, 0.5F));
}

/// Marks where playback jumps to the loop's start or reverses.
void draw_seam(const TimeScale& scale, FrameRange played, LoopMode mode, float top) {
  if (mode == LoopMode::once) return;
  if (mode == LoopMode::loop && played.first == 0 && played.last + 1 == scale.count()) {
    played.first = scale.clip.loop_start;
  }
  const float ends[] = {std::round(scale.x(played.first)), std::round(scale.x(played.last + 1))};
  const float size = 5.0F * scale.units;
  for (const float x : ends) {
    if (x < scale.bar.min.x || x > scale.bar.max.x) continue;
    // Arrows point through the seam for a loop, and away from it for ping-pong.
    const float inwards = x == ends[0] ? size : -size;
    const bool through = mode == LoopMode::loop && x != ends[0];
    const float middle = (top + scale.bar.max.y) * 0.5F;
    const float dash = 3.0F * scale.units;
    const int dashes = static_cast<int>((scale.bar.max.y - top) / (2.0F * dash));
    for (int i = 0; i < dashes; ++i) {
      const float y = top + (2.0F * static_cast<float>(i) + 0.5F) * dash;
      scale.list.AddLine({x, y}, {x, y + dash}, with_alpha(kAccentColor, 0.75F), 1.5F * scale.units);
    }
    const float base = x + inwards * (through ? 1.6F : 0.5F);
    draw_triangle(scale.list, {base, middle}, size * 0.8F, through ? -inwards : inwards,
                  with_alpha(kAccentColor, 0.75F));
  }
}

/// Draws a flag for each marker, with its name if there is room before the next one.
void draw_markers(const TimeScale& scale, std::span<const Marker> markers, float top) {
  const float size = 8.0F * scale.units;
  const float bottom = top + kLaneRowHeight * scale.units;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const float x = std::round(scale.x(markers[i].frame));
    if (x < scale.bar.min.x || x > scale.bar.max.x) continue;
    scale.list.AddLine({x + 0.5F, top + 1.0F}, {x + 0.5F, bottom}, kWarningColor);
    scale.list.AddTriangleFilled({x, top + 1.0F}, {x + size, top + 1.0F + size * 0.5F}, {x, top + 1.0F + size},
                                 kWarningColor);
    const float next = i + 1 < markers.size() ? std::round(scale.x(markers[i + 1].frame)) : scale.bar.max.x;
    const Rect room{{x + size + 3.0F * scale.units, top},
                    {std::min(next, scale.bar.max.x) - 3.0F * scale.units, bottom}};
    if (room.size().x > 2.0F * size) name_in(room, kWarningColor, markers[i].name);
  }
}

/// Draws the runs that are visible, merging those too narrow to tell apart, and the lane's name at the left edge.
template <typename DrawRun>
void draw_lane(const TimeScale& scale, const char* name, const std::vector<LaneRun>& runs, const Rect& lane,
               const DrawRun& draw_run) {
  const auto [first, last] = scale.visible();
  // In a low timeline the lanes are lower than a line of text.
  const float shrunk = std::min(lane.size().y / ImGui::GetTextLineHeight(), 1.0F);
  const Vec2 name_size = text_size(name) * shrunk;
  const float named_to = lane.min.x + name_size.x + 8.0F * scale.units;
  float drawn_to = lane.min.x;
  for (const LaneRun* run = &run_of_frame(runs, first); run <= &runs.back() && run->first <= last; ++run) {
    const float left = std::max(std::round(scale.x(run->first)), drawn_to);
    const float right = std::min(std::round(scale.x(run->last + 1)), lane.max.x);
    if (right <= drawn_to) continue;
    drawn_to = right;
    draw_run(*run, Rect{{left, lane.min.y}, {right - (right - left > 3.0F ? 1.0F : 0.0F), lane.max.y}},
             std::max(left, named_to));
  }
  fill({lane.min, {named_to, lane.max.y}}, with_alpha(kWellColor, 0.75F), 2.0F * scale.units);
  scale.list.AddText(ImGui::GetFont(), ImGui::GetFontSize() * shrunk,
                     {lane.min.x + 4.0F * scale.units, lane.center().y - name_size.y * 0.5F}, kBoneColor, name);
}

/// Draws the frames in which the bone changes, and its visibility and zOrder.
void draw_lanes(const TimeScale& scale, const Lanes& lanes, const TimelineRows& rows) {
  const float gap = 2.0F * scale.units;
  const auto lane = [&](int row) {
    const float top = rows.lanes + rows.lane_height * static_cast<float>(row);
    return Rect{{scale.bar.min.x, top}, {scale.bar.max.x, top + rows.lane_height - gap}};
  };
  const auto [first, last] = scale.visible();
  draw_lane(scale, "keys", lanes.keys, lane(0), [&](const LaneRun& run, const Rect& area, float) {
    if (run.value == 0) return;
    const float middle = area.center().y;
    scale.list.AddLine({area.min.x, middle}, {area.max.x, middle}, with_alpha(kBoneColor, 0.4F), gap);
    if (scale.width() < 4.0F * scale.units) return;
    for (std::uint32_t frame = std::max(run.first, first); frame <= std::min(run.last, last); ++frame) {
      const float x = std::floor(scale.x(frame) + scale.width(frame) * 0.5F) + 0.5F;
      scale.list.AddLine({x, area.min.y + gap}, {x, area.max.y - gap}, kBoneColor, gap);
    }
  });
  draw_lane(scale, "visible", lanes.visible, lane(1), [&](const LaneRun& run, const Rect& area, float) {
    if (run.value != 0) fill(area, with_alpha(kBoneColor, 0.4F), gap);
  });
  draw_lane(scale, "zOrder", lanes.z_order, lane(2), [&](const LaneRun& run, const Rect& area, float text_from) {
    fill(area, with_alpha(kBoneColor, 0.16F + 0.14F * static_cast<float>(run.value & 1)), gap);
    ShortText text;
    const char* number = write(text, "{}", run.value);
    const float left = text_from + 4.0F * scale.units;
    if (left + text_size(number).x + 4.0F * scale.units > area.max.x) return;
    text_at({left, area.center().y}, {0.0F, 0.5F}, kDimTextColor, number);
  });
}

void draw_playhead(const TimeScale& scale, const ClipTime& position, std::uint32_t first) {
  const Rect& bar = scale.bar;
  const float width = scale.width(position.frame);
  const float left = scale.x(position.frame);
  const float from = std::max(scale.x(first), bar.min.x);
  const float to = std::min(left, bar.max.x);
  if (from < to) fill({{from, bar.min.y}, {to, bar.max.y}}, with_alpha(kAccentColor, 0.08F));
  const float within = std::min(width, 2.0F * scale.units) * 0.5F;
  const float x = std::round(left + std::max(within, width * position.factor));
  if (x < bar.min.x || x > bar.max.x) return;
  const float right = std::min(left + std::max(width, 1.0F), bar.max.x);
  fill({{std::max(left, bar.min.x), bar.min.y}, {right, bar.max.y}}, with_alpha(kAccentColor, 0.28F),
       std::min(3.0F * scale.units, width * 0.3F));
  scale.list.AddLine({x, bar.min.y}, {x, bar.max.y}, kAccentColor, 2.0F * scale.units);
  const float half = 5.5F * scale.units;
  const float top = bar.min.y - 2.0F * scale.units;
  const ImVec2 handle[] = {{x - half, top},
                           {x + half, top},
                           {x + half, top + 7.0F * scale.units},
                           {x, top + 13.0F * scale.units},
                           {x - half, top + 7.0F * scale.units}};
  scale.list.AddConvexPolyFilled(handle, 5, kAccentColor);
}

/// Returns the end of the range whose handle is at `x`, if any.
TimelineDrag handle_at(const TimeScale& scale, const std::optional<FrameRange>& range, float x) {
  if (!range) return TimelineDrag::none;
  const float to_first = std::abs(scale.x(range->first) - x);
  const float to_last = std::abs(scale.x(range->last + 1) - x);
  if (std::min(to_first, to_last) > kHandleReach * scale.units) return TimelineDrag::none;
  return to_first < to_last ? TimelineDrag::range_first : TimelineDrag::range_last;
}

/// Moves the end of the range that is being dragged, or makes a new range, up to the frame under the mouse.
void drag_range(App& app, std::uint32_t pointed) {
  const TimelineView& view = app.timeline;
  FrameRange range = app.playback.clock.range().value_or(FrameRange{view.anchor, view.anchor});
  if (view.drag == TimelineDrag::new_range) range = {view.anchor, view.anchor};
  if (view.drag != TimelineDrag::range_last) range.first = std::min(pointed, range.last);
  if (view.drag != TimelineDrag::range_first) range.last = std::max(pointed, range.first);
  set_range(app.playback, app.document()->character(), range);
}

/// Handles the mouse over the ruler or the track: dragging scrubs, or makes a range with Shift; dragging a handle on
/// the ruler moves an end of the range. The wheel zooms, and pans with Shift, as the middle button does. Returns
/// whether the mouse is over it.
bool use_area(App& app, const TimeScale& scale, const char* id, const Rect& area) {
  ImGui::SetCursorScreenPos(area.min);
  const bool hovered = spot(id, area.size()).hovered;
  const ImGuiIO& io = ImGui::GetIO();
  TimelineView& view = app.timeline;
  const bool has_range = app.playback.shows_clip();
  const bool on_ruler = area.min.y == scale.bar.min.y;
  TimelineDrag under = TimelineDrag::playhead;
  if (has_range && on_ruler) {
    const TimelineDrag handle = handle_at(scale, app.playback.clock.range(), io.MousePos.x);
    if (handle != TimelineDrag::none) under = handle;
  }
  if (has_range && io.KeyShift) under = TimelineDrag::new_range;
  if (ImGui::IsItemActivated()) {
    view.drag = under;
    view.anchor = scale.pointed();
  }
  if (!hovered) return false;
  if (under == TimelineDrag::range_first || under == TimelineDrag::range_last) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Middle)) view.drag = TimelineDrag::view;
  constexpr double kWheelPan = 0.125;
  const bool pans = io.KeyShift;
  const float across = pans ? io.MouseWheel : io.MouseWheelH;
  if (across != 0.0F) pan(view, scale.clip, -across * kWheelPan * view.span());
  if (!pans && !io.KeyCtrl && io.MouseWheel != 0.0F) zoom(view, scale.clip, io.MouseWheel, scale.pointed_share());
  return true;
}

/// Returns whether the left button was dragged rather than clicked.
bool is_dragged(float units) {
  const ImGuiIO& io = ImGui::GetIO();
  const float least = kDragStart * units;
  return io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] > least * least ||
         std::abs(io.MousePos.x - io.MouseClickedPos[ImGuiMouseButton_Left].x) > least;
}

/// Continues what the mouse drags, or ends it.
void continue_drag(App& app, const TimeScale& scale) {
  TimelineView& view = app.timeline;
  const bool pans = view.drag == TimelineDrag::view;
  if (view.drag != TimelineDrag::none && ImGui::IsMousePosValid()) {
    const std::uint32_t pointed = scale.pointed();
    if (pans) {
      pan(view, scale.clip, -view.span() * ImGui::GetIO().MouseDelta.x / scale.bar.size().x);
    } else if (view.drag == TimelineDrag::playhead) {
      scrub(app.playback, pointed);
    } else if (app.playback.shows_clip() && is_dragged(scale.units)) {
      drag_range(app, pointed);
    }
    if (!pans) reveal(view, scale.clip, pointed);
  }
  // The button may have been released in the same frame as the mouse was moved last.
  if (!ImGui::IsMouseDown(pans ? ImGuiMouseButton_Middle : ImGuiMouseButton_Left)) view.drag = TimelineDrag::none;
  if (view.drag == TimelineDrag::none) end_scrub(app.playback);
}

/// A bar below the timeline that shows which part is visible. Dragging it pans; a double click shows all frames.
void scroll_bar(TimelineView& view, const TimeScale& scale) {
  const Rect& bar = scale.bar;
  const float width = bar.size().x;
  ImGui::SetCursorScreenPos({bar.min.x, bar.max.y + 2.0F * scale.units});
  const auto [area, clicked, hovered, active] = spot("timeline-scroll", {width, kScrollHeight * scale.units});
  const ImGuiIO& io = ImGui::GetIO();
  const double pointed = (io.MousePos.x - bar.min.x) / width;
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    show_part(view, scale.clip, 0.0, 1.0);
  } else if (ImGui::IsItemActivated() && (pointed < view.begin || pointed > view.end)) {
    pan(view, scale.clip, pointed - (view.begin + view.end) * 0.5);
  } else if (active) {
    pan(view, scale.clip, io.MouseDelta.x / width);
  }
  tooltip("Drag to pan, double-click to show all frames");
  const float left = bar.min.x + width * static_cast<float>(view.begin);
  const float right = std::max(bar.min.x + width * static_cast<float>(view.end), left + 12.0F * scale.units);
  const float inset = (hovered || active ? 1.0F : 2.0F) * scale.units;
  const ImU32 color = active ? kDimTextColor : view.span() < 1.0 ? kFaintTextColor : kControlColor;
  fill({{left, area.min.y + inset}, {right, area.max.y - inset}}, color, kScrollHeight * 0.5F * scale.units);
}

/// A bar at the right of the rows, if they do not fit. Dragging it scrolls, as Ctrl+wheel does over the rows.
void scroll_rows(TimelineView& view, const TimeScale& scale, const Rect& track, float hidden, bool on_track) {
  view.scrolled = std::clamp(view.scrolled, 0.0F, hidden);
  if (hidden <= 0.0F) return;
  const ImGuiIO& io = ImGui::GetIO();
  const float height = track.size().y;
  if (on_track && io.KeyCtrl) view.scrolled -= io.MouseWheel * kLaneRowHeight * scale.units;
  ImGui::SetCursorScreenPos({track.max.x - kScrollHeight * scale.units, track.min.y});
  const Spot bar = spot("timeline-rows", {kScrollHeight * scale.units, height});
  if (bar.active) view.scrolled += io.MouseDelta.y * (height + hidden) / height;
  view.scrolled = std::clamp(view.scrolled, 0.0F, hidden);
  const float shown = height * height / (height + hidden);
  const float top = track.min.y + view.scrolled * height / (height + hidden);
  fill({{bar.area.min.x + 2.0F * scale.units, top}, {bar.area.max.x - 1.0F, top + shown}},
       bar.active || bar.hovered ? kDimTextColor : kFaintTextColor, kScrollHeight * 0.5F * scale.units);
}

/// Shows the frame and time under the mouse, with its tags, markers and bone values.
void describe_pointed(const Document& document, const TimeScale& scale, ClipId clip, std::span<const Marker> markers,
                      const Lanes& lanes) {
  const std::uint32_t pointed = scale.pointed();
  const float half_tooltip = 80.0F * scale.units;
  const float middle = std::clamp(scale.middle(pointed), scale.bar.min.x + half_tooltip,
                                  std::max(scale.bar.min.x, scale.bar.max.x - half_tooltip));
  ImGui::SetNextWindowPos({middle, scale.bar.min.y - 4.0F * scale.units}, ImGuiCond_Always, {0.5F, 1.0F});
  ImGui::BeginTooltip();
  ShortText text;
  colored(kTextColor, write(text, "frame {}, {:.3f} s", pointed, scale.clip.frame_begin(pointed)));
  if (const auto& artwork = document.imported.artwork) name_tags(scale, *artwork, clip, pointed);
  for (const Marker& marker : markers) {
    const float distance = std::abs(scale.x(marker.frame) - ImGui::GetIO().MousePos.x);
    if (marker.frame == pointed || distance < 5.0F * scale.units) colored(kWarningColor, marker.name);
  }
  if (document.selection.bone && !lanes.visible.empty()) {
    colored(kBoneColor, fmt::format("{}: {}, zOrder {}{}", document.character().bones()[*document.selection.bone].name,
                                    run_of_frame(lanes.visible, pointed).value != 0 ? "visible" : "hidden",
                                    run_of_frame(lanes.z_order, pointed).value,
                                    run_of_frame(lanes.keys, pointed).value != 0 ? ", changes here" : ""));
  }
  ImGui::EndTooltip();
}

/// Returns the lanes of the selected bone; none if no bone is selected.
const Lanes& lanes_of(Actor& actor, ClipId clip) {
  LaneCache& cache = actor.lanes;
  const BoneId bone = actor.document.selection.bone.value_or(BoneId::none);
  if (cache.clip != clip || cache.bone != bone) {
    const Character& character = actor.document.character();
    cache = {clip, bone, find_lanes(character.clips()[clip], character.bones().size(), bone)};
  }
  return cache.lanes;
}

}  // namespace

void timeline(App& app, const Layout& layout) {
  const Rect bar = timeline_bar(layout);
  const Rect ruler = timeline_ruler(layout);
  const Rect track{{bar.min.x, ruler.max.y}, bar.max};
  const auto at = playhead(app.playback);
  if (track.size().x < 1.0F || track.size().y < 1.0F) return;
  fill(bar, kWellColor, 4.0F * layout.scale);
  if (!at) return;
  const Clip& clip = app.document()->character().clips()[at->clip];
  if (clip.frame_count == 0) return;
  TimelineView& view = app.timeline;
  show_clip(view, clip);
  follow_playhead(view, clip, at->position.frame, app.playback.playing());
  const TimeScale scale{bar, clip, view, layout.scale};

  const auto markers = app.document()->markers->of_clip(at->clip);
  const auto& artwork = app.document()->imported.artwork;
  const Lanes& lanes = lanes_of(*app.find(Role::open), at->clip);
  const auto arrange = [&] {
    return arrange_rows(track, !markers.empty(), artwork && !artwork->tags.empty(), !lanes.visible.empty(),
                        view.scrolled, layout.scale);
  };
  const float hidden = arrange().hidden;
  const bool on_ruler = use_area(app, scale, "ruler", ruler);
  const float bar_width = hidden > 0.0F ? kScrollHeight * layout.scale : 0.0F;
  const bool on_track = use_area(app, scale, "track", {track.min, track.max - Vec2{bar_width, 0.0F}});
  continue_drag(app, scale);
  scroll_bar(view, scale);
  const bool pointed = (on_ruler || on_track) && !ImGui::IsAnyItemActive();
  if (pointed && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    open_menu(app, {.on = MenuOn::timeline, .frame = scale.pointed()});
  }

  const TimelineRows rows = arrange();
  scale.list.AddRectFilled(ruler.min, ruler.max, with_alpha(kControlColor, 0.55F), 4.0F * layout.scale,
                           ImDrawFlags_RoundCornersTop);
  scale.list.PushClipRect(bar.min, bar.max, true);
  draw_ruler(scale, ruler.max.y);
  scale.list.PushClipRect(track.min, track.max, true);
  if (!lanes.visible.empty()) draw_lanes(scale, lanes, rows);
  if (artwork) draw_tags(scale, *artwork, at->clip, rows);
  draw_markers(scale, markers, rows.markers);
  scale.list.PopClipRect();
  const Transport& clock = app.playback.clock;
  if (app.playback.shows_clip()) draw_seam(scale, clock.played(), clock.effective_mode(), track.min.y);
  if (clock.range() && app.playback.shows_clip()) draw_range(scale, *clock.range(), ruler.max.y);
  scale.list.PopClipRect();
  if (pointed) {
    const float x = scale.middle(scale.pointed());
    scale.list.AddLine({x, bar.min.y}, {x, bar.max.y}, with_alpha(kTextColor, 0.25F));
    describe_pointed(*app.document(), scale, at->clip, markers, lanes);
  }
  scroll_rows(view, scale, track, hidden, on_track);
  // The mouse may just have moved the playhead.
  const Playhead now = playhead(app.playback).value_or(*at);
  draw_playhead(scale, now.position, app.playback.shows_clip() ? clock.played().first : 0);
}

}  // namespace pchr::player
