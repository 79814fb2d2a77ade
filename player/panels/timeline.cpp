// SPDX-License-Identifier: MIT
// The timeline: a ruler for ranges, and below it a track to scrub with the playhead, markers and lanes.
#include "panels/panels.hpp"
#include "panels/timeline_tags.hpp"
#include "text.hpp"
#include "widgets.hpp"

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

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
  const std::uint32_t labelled = tick_step(scale.width(), 48.0F * scale.units);
  const std::uint32_t ticked = tick_step(scale.width(), 6.0F * scale.units);
  const float text_top = scale.bar.min.y + (bottom - scale.bar.min.y - ImGui::GetTextLineHeight()) * 0.5F;
  float free_from = 0.0F;  // Frames of uneven length may stand closer than the step is wide.
  for (std::uint32_t frame = 0; frame < scale.count(); frame += ticked) {
    const float x = std::floor(scale.x(frame)) + 0.5F;
    const bool label = frame % labelled == 0;
    if (!label) {
      list.AddLine({x, bottom - 5.0F * scale.units}, {x, bottom}, kFaintTextColour);
      continue;
    }
    list.AddLine({x, bottom - 11.0F * scale.units}, {x, bottom}, kDimTextColour);
    list.AddLine({x, bottom}, {x, scale.bar.max.y}, with_alpha(kFaintTextColour, 0.35F));
    ShortText text;
    const char* number = write(text, "{}", frame);
    const float left = x + 4.0F * scale.units;
    const float right = left + ImGui::CalcTextSize(number).x;
    if (left < free_from || right >= scale.bar.max.x) continue;
    list.AddText({left, text_top}, kDimTextColour, number);
    free_from = right;
  }
}

/// Darkens what is not played and marks the range's ends as handles.
void draw_range(ImDrawList& list, const TimeScale& scale, const FrameRange& range, float ruler_bottom) {
  const float first = std::round(scale.x(range.first));
  const float last = std::round(scale.x(range.last + 1));
  const Rect& bar = scale.bar;
  const float rounding = 4.0F * scale.units;
  list.AddRectFilled(im(bar.min), {first, bar.max.y}, with_alpha(kBorderColour, 0.6F), rounding,
                     ImDrawFlags_RoundCornersLeft);
  list.AddRectFilled({last, bar.min.y}, im(bar.max), with_alpha(kBorderColour, 0.6F), rounding,
                     ImDrawFlags_RoundCornersRight);
  list.AddRectFilled({first, bar.min.y}, {last, ruler_bottom}, with_alpha(kBoneColour, 0.22F));
  const float thick = 4.0F * scale.units;
  list.AddRectFilled({first, bar.min.y}, {first + thick, ruler_bottom}, kBoneColour, thick * 0.5F);
  list.AddRectFilled({last - thick, bar.min.y}, {last, ruler_bottom}, kBoneColour, thick * 0.5F);
  list.AddLine({first, ruler_bottom}, {first, bar.max.y}, with_alpha(kBoneColour, 0.5F));
  list.AddLine({last - 1.0F, ruler_bottom}, {last - 1.0F, bar.max.y}, with_alpha(kBoneColour, 0.5F));
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
      list.AddLine({x, y}, {x, y + dash}, with_alpha(kAccentColour, 0.75F), 1.5F * scale.units);
    }
    const float base = mode == LoopMode::loop && x != ends[0] ? x + inwards * 1.6F : x + inwards * 0.5F;
    const float tip = mode == LoopMode::loop && x != ends[0] ? base - inwards : base + inwards;
    const ImVec2 up{base, middle - size * 0.8F};
    const ImVec2 down{base, middle + size * 0.8F};
    tip > base ? list.AddTriangleFilled(up, {tip, middle}, down, with_alpha(kAccentColour, 0.75F))
               : list.AddTriangleFilled(up, down, {tip, middle}, with_alpha(kAccentColour, 0.75F));
  }
}

