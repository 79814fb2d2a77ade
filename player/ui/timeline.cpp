// SPDX-License-Identifier: MIT
#include "playback/lanes.hpp"
#include "ui/panels.hpp"

#include <cmath>

namespace pchr::player {
namespace {

constexpr std::size_t kTagRows = 3;
constexpr float kTagHeight = 15.0F;
constexpr float kFlagHeight = 15.0F;
constexpr float kLaneHeight = 15.0F;
constexpr float kHandleReach = 6.0F;

/// Maps frames to positions on the bar. A frame's width is proportional to its duration.
struct TimeScale {
  Rect bar;
  const Clip& clip;
  float units = 1.0F;  ///< Window units per design unit.
  ImDrawList& list = *ImGui::GetWindowDrawList();

  [[nodiscard]] std::uint32_t count() const noexcept { return clip.frame_count; }
  /// Returns the average width of a frame.
  [[nodiscard]] float width() const noexcept { return bar.size().x / static_cast<float>(count()); }
  [[nodiscard]] float width(std::uint32_t frame) const noexcept { return x(frame + 1) - x(frame); }
  [[nodiscard]] float middle(std::uint32_t frame) const noexcept { return std::round(x(frame) + width(frame) * 0.5F); }
  /// Returns the position where `frame` starts.
  [[nodiscard]] float x(std::uint32_t frame) const noexcept {
    const auto along = clip.frame_ends.empty()
                           ? static_cast<float>(frame) / static_cast<float>(count())
                           : static_cast<float>(seconds_of_frame(clip, frame) / clip.frame_ends.back());
    return bar.min.x + bar.size().x * along;
  }
  [[nodiscard]] std::uint32_t pointed() const noexcept {
    const float along = std::clamp((ImGui::GetIO().MousePos.x - bar.min.x) / bar.size().x, 0.0F, 1.0F);
    const auto ends = std::span(clip.frame_ends);
    const auto found =
        ends.empty() ? static_cast<std::uint32_t>(along * static_cast<float>(count()))
                     : static_cast<std::uint32_t>(std::ranges::upper_bound(ends, along * ends.back()) - ends.begin());
    return std::min(found, count() - 1);
  }
};

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

/// Draws the tags below `top` as bars in their colors, stacked where they overlap.
void draw_tags(const TimeScale& scale, const Artwork& artwork, ClipId clip, float top) {
  std::array<std::uint32_t, kTagRows> free_from{};
  for (const ArtworkTag& tag : artwork.tags) {
    const auto frames = frames_of(artwork, tag, clip, scale);
    if (!frames) continue;
    const auto free = std::ranges::find_if(free_from, [&](std::uint32_t from) { return from <= frames->first; });
    // If all rows are taken, the last one shows the latest tag.
    const auto row = std::min<std::size_t>(static_cast<std::size_t>(free - free_from.begin()), kTagRows - 1);
    free_from[row] = frames->last + 1;
    const float row_top = top + static_cast<float>(row) * kTagHeight * scale.units;
    const Vec2 min{std::round(scale.x(frames->first)) + 1.0F, row_top + scale.units};
    const Vec2 max{std::round(scale.x(frames->last + 1)) - 1.0F, row_top + (kTagHeight - 1.0F) * scale.units};
    fill({min, max}, with_alpha(color_of(tag), 0.3F), 2.0F * scale.units);
    fill({min, {min.x + 3.0F * scale.units, max.y}}, color_of(tag));
    text_in({min + Vec2{7.0F * scale.units, 0.0F}, max}, tag.enabled ? kTextColor : kDimTextColor, tag.name);
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
  const std::uint32_t labeled = tick_step(scale.width(), 48.0F * scale.units);
  const std::uint32_t ticked = tick_step(scale.width(), 6.0F * scale.units);
  const float text_top = scale.bar.min.y + (bottom - scale.bar.min.y - ImGui::GetTextLineHeight()) * 0.5F;
  float free_from = 0.0F;  // Frames of uneven duration can be closer together than the average.
  for (std::uint32_t frame = 0; frame < scale.count(); frame += ticked) {
    const float x = std::floor(scale.x(frame)) + 0.5F;
    if (frame % labeled != 0) {
      scale.list.AddLine({x, bottom - 5.0F * scale.units}, {x, bottom}, kFaintTextColor);
      continue;
    }
    scale.list.AddLine({x, bottom - 11.0F * scale.units}, {x, bottom}, kDimTextColor);
    scale.list.AddLine({x, bottom}, {x, scale.bar.max.y}, with_alpha(kFaintTextColor, 0.35F));
    ShortText text;
    const char* number = write(text, "{}", frame);
    const float left = x + 4.0F * scale.units;
    const float right = left + text_size(number).x;
    if (left < free_from || right >= scale.bar.max.x) continue;
    scale.list.AddText({left, text_top}, kDimTextColor, number);
    free_from = right;
  }
}

/// Darkens the frames outside the range and draws its ends as handles.
void draw_range(const TimeScale& scale, const FrameRange& range, float ruler_bottom) {
  const float first = std::round(scale.x(range.first));
  const float last = std::round(scale.x(range.last + 1));
  const Rect& bar = scale.bar;
  const float rounding = 4.0F * scale.units;
  scale.list.AddRectFilled(bar.min, {first, bar.max.y}, with_alpha(kBorderColor, 0.6F), rounding,
                           ImDrawFlags_RoundCornersLeft);
  scale.list.AddRectFilled({last, bar.min.y}, bar.max, with_alpha(kBorderColor, 0.6F), rounding,
                           ImDrawFlags_RoundCornersRight);
  fill({{first, bar.min.y}, {last, ruler_bottom}}, with_alpha(kBoneColor, 0.22F));
  const float thick = 4.0F * scale.units;
  fill({{first, bar.min.y}, {first + thick, ruler_bottom}}, kBoneColor, thick * 0.5F);
  fill({{last - thick, bar.min.y}, {last, ruler_bottom}}, kBoneColor, thick * 0.5F);
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

void draw_markers(const TimeScale& scale, std::span<const Marker> markers, float top) {
  for (const Marker& marker : markers) {
    const float x = std::round(scale.x(marker.frame));
    const float height = 8.0F * scale.units;
    const float pole = top + kFlagHeight * scale.units;
    scale.list.AddLine({x + 0.5F, top + 1.0F}, {x + 0.5F, pole}, kWarningColor);
    scale.list.AddTriangleFilled({x, top + 1.0F}, {x + height, top + 1.0F + height * 0.5F}, {x, top + 1.0F + height},
                                 kWarningColor);
  }
}

/// Draws one row of runs, merging those too narrow to tell apart.
void draw_lane(const TimeScale& scale, const std::vector<LaneRun>& runs, float top, bool numbers) {
  const float bottom = top + (kLaneHeight - 2.0F) * scale.units;
  float drawn_to = scale.bar.min.x;
  for (const LaneRun& run : runs) {
    const float left = std::max(std::round(scale.x(run.first)), drawn_to);
    const float right = std::round(scale.x(run.last + 1));
    if (right <= drawn_to) continue;
    drawn_to = right;
    if (!numbers && run.value == 0) continue;
    const float strength = numbers ? 0.16F + 0.14F * static_cast<float>(run.value & 1) : 0.40F;
    const float gap = right - left > 3.0F ? 1.0F : 0.0F;
    fill({{left, top}, {right - gap, bottom}}, with_alpha(kBoneColor, strength), 2.0F * scale.units);
    if (!numbers) continue;
    ShortText text;
    const char* number = write(text, "{}", run.value);
    if (text_size(number).x + 8.0F * scale.units > right - left) continue;
    text_at({left + 4.0F * scale.units, (top + bottom) * 0.5F}, {0.0F, 0.5F}, kDimTextColor, number);
  }
}

void draw_playhead(const TimeScale& scale, const ClipTime& position, std::uint32_t first) {
  const Rect& bar = scale.bar;
  const float width = scale.width(position.frame);
  const float left = scale.x(position.frame);
  const float from = scale.x(first);
  fill({{from, bar.min.y}, {left, bar.max.y}}, with_alpha(kAccentColor, 0.08F));
  fill({{left, bar.min.y}, {left + std::max(width, 1.0F), bar.max.y}}, with_alpha(kAccentColor, 0.28F),
       std::min(3.0F * scale.units, width * 0.3F));
  const float within = std::min(width, 2.0F * scale.units) * 0.5F;
  const float x = std::round(left + std::max(within, width * position.factor));
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

RangeGrip grip_at(const TimeScale& scale, const std::optional<FrameRange>& range, float x) {
  if (!range) return RangeGrip::both_ends;
  const float reach = kHandleReach * scale.units;
  const float to_first = std::abs(scale.x(range->first) - x);
  const float to_last = std::abs(scale.x(range->last + 1) - x);
  if (std::min(to_first, to_last) > reach) return RangeGrip::both_ends;
  return to_first < to_last ? RangeGrip::first : RangeGrip::last;
}

/// Handles the ruler: a click seeks, dragging creates a range or moves one of its ends, a double click clears it.
void use_ruler(App& app, const TimeScale& scale, const Rect& ruler) {
  ImGui::SetCursorScreenPos(ruler.min);
  const auto [area, clicked, hovered, active] = spot("ruler", ruler.size());
  const std::uint32_t pointed = scale.pointed();
  const std::optional<FrameRange> range = app.playback.clock.range();
  const RangeGrip under = grip_at(scale, range, ImGui::GetIO().MousePos.x);
  if (ImGui::IsItemActivated()) {
    app.range_grip = under;
    app.range_anchor = pointed;
  }
  const bool on_end = app.range_grip == RangeGrip::first || app.range_grip == RangeGrip::last;
  if (on_end || (hovered && under != RangeGrip::both_ends)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const Character& character = app.document->character();
  if (active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4.0F * scale.units)) {
    const bool both = app.range_grip == RangeGrip::both_ends;
    const FrameRange before = both || !range ? FrameRange{app.range_anchor, app.range_anchor} : *range;
    FrameRange chosen = before;
    if (both || app.range_grip == RangeGrip::first) chosen.first = std::min(pointed, before.last);
    if (both || app.range_grip == RangeGrip::last) chosen.last = std::max(pointed, before.first);
    if (both || range) set_range(app.playback, character, chosen);
  } else if (ImGui::IsItemActivated() && under == RangeGrip::both_ends) {
    seek_frame(app.playback, pointed);
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) set_range(app.playback, character, std::nullopt);
  if (!active) app.range_grip = RangeGrip::none;
}

void use_track(Playback& playback, const TimeScale& scale, const Rect& track, const char* id) {
  ImGui::SetCursorScreenPos(track.min);
  if (spot(id, track.size()).active) seek_frame(playback, scale.pointed());
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
  colored(kTextColor, write(text, "frame {}, {:.3f} s", pointed, seconds_of_frame(scale.clip, pointed)));
  if (const auto& artwork = document.imported.artwork) name_tags(scale, *artwork, clip, pointed);
  for (const Marker& marker : markers) {
    const float distance = std::abs(scale.x(marker.frame) - ImGui::GetIO().MousePos.x);
    if (marker.frame == pointed || distance < 5.0F * scale.units) colored(kWarningColor, marker.name);
  }
  if (document.selection.bone && !lanes.visible.empty()) {
    colored(kBoneColor, fmt::format("{}: {}, zOrder {}", document.character().bones()[*document.selection.bone].name,
                                    run_of_frame(lanes.visible, pointed).value != 0 ? "visible" : "hidden",
                                    run_of_frame(lanes.z_order, pointed).value));
  }
  ImGui::EndTooltip();
}

void draw_lanes(const TimeScale& scale, const Lanes& lanes, const std::string& bone, float top) {
  draw_lane(scale, lanes.visible, top, false);
  draw_lane(scale, lanes.z_order, top + kLaneHeight * scale.units, true);
  text_at({scale.bar.max.x - 6.0F * scale.units, top}, Vec2{1.0F}, with_alpha(kBoneColor, 0.8F), bone);
}

}  // namespace

void timeline(App& app, const Layout& layout) {
  const Rect bar = timeline_bar(layout);
  if (bar.size().x < 1.0F) return;
  fill(bar, kWellColor, 4.0F * layout.scale);
  const auto at = playhead(app.playback);
  if (!at) return;
  const Character& character = app.document->character();
  const TimeScale scale{bar, character.clips()[at->clip], layout.scale};
  const Rect ruler = timeline_ruler(layout);
  const Rect track{{bar.min.x, ruler.max.y}, bar.max};
  const auto markers = app.document->markers->of_clip(at->clip);

  // A mix or a game has no range, so the ruler scrubs like the rest.
  app.playback.shows_clip() ? use_ruler(app, scale, ruler) : use_track(app.playback, scale, ruler, "ruler");
  const bool on_ruler = ImGui::IsItemHovered();
  use_track(app.playback, scale, track, "track");
  const bool pointed = (on_ruler || ImGui::IsItemHovered()) && !ImGui::IsAnyItemActive();
  if (pointed && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    open_menu(app, {.on = MenuOn::timeline, .frame = scale.pointed()});
  }

  scale.list.AddRectFilled(ruler.min, ruler.max, with_alpha(kControlColor, 0.55F), 4.0F * layout.scale,
                           ImDrawFlags_RoundCornersTop);
  draw_ruler(scale, ruler.max.y);
  Lanes lanes;
  const auto bone = app.document->selection.bone;
  if (bone) find_lanes(scale.clip, character.bones().size(), *bone, lanes);
  const float lanes_top = bar.max.y - 2.0F * kLaneHeight * layout.scale;
  if (!lanes.visible.empty()) draw_lanes(scale, lanes, character.bones()[*bone].name, lanes_top);
  if (const auto& artwork = app.document->imported.artwork) draw_tags(scale, *artwork, at->clip, track.min.y);
  draw_markers(scale, markers, track.min.y);
  const Transport& clock = app.playback.clock;
  if (app.playback.shows_clip()) draw_seam(scale, clock.played(), clock.effective_mode(), track.min.y);
  if (clock.range() && app.playback.shows_clip()) draw_range(scale, *clock.range(), ruler.max.y);
  if (pointed) {
    const float x = scale.middle(scale.pointed());
    scale.list.AddLine({x, bar.min.y}, {x, bar.max.y}, with_alpha(kTextColor, 0.25F));
    describe_pointed(*app.document, scale, at->clip, markers, lanes);
  }
  // The mouse may just have moved the playhead.
  const Playhead now = playhead(app.playback).value_or(*at);
  draw_playhead(scale, now.position, app.playback.shows_clip() ? clock.played().first : 0);
}

}  // namespace pchr::player
