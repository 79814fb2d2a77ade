// SPDX-License-Identifier: MIT
// Tags as bars.

#include "ui/timeline.hpp"

#include "playback/lanes.hpp"
#include "ui/panels.hpp"

#include <cmath>

namespace pchr::player {
namespace {

constexpr std::size_t kTagRows = 3;
constexpr float kTagHeight = 15.0F;

ImU32 color_of(const ArtworkTag& tag) {
  if (tag.color.alpha == 0) return kDimTextColor;
  return IM_COL32(tag.color.red, tag.color.green, tag.color.blue, 255);
}

/// The frames of the clip that are the tag's; none of a clip that is another's.
std::optional<std::pair<std::uint32_t, std::uint32_t>> frames_of(const TimeScale& scale, const Artwork& artwork,
                                                                 const ArtworkTag& tag) {
  if (artwork.whole_clip && scale.clip_number == ClipId{*artwork.whole_clip})
    return std::pair(tag.first_frame, tag.last_frame);
  if (scale.clip_number == ClipId{tag.clip}) return std::pair(0U, scale.count() - 1);
  return std::nullopt;
}

void draw_tag(ImDrawList& list, const TimeScale& scale, const ArtworkTag& tag, float left, float right, float top) {
  const ImU32 color = color_of(tag);
  const Vec2 min{std::round(left) + 1.0F, top + scale.units};
  const Vec2 max{std::round(right) - 1.0F, top + (kTagHeight - 1.0F) * scale.units};
  list.AddRectFilled(im(min), im(max), with_alpha(color, 0.3F), 2.0F * scale.units);
  list.AddRectFilled(im(min), {min.x + 3.0F * scale.units, max.y}, color);
  list.PushClipRect(im(min), im(max), true);
  const float text_top = (min.y + max.y - ImGui::GetTextLineHeight()) * 0.5F;
  list.AddText({min.x + 7.0F * scale.units, text_top}, tag.enabled ? kTextColor : kDimTextColor, tag.name.c_str());
  list.PopClipRect();
}

constexpr float kFlagHeight = 15.0F;
constexpr float kLaneHeight = 15.0F;
constexpr float kHandleReach = 6.0F;

/// The smallest of 1, 2, 5, 10, 20, 50, ... frames that is at least `minimum` wide.
std::uint32_t tick_step(float frame_width, float minimum) {
  constexpr std::uint32_t kDigits[] = {1, 2, 5};
  for (std::uint32_t power = 1; power <= 100'000'000; power *= 10) {
    for (const std::uint32_t digit : kDigits) {
      if (static_cast<float>(digit * power) * frame_width >= minimum) return digit * power;
    }
  }
  return 1'000'000'000;
}

void draw_ruler(ImDrawList& list, const TimeScale& scale, float bottom) {
  const std::uint32_t labeled = tick_step(scale.width(), 48.0F * scale.units);
  const std::uint32_t ticked = tick_step(scale.width(), 6.0F * scale.units);
  const float text_top = scale.bar.min.y + (bottom - scale.bar.min.y - ImGui::GetTextLineHeight()) * 0.5F;
  float free_from = 0.0F;  // Frames of uneven length may stand closer than the step is wide.
  for (std::uint32_t frame = 0; frame < scale.count(); frame += ticked) {
    const float x = std::floor(scale.x(frame)) + 0.5F;
    const bool label = frame % labeled == 0;
    if (!label) {
      list.AddLine({x, bottom - 5.0F * scale.units}, {x, bottom}, kFaintTextColor);
      continue;
    }
    list.AddLine({x, bottom - 11.0F * scale.units}, {x, bottom}, kDimTextColor);
    list.AddLine({x, bottom}, {x, scale.bar.max.y}, with_alpha(kFaintTextColor, 0.35F));
    ShortText text;
    const char* number = write(text, "{}", frame);
    const float left = x + 4.0F * scale.units;
    const float right = left + ImGui::CalcTextSize(number).x;
    if (left < free_from || right >= scale.bar.max.x) continue;
    list.AddText({left, text_top}, kDimTextColor, number);
    free_from = right;
  }
}

/// Darkens what is not played and marks the range's ends as handles.
void draw_range(ImDrawList& list, const TimeScale& scale, const FrameRange& range, float ruler_bottom) {
  const float first = std::round(scale.x(range.first));
  const float last = std::round(scale.x(range.last + 1));
  const Rect& bar = scale.bar;
  const float rounding = 4.0F * scale.units;
  list.AddRectFilled(im(bar.min), {first, bar.max.y}, with_alpha(kBorderColor, 0.6F), rounding,
                     ImDrawFlags_RoundCornersLeft);
  list.AddRectFilled({last, bar.min.y}, im(bar.max), with_alpha(kBorderColor, 0.6F), rounding,
                     ImDrawFlags_RoundCornersRight);
  list.AddRectFilled({first, bar.min.y}, {last, ruler_bottom}, with_alpha(kBoneColor, 0.22F));
  const float thick = 4.0F * scale.units;
  list.AddRectFilled({first, bar.min.y}, {first + thick, ruler_bottom}, kBoneColor, thick * 0.5F);
  list.AddRectFilled({last - thick, bar.min.y}, {last, ruler_bottom}, kBoneColor, thick * 0.5F);
  list.AddLine({first, ruler_bottom}, {first, bar.max.y}, with_alpha(kBoneColor, 0.5F));
  list.AddLine({last - 1.0F, ruler_bottom}, {last - 1.0F, bar.max.y}, with_alpha(kBoneColor, 0.5F));
}

/// Where playing goes on from the loop's start, or turns round.
void draw_seam(ImDrawList& list, const TimeScale& scale, FrameRange played, LoopMode mode, float top) {
  if (mode == LoopMode::once) return;
  if (mode == LoopMode::loop && played.first == 0 && played.last + 1 == scale.count()) {
    played.first = scale.clip.loop_start;
  }
  const float ends[] = {std::round(scale.x(played.first)), std::round(scale.x(played.last + 1))};
  const float size = 5.0F * scale.units;
  for (const float x : ends) {
    // Arrows through the seam for a loop, back from it for ping-pong.
    const float inwards = x == ends[0] ? size : -size;
    const float middle = (top + scale.bar.max.y) * 0.5F;
    const float dash = 3.0F * scale.units;
    const int dashes = static_cast<int>((scale.bar.max.y - top) / (2.0F * dash));
    for (int i = 0; i < dashes; ++i) {
      const float y = top + (2.0F * static_cast<float>(i) + 0.5F) * dash;
      list.AddLine({x, y}, {x, y + dash}, with_alpha(kAccentColor, 0.75F), 1.5F * scale.units);
    }
    const float base = mode == LoopMode::loop && x != ends[0] ? x + inwards * 1.6F : x + inwards * 0.5F;
    const float tip = mode == LoopMode::loop && x != ends[0] ? base - inwards : base + inwards;
    const ImVec2 up{base, middle - size * 0.8F};
    const ImVec2 down{base, middle + size * 0.8F};
    tip > base ? list.AddTriangleFilled(up, {tip, middle}, down, with_alpha(kAccentColor, 0.75F))
               : list.AddTriangleFilled(up, down, {tip, middle}, with_alpha(kAccentColor, 0.75F));
  }
}

void draw_markers(ImDrawList& list, const TimeScale& scale, std::span<const Marker> markers, float top) {
  for (const Marker& marker : markers) {
    const float x = std::round(scale.x(marker.frame));
    const float height = 8.0F * scale.units;
    const float pole = top + kFlagHeight * scale.units;
    list.AddLine({x + 0.5F, top + 1.0F}, {x + 0.5F, pole}, kWarningColor);
    list.AddTriangleFilled({x, top + 1.0F}, {x + height, top + 1.0F + height * 0.5F}, {x, top + 1.0F + height},
                           kWarningColor);
  }
}

/// One row of runs. Runs too narrow to be seen apart are drawn as one.
void draw_lane(ImDrawList& list, const TimeScale& scale, const std::vector<LaneRun>& runs, float top, bool numbers) {
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
    list.AddRectFilled({left, top}, {right - gap, bottom}, with_alpha(kBoneColor, strength), 2.0F * scale.units);
    if (!numbers) continue;
    ShortText text;
    const char* number = write(text, "{}", run.value);
    const Vec2 size = vec(ImGui::CalcTextSize(number));
    if (size.x + 8.0F * scale.units > right - left) continue;
    list.AddText({left + 4.0F * scale.units, (top + bottom - size.y) * 0.5F}, kDimTextColor, number);
  }
}

void draw_playhead(ImDrawList& list, const TimeScale& scale, const ClipTime& position, std::uint32_t first) {
  const Rect& bar = scale.bar;
  const float width = scale.width(position.frame);
  const float left = scale.x(position.frame);
  const float from = scale.x(first);
  list.AddRectFilled({from, bar.min.y}, {left, bar.max.y}, with_alpha(kAccentColor, 0.08F));
  list.AddRectFilled({left, bar.min.y}, {left + std::max(width, 1.0F), bar.max.y}, with_alpha(kAccentColor, 0.28F),
                     std::min(3.0F * scale.units, width * 0.3F));
  const float within = std::min(width, 2.0F * scale.units) * 0.5F;
  const float x = std::round(left + std::max(within, width * position.factor));
  list.AddLine({x, bar.min.y}, {x, bar.max.y}, kAccentColor, 2.0F * scale.units);
  const float half = 5.5F * scale.units;
  const float top = bar.min.y - 2.0F * scale.units;
  const ImVec2 handle[] = {{x - half, top},
                           {x + half, top},
                           {x + half, top + 7.0F * scale.units},
                           {x, top + 13.0F * scale.units},
                           {x - half, top + 7.0F * scale.units}};
  list.AddConvexPolyFilled(handle, 5, kAccentColor);
}

RangeGrip grip_at(const TimeScale& scale, const std::optional<FrameRange>& range, float x) {
  if (!range) return RangeGrip::both_ends;
  const float reach = kHandleReach * scale.units;
  const float to_first = std::abs(scale.x(range->first) - x);
  const float to_last = std::abs(scale.x(range->last + 1) - x);
  if (std::min(to_first, to_last) > reach) return RangeGrip::both_ends;
  return to_first < to_last ? RangeGrip::first : RangeGrip::last;
}

/// A click goes there, a drag makes a range or moves an end of it, a double click clears it.
void use_ruler(App& app, const TimeScale& scale, const Rect& ruler) {
  ImGui::SetCursorScreenPos(im(ruler.min));
  ImGui::InvisibleButton("ruler", im(ruler.size()));
  const float mouse = ImGui::GetIO().MousePos.x;
  const std::uint32_t pointed = scale.frame(mouse);
  const std::optional<FrameRange> range = app.playback.clock.range();
  const RangeGrip under = grip_at(scale, range, mouse);
  if (ImGui::IsItemActivated()) {
    app.range_grip = under;
    app.range_anchor = pointed;
  }
  const bool on_end = app.range_grip == RangeGrip::first || app.range_grip == RangeGrip::last;
  if (on_end || (ImGui::IsItemHovered() && under != RangeGrip::both_ends)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  }
  const bool dragged = ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4.0F * scale.units);
  if (ImGui::IsItemActive() && dragged) {
    if (app.range_grip == RangeGrip::both_ends) {
      set_range(app.playback, app.document->character(),
                FrameRange{std::min(app.range_anchor, pointed), std::max(app.range_anchor, pointed)});
    } else if (range && app.range_grip == RangeGrip::first) {
      set_range(app.playback, app.document->character(), FrameRange{std::min(pointed, range->last), range->last});
    } else if (range && app.range_grip == RangeGrip::last) {
      set_range(app.playback, app.document->character(), FrameRange{range->first, std::max(pointed, range->first)});
    }
  } else if (ImGui::IsItemActivated() && under == RangeGrip::both_ends) {
    seek_frame(app.playback, pointed);
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    set_range(app.playback, app.document->character(), std::nullopt);
  if (!ImGui::IsItemActive()) app.range_grip = RangeGrip::none;
}

void use_track(Playback& playback, const TimeScale& scale, const Rect& track, const char* id) {
  ImGui::SetCursorScreenPos(im(track.min));
  ImGui::InvisibleButton(id, im(track.size()));
  if (ImGui::IsItemActive()) seek_frame(playback, scale.frame(ImGui::GetIO().MousePos.x));
}

/// Frame and time under the mouse, and what is there.
void describe_pointed(const Document& document, const TimeScale& scale, const Clip& clip,
                      std::span<const Marker> markers, const Lanes& lanes) {
  const float mouse = ImGui::GetIO().MousePos.x;
  const std::uint32_t pointed = scale.frame(mouse);
  const float x = std::round(scale.x(pointed) + scale.width(pointed) * 0.5F);
  const float half_tooltip = 80.0F * scale.units;
  const float middle =
      std::clamp(x, scale.bar.min.x + half_tooltip, std::max(scale.bar.min.x, scale.bar.max.x - half_tooltip));
  ImGui::SetNextWindowPos({middle, scale.bar.min.y - 4.0F * scale.units}, ImGuiCond_Always, {0.5F, 1.0F});
  ImGui::BeginTooltip();
  ShortText text;
  ImGui::TextUnformatted(write(text, "frame {}, {:.3f} s", pointed, seconds_of_frame(clip, pointed)));
  if (const auto& artwork = document.imported.artwork) name_tags(scale, *artwork, pointed);
  for (const Marker& marker : markers) {
    const bool near = marker.frame == pointed || std::abs(scale.x(marker.frame) - mouse) < 5.0F * scale.units;
    if (!near) continue;
    ImGui::PushStyleColor(ImGuiCol_Text, kWarningColor);
    ImGui::TextUnformatted(marker.name.c_str());
    ImGui::PopStyleColor();
  }
  if (document.selection.bone && !lanes.visible.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, kBoneColor);
    ImGui::Text("%s: %s, zOrder %d", document.character().bones()[*document.selection.bone].name.c_str(),
                run_of_frame(lanes.visible, pointed).value != 0 ? "visible" : "hidden",
                run_of_frame(lanes.z_order, pointed).value);
    ImGui::PopStyleColor();
  }
  ImGui::EndTooltip();
}