void draw_markers(ImDrawList& list, const TimeScale& scale, std::span<const Marker> markers, float top) {
  for (const Marker& marker : markers) {
    const float x = std::round(scale.x(marker.frame));
    const float height = 8.0F * scale.units;
    const float pole = top + kFlagHeight * scale.units;
    list.AddLine({x + 0.5F, top + 1.0F}, {x + 0.5F, pole}, kWarningColour);
    list.AddTriangleFilled({x, top + 1.0F}, {x + height, top + 1.0F + height * 0.5F}, {x, top + 1.0F + height},
                           kWarningColour);
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
    list.AddRectFilled({left, top}, {right - gap, bottom}, with_alpha(kBoneColour, strength), 2.0F * scale.units);
    if (!numbers) continue;
    ShortText text;
    const char* number = write(text, "{}", run.value);
    const Vec2 size = vec(ImGui::CalcTextSize(number));
    if (size.x + 8.0F * scale.units > right - left) continue;
    list.AddText({left + 4.0F * scale.units, (top + bottom - size.y) * 0.5F}, kDimTextColour, number);
  }
}

void draw_playhead(ImDrawList& list, const TimeScale& scale, const FramePosition& position, std::uint32_t first) {
  const Rect& bar = scale.bar;
  const float width = scale.width(position.frame);
  const float left = scale.x(position.frame);
  const float from = scale.x(first);
  list.AddRectFilled({from, bar.min.y}, {left, bar.max.y}, with_alpha(kAccentColour, 0.08F));
  list.AddRectFilled({left, bar.min.y}, {left + std::max(width, 1.0F), bar.max.y}, with_alpha(kAccentColour, 0.28F),
                     std::min(3.0F * scale.units, width * 0.3F));
  const float within = std::min(width, 2.0F * scale.units) * 0.5F;
  const float x = std::round(left + std::max(within, width * position.factor));
  list.AddLine({x, bar.min.y}, {x, bar.max.y}, kAccentColour, 2.0F * scale.units);
  const float half = 5.5F * scale.units;
  const float top = bar.min.y - 2.0F * scale.units;
  const ImVec2 handle[] = {{x - half, top},
                           {x + half, top},
                           {x + half, top + 7.0F * scale.units},
                           {x, top + 13.0F * scale.units},
                           {x - half, top + 7.0F * scale.units}};
  list.AddConvexPolyFilled(handle, 5, kAccentColour);
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
void use_ruler(Session& session, const TimeScale& scale, const Rect& ruler) {
  Timeline& state = session.timeline;
  ImGui::SetCursorScreenPos(im(ruler.min));
  ImGui::InvisibleButton("ruler", im(ruler.size()));
  const float mouse = ImGui::GetIO().MousePos.x;
  const std::uint32_t pointed = scale.frame(mouse);
  const std::optional<FrameRange> range = session.document->clock.range();
  const RangeGrip under = grip_at(scale, range, mouse);
  if (ImGui::IsItemActivated()) {
    state.grip = under;
    state.anchor = pointed;
  }
  const bool on_end = state.grip == RangeGrip::first || state.grip == RangeGrip::last;
  if (on_end || (ImGui::IsItemHovered() && under != RangeGrip::both_ends)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  }
  const bool dragged = ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4.0F * scale.units);
  if (ImGui::IsItemActive() && dragged) {
    if (state.grip == RangeGrip::both_ends) {
      set_range(session, FrameRange{std::min(state.anchor, pointed), std::max(state.anchor, pointed)});
    } else if (range && state.grip == RangeGrip::first) {
      set_range(session, FrameRange{std::min(pointed, range->last), range->last});
    } else if (range && state.grip == RangeGrip::last) {
      set_range(session, FrameRange{range->first, std::max(pointed, range->first)});
    }
  } else if (ImGui::IsItemActivated() && under == RangeGrip::both_ends) {
    seek_frame(session, pointed);
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) set_range(session, std::nullopt);
  if (!ImGui::IsItemActive()) state.grip = RangeGrip::none;
}

void use_track(Session& session, const TimeScale& scale, const Rect& track, const char* id) {
  ImGui::SetCursorScreenPos(im(track.min));
  ImGui::InvisibleButton(id, im(track.size()));
  if (ImGui::IsItemActive()) seek_frame(session, scale.frame(ImGui::GetIO().MousePos.x));
}

/// Frame and time under the mouse, and what is there.
void describe_pointed(const Session& session, const TimeScale& scale, const Clip& clip,
                      std::span<const Marker> markers) {
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
  if (const auto& artwork = session.document->character().data().artwork) name_tags(scale, *artwork, pointed);
  for (const Marker& marker : markers) {
    const bool near = marker.frame == pointed || std::abs(scale.x(marker.frame) - mouse) < 5.0F * scale.units;
    if (!near) continue;
    ImGui::PushStyleColor(ImGuiCol_Text, kWarningColour);
    ImGui::TextUnformatted(marker.name.c_str());
    ImGui::PopStyleColor();
  }
  const Lanes& lanes = session.timeline.lanes;
  if (session.selection.bone && !lanes.visible.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, kBoneColour);
    ImGui::Text("%s: %s, zOrder %d", session.document->character().bones()[*session.selection.bone].name.c_str(),
                run_of_frame(lanes.visible, pointed).value != 0 ? "visible" : "hidden",
                run_of_frame(lanes.z_order, pointed).value);
    ImGui::PopStyleColor();
  }
  ImGui::EndTooltip();
}

