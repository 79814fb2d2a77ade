// SPDX-License-Identifier: MIT
// The list of clips.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pchr::player {
namespace {

// Distances of the columns' right edges from the panel's right edge, in design units.
constexpr float kFramesColumn = 82.0F;
constexpr float kSecondsColumn = 36.0F;
constexpr float kLoopColumn = 22.0F;
constexpr float kNumberWidth = 26.0F;

void text_ending_at(ImDrawList& list, Vec2 right_middle, ImU32 colour, const std::string& text) {
  const Vec2 size = vec(ImGui::CalcTextSize(text.c_str()));
  list.AddText(im(right_middle - Vec2{size.x, size.y * 0.5F}), colour, text.c_str());
}

void draw_columns(const Rect& panel, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = panel.min.y + kHeadingHeight * 0.5F * scale;
  text_ending_at(list, {panel.max.x - kFramesColumn * scale, middle}, kFaintTextColour, "frames");
  text_ending_at(list, {panel.max.x - kSecondsColumn * scale, middle}, kFaintTextColour, "s");
}

/// The filter. Enter shows the first clip that is left in the list.
void filter_field(Session& session, std::span<const Clip> clips, const Layout& layout) {
  NameFilter& filter = session.clip_filter;
  const float scale = layout.scale;
  ImGui::SetCursorPos({kPadding * scale, kHeadingHeight * scale});
  ImGui::SetNextItemWidth(layout.clips.size().x - 2.0F * kPadding * scale);
  if (filter.focus) ImGui::SetKeyboardFocusHere();
  filter.focus = false;
  ImGui::PushStyleColor(ImGuiCol_FrameBg, kWellColour);
  const bool entered = ImGui::InputTextWithHint("##filter", "Find a clip ( / )", filter.text.data(), filter.text.size(),
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleColor();
  if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) filter.text[0] = '\0';
  if (!entered) return;
  const auto found =
      std::ranges::find_if(clips, [&](const Clip& clip) { return clip.frame_count > 0 && passes(filter, clip.name); });
  if (found != clips.end()) select_clip(session, static_cast<std::uint32_t>(found - clips.begin()));
}

void draw_row(const Clip& clip, std::size_t index, const Rect& row, bool current, bool hovered, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool playable = clip.frame_count > 0;
  const Vec2 inset = Vec2{6.0F, 1.0F} * scale;
  if (current || (hovered && playable)) {
    list.AddRectFilled(im(row.min + inset), im(row.max - inset), current ? kControlActive : kControlColour,
                       5.0F * scale);
  }
  if (current) {
    const Vec2 mark = row.min + inset;
    list.AddRectFilled(im(mark), im(mark + Vec2{3.0F * scale, row.size().y - 2.0F * inset.y}), kAccentColour,
                       2.0F * scale);
  }
  const float middle = row.centre().y;
  const float text_top = middle - ImGui::GetTextLineHeight() * 0.5F;
  const float name_left = row.min.x + (kPadding + kNumberWidth) * scale;
  const float name_right = row.max.x - (kFramesColumn + 50.0F) * scale;
  const ImU32 strong = playable ? kTextColour : kFaintTextColour;
  const ImU32 weak = playable ? kDimTextColour : kFaintTextColour;

  text_ending_at(list, {name_left - 8.0F * scale, middle}, current ? kDimTextColour : kFaintTextColour,
                 fmt::format("{}", index + 1));
  list.PushClipRect({name_left, row.min.y}, {name_right, row.max.y}, true);
  list.AddText({name_left, text_top}, strong, clip.name.empty() ? "(no name)" : clip.name.c_str());
  list.PopClipRect();
  text_ending_at(list, {row.max.x - kFramesColumn * scale, middle}, weak, fmt::format("{}", clip.frame_count));
  text_ending_at(list, {row.max.x - kSecondsColumn * scale, middle}, weak,
                 playable ? fmt::format("{:.2f}", clip.duration_seconds()) : "\u2013");
  if (clip.looping) {
    draw_icon(list, Icon::loop, {row.max.x - kLoopColumn * scale, middle}, 15.0F * scale,
              current ? kAccentColour : weak);
  }
}

}  // namespace

void clips_panel(Session& session, const Layout& layout) {
  const auto clips = session.document ? session.document->character().clips() : std::span<const Clip>{};
  if (!clips.empty()) {
    draw_columns(layout.clips, layout.scale);
    filter_field(session, clips, layout);
  }
  ImGui::SetCursorPos({0.0F, (kHeadingHeight + kFilterHeight) * layout.scale});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  ImGui::BeginChild("list");
  const float row_height = kClipRowHeight * layout.scale;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const Clip& clip = clips[i];
    if (!passes(session.clip_filter, clip.name)) continue;
    const bool current = session.document->clip == i;
    const Vec2 corner = vec(ImGui::GetCursorScreenPos());
    ImGui::PushID(static_cast<int>(i));
    const bool clicked = ImGui::InvisibleButton("clip", {layout.clips.size().x, row_height});
    ImGui::PopID();
    const Rect row{corner, corner + Vec2{layout.clips.size().x, row_height}};
    draw_row(clip, i, row, current, ImGui::IsItemHovered(), layout.scale);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{8.0F * layout.scale, 6.0F * layout.scale});
    if (ImGui::IsItemHovered()) {
      tooltip(clip.frame_count > 0 ? fmt::format("{}\n{} frames at {} per second{}", clip.name, clip.frame_count,
                                                 clip.frames_per_second, clip.looping ? ", loops" : "")
                                         .c_str()
                                   : fmt::format("{}\nhas no frames and cannot play", clip.name).c_str());
    }
    ImGui::PopStyleVar();
    if (clicked) select_clip(session, static_cast<std::uint32_t>(i));
    if (current && session.reveal_clip && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
  }
  session.reveal_clip = false;
  if (session.document && clips.empty()) {
    ImGui::SetCursorPosX(kPadding * layout.scale);
    note("This character has no clips.\n");
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace pchr::player