void draw_lanes(ImDrawList& list, const TimeScale& scale, const Lanes& lanes, const std::string& bone, float top) {
  draw_lane(list, scale, lanes.visible, top, false);
  draw_lane(list, scale, lanes.z_order, top + kLaneHeight * scale.units, true);
  const Vec2 size = vec(ImGui::CalcTextSize(bone.c_str()));
  list.AddText({scale.bar.max.x - size.x - 6.0F * scale.units, top - size.y}, with_alpha(kBoneColor, 0.8F),
               bone.c_str());
}

}  // namespace

void draw_tags(ImDrawList& list, const TimeScale& scale, const Artwork& artwork, float top) {
  std::array<std::uint32_t, kTagRows> free_from{};
  for (const ArtworkTag& tag : artwork.tags) {
    const auto frames = frames_of(scale, artwork, tag);
    if (!frames) continue;
    const auto free = std::ranges::find_if(free_from, [&](std::uint32_t from) { return from <= frames->first; });
    // Where all rows are taken the last shows the latest.
    const auto row = std::min<std::size_t>(static_cast<std::size_t>(free - free_from.begin()), kTagRows - 1);
    free_from[row] = frames->second + 1;
    draw_tag(list, scale, tag, scale.x(frames->first), scale.x(frames->second + 1),
             top + static_cast<float>(row) * kTagHeight * scale.units);
  }
}