/// The lanes of the selected bone, found anew only where bone or clip changed.
const Lanes& lanes_of_selection(Session& session, const Clip& clip) {
  Timeline& state = session.timeline;
  if (!session.selection.bone) {
    state.lanes = {};
    state.lanes_clip = nullptr;
    return state.lanes;
  }
  if (state.lanes_clip != &clip || state.lanes_bone != *session.selection.bone ||
      state.lanes_file != session.files_opened) {
    find_lanes(clip, session.document->character().bones().size(), *session.selection.bone, state.lanes);
    state.lanes_clip = &clip;
    state.lanes_bone = *session.selection.bone;
    state.lanes_file = session.files_opened;
  }
  return state.lanes;
}

void draw_lanes(ImDrawList& list, const TimeScale& scale, const Lanes& lanes, const std::string& bone, float top) {
  draw_lane(list, scale, lanes.visible, top, false);
  draw_lane(list, scale, lanes.z_order, top + kLaneHeight * scale.units, true);
  const Vec2 size = vec(ImGui::CalcTextSize(bone.c_str()));
  list.AddText({scale.bar.max.x - size.x - 6.0F * scale.units, top - size.y}, with_alpha(kBoneColour, 0.8F),
               bone.c_str());
}

}  // namespace

void timeline(Session& session, const Layout& layout) {
  const Rect bar = timeline_bar(layout);
  if (bar.size().x < 1.0F) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(bar.min), im(bar.max), kWellColour, 4.0F * layout.scale);
  const auto at = playhead(session);
  if (!at) return;
  const Clip* clip = &session.document->character().clips()[at->clip];
  const TimeScale scale{bar, *clip, at->clip, layout.scale};
  const Rect ruler = timeline_ruler(layout);
  const Rect track{{bar.min.x, ruler.max.y}, bar.max};
  const auto markers = session.timeline.markers->of_clip(at->clip);

  // Neither a mix nor a game has a range: their ruler scrubs as the rest does.
  shows_clip(session) ? use_ruler(session, scale, ruler) : use_track(session, scale, ruler, "ruler");
  const bool on_ruler = ImGui::IsItemHovered();
  use_track(session, scale, track, "track");
  const bool pointed = (on_ruler || ImGui::IsItemHovered()) && !ImGui::IsAnyItemActive();

  list.AddRectFilled(im(ruler.min), im(ruler.max), with_alpha(kControlColour, 0.55F), 4.0F * layout.scale,
                     ImDrawFlags_RoundCornersTop);
  draw_ruler(list, scale, ruler.max.y);
  const Lanes& lanes = lanes_of_selection(session, *clip);
  const float lanes_top = bar.max.y - 2.0F * kLaneHeight * layout.scale;
  if (!lanes.visible.empty()) {
    draw_lanes(list, scale, lanes, session.document->character().bones()[*session.selection.bone].name, lanes_top);
  }
  if (const auto& artwork = session.document->character().data().artwork) {
    draw_tags(list, scale, *artwork, track.min.y);
  }
  draw_markers(list, scale, markers, track.min.y);
  const Transport& clock = session.document->clock;
  if (shows_clip(session)) draw_seam(list, scale, clock.played(), clock.effective_mode(), track.min.y);
  if (clock.range() && shows_clip(session)) draw_range(list, scale, *clock.range(), ruler.max.y);
  if (pointed) {
    const std::uint32_t frame = scale.frame(ImGui::GetIO().MousePos.x);
    const float x = std::round(scale.x(frame) + scale.width(frame) * 0.5F);
    list.AddLine({x, bar.min.y}, {x, bar.max.y}, with_alpha(kTextColour, 0.25F));
    describe_pointed(session, scale, *clip, markers);
  }
  // What the mouse has just changed is shown at once.
  const Playhead now = playhead(session).value_or(*at);
  draw_playhead(list, scale, now.position, shows_clip(session) ? clock.played().first : 0);
}

}  // namespace pchr::player
