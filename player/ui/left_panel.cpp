// SPDX-License-Identifier: MIT
// The left column: one of its tabs.

#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr float kTabGap = 12.0F;

// Distances of the columns' right edges from the panel's right edge, in design units.
constexpr float kFramesColumn = 82.0F;
constexpr float kSecondsColumn = 36.0F;
constexpr float kLoopColumn = 22.0F;
constexpr float kClipNumberWidth = 26.0F;

void text_ending_at(ImDrawList& list, Vec2 right_middle, ImU32 color, const std::string& text) {
  const Vec2 size = vec(ImGui::CalcTextSize(text.c_str()));
  list.AddText(im(right_middle - Vec2{size.x, size.y * 0.5F}), color, text.c_str());
}

void draw_columns(const Rect& panel, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = panel.min.y + kHeadingHeight * 0.5F * scale;
  text_ending_at(list, {panel.max.x - kFramesColumn * scale, middle}, kFaintTextColor, "frames");
  text_ending_at(list, {panel.max.x - kSecondsColumn * scale, middle}, kFaintTextColor, "s");
}

void draw_clip_row(const Clip& clip, std::size_t index, const Rect& row, bool current, bool hovered, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool playable = clip.frame_count > 0;
  const Vec2 inset = Vec2{6.0F, 1.0F} * scale;
  mark_row({row.min + inset, row.max - inset}, current, hovered && playable, scale);
  const float middle = row.center().y;
  const float text_top = middle - ImGui::GetTextLineHeight() * 0.5F;
  const float name_left = row.min.x + (kPadding + kClipNumberWidth) * scale;
  const float name_right = row.max.x - (kFramesColumn + 50.0F) * scale;
  const ImU32 strong = playable ? kTextColor : kFaintTextColor;
  const ImU32 weak = playable ? kDimTextColor : kFaintTextColor;

  text_ending_at(list, {name_left - 8.0F * scale, middle}, current ? kDimTextColor : kFaintTextColor,
                 fmt::format("{}", index + 1));
  list.PushClipRect({name_left, row.min.y}, {name_right, row.max.y}, true);
  list.AddText({name_left, text_top}, strong, clip.name.empty() ? "(no name)" : clip.name.c_str());
  list.PopClipRect();
  text_ending_at(list, {row.max.x - kFramesColumn * scale, middle}, weak, fmt::format("{}", clip.frame_count));
  text_ending_at(list, {row.max.x - kSecondsColumn * scale, middle}, weak,
                 playable ? fmt::format("{:.2f}", clip.duration_seconds()) : "\u2013");
  if (clip.looping) {
    draw_icon(list, Icon::loop, {row.max.x - kLoopColumn * scale, middle}, 15.0F * scale,
              current ? kAccentColor : weak);
  }
}

}  // namespace

void left_panel(App& app, const Layout& layout) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  const bool open = begin_panel("clips", layout.clips);
  ImGui::PopStyleVar();
  if (!open) return;
  const float scale = layout.scale;
  ImGui::SetCursorPos({kPadding * scale, 0.0F});
  const auto mode_tab = [&](const char* title, const char* id, PlaybackMode mode) {
    if (tab(title, nullptr, app.playback.mode() == mode, scale)) set_mode(app, mode);
    if (id != nullptr) command_tooltip(id);
    ImGui::SameLine(0.0F, kTabGap * scale);
  };
  mode_tab("Clips", nullptr, PlaybackMode::clip);
  if (app.document && app.playback.clip) mode_tab("Mix", "mix", PlaybackMode::mix);
  if (app.shows_chara()) mode_tab("Game", "game", PlaybackMode::game);
  switch (app.playback.mode()) {
    case PlaybackMode::clip:
      clips_panel(app, layout);
      break;
    case PlaybackMode::mix:
      mix_panel(app, layout);
      break;
    case PlaybackMode::game:
      game_panel(app, layout);
      break;
  }
  end_panel();
}

void clips_panel(App& app, const Layout& layout) {
  const auto clips = app.document ? app.document->character().clips() : Table<ClipId, Clip>{};
  if (!clips.empty()) {
    draw_columns(layout.clips, layout.scale);
    NameFilter& filter = app.clip_filter;
    ImGui::SetCursorPos({kPadding * layout.scale, kHeadingHeight * layout.scale});
    const float width = layout.clips.size().x - 2.0F * kPadding * layout.scale;
    if (filter_field("##filter", "Find a clip ( / )", filter, width)) {
      const auto found = std::ranges::find_if(
          clips, [&](const Clip& clip) { return clip.frame_count > 0 && passes(filter, clip.name); });
      const auto first = ClipId(found - clips.begin());
      if (found != clips.end()) select_clip(app.playback, app.document->character(), first);
    }
  }
  ImGui::SetCursorPos({0.0F, (kHeadingHeight + kFilterHeight) * layout.scale});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  ImGui::BeginChild("list");
  const float row_height = kClipRowHeight * layout.scale;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const Clip& clip = clips[i];
    if (!passes(app.clip_filter, clip.name)) continue;
    const bool current = app.playback.clip == ClipId(i);
    const Vec2 corner = vec(ImGui::GetCursorScreenPos());
    ImGui::PushID(static_cast<int>(i));
    const bool clicked = ImGui::InvisibleButton("clip", {layout.clips.size().x, row_height});
    ImGui::PopID();
    const Rect row{corner, corner + Vec2{layout.clips.size().x, row_height}};
    draw_clip_row(clip, i, row, current, ImGui::IsItemHovered(), layout.scale);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{8.0F * layout.scale, 6.0F * layout.scale});
    if (ImGui::IsItemHovered()) {
      tooltip(clip.frame_count > 0 ? fmt::format("{}\n{} frames at {} per second{}", clip.name, clip.frame_count,
                                                 clip.frames_per_second, clip.looping ? ", loops" : "")
                                         .c_str()
                                   : fmt::format("{}\nhas no frames and cannot play", clip.name).c_str());
    }
    ImGui::PopStyleVar();
    if (clicked) select_clip(app.playback, app.document->character(), ClipId(i));
    if (current && app.playback.reveal_clip && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
  }
  app.playback.reveal_clip = false;
  if (app.document && clips.empty()) {
    ImGui::SetCursorPosX(kPadding * layout.scale);
    note("This character has no clips.\n");
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace pchr::player