void name_tags(const TimeScale& scale, const Artwork& artwork, std::uint32_t frame) {
  for (const ArtworkTag& tag : artwork.tags) {
    const auto frames = frames_of(scale, artwork, tag);
    if (!frames || frame < frames->first || frame > frames->second) continue;
    ImGui::PushStyleColor(ImGuiCol_Text, color_of(tag));
    std::string text = fmt::format("{}, {}", tag.name, name_of(tag.direction));
    if (tag.repeats > 0) text += tag.repeats == 1 ? ", once" : fmt::format(", {} times", tag.repeats);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
  }
}

void timeline(App& app, const Layout& layout) {
  const Rect bar = timeline_bar(layout);
  if (bar.size().x < 1.0F) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(bar.min), im(bar.max), kWellColor, 4.0F * layout.scale);
  const auto at = playhead(app.playback);
  if (!at) return;
  const Clip* clip = &app.document->character().clips()[at->clip];
  const TimeScale scale{bar, *clip, at->clip, layout.scale};
  const Rect ruler = timeline_ruler(layout);
  const Rect track{{bar.min.x, ruler.max.y}, bar.max};
  const auto markers = app.document->markers->of_clip(at->clip);

  // Neither a mix nor a game has a range: their ruler scrubs as the rest does.
  app.playback.shows_clip() ? use_ruler(app, scale, ruler) : use_track(app.playback, scale, ruler, "ruler");
  const bool on_ruler = ImGui::IsItemHovered();
  use_track(app.playback, scale, track, "track");
  const bool pointed = (on_ruler || ImGui::IsItemHovered()) && !ImGui::IsAnyItemActive();

  list.AddRectFilled(im(ruler.min), im(ruler.max), with_alpha(kControlColor, 0.55F), 4.0F * layout.scale,
                     ImDrawFlags_RoundCornersTop);
  draw_ruler(list, scale, ruler.max.y);
  Lanes lanes;
  if (const auto bone = app.document->selection.bone) {
    find_lanes(*clip, app.document->character().bones().size(), *bone, lanes);
  }
  const float lanes_top = bar.max.y - 2.0F * kLaneHeight * layout.scale;
  if (!lanes.visible.empty()) {
    draw_lanes(list, scale, lanes, app.document->character().bones()[*app.document->selection.bone].name, lanes_top);
  }
  if (const auto& artwork = app.document->imported.artwork) {
    draw_tags(list, scale, *artwork, track.min.y);
  }
  draw_markers(list, scale, markers, track.min.y);
  const Transport& clock = app.playback.clock;
  if (app.playback.shows_clip()) draw_seam(list, scale, clock.played(), clock.effective_mode(), track.min.y);
  if (clock.range() && app.playback.shows_clip()) draw_range(list, scale, *clock.range(), ruler.max.y);
  if (pointed) {
    const std::uint32_t frame = scale.frame(ImGui::GetIO().MousePos.x);
    const float x = std::round(scale.x(frame) + scale.width(frame) * 0.5F);
    list.AddLine({x, bar.min.y}, {x, bar.max.y}, with_alpha(kTextColor, 0.25F));
    describe_pointed(*app.document, scale, *clip, markers, lanes);
  }
  // What the mouse has just changed is shown at once.
  const Playhead now = playhead(app.playback).value_or(*at);
  draw_playhead(list, scale, now.position, app.playback.shows_clip() ? clock.played().first : 0);
}

}  // namespace pchr::player
