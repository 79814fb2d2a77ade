// SPDX-License-Identifier: MIT
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr float kTabGap = 12.0F;

// Design units.
constexpr float kLoopColumn = 22.0F;     ///< From the icon's center to the panel's edge.
constexpr float kSecondsColumn = 36.0F;  ///< From the column's right edge to the panel's.
constexpr float kColumnGap = 10.0F;
constexpr float kClipNumberWidth = 26.0F;
constexpr float kMinNameWidth = 70.0F;

void text_ending_at(Vec2 right_middle, ImU32 color, std::string_view text) {
  text_at(right_middle, {1.0F, 0.5F}, color, text);
}

/// Distances of the columns' right edges from the panel's, in window units. Columns that do not fit are dropped.
struct ClipColumns {
  float name = 0.0F;
  std::optional<float> frames{}, seconds{};
};

std::string seconds_text(const Clip& clip) {
  return clip.frame_count > 0 ? fmt::format("{:.2f}", clip.duration_seconds()) : "\u2013";
}

/// Makes room for the longest numbers.
ClipColumns columns_for(Table<ClipId, Clip> clips, float width, float scale) {
  const auto digits = [](const auto& number) { return text_size(number).x; };
  std::uint32_t frames = 0;
  double seconds = 0.0;
  for (const Clip& clip : clips) {
    frames = std::max(frames, clip.frame_count);
    if (clip.frame_count > 0) seconds = std::max(seconds, clip.duration_seconds());
  }
  const float gap = kColumnGap * scale;
  const float seconds_width = std::max(digits(fmt::format("{:.2f}", seconds)), text_size("s").x) + gap;
  const float frames_width = std::max(digits(fmt::format("{}", frames)), text_size("frames").x) + gap;
  ClipColumns columns{.name = kSecondsColumn * scale};
  const auto add = [&](float wide) -> std::optional<float> {
    const float left = (kPadding + kClipNumberWidth + kMinNameWidth) * scale;
    if (width - left < columns.name + wide) return std::nullopt;
    return std::exchange(columns.name, columns.name + wide);
  };
  columns.seconds = add(seconds_width);
  columns.frames = add(frames_width);
  return columns;
}

void draw_clip_row(const Clip& clip, std::size_t index, const Rect& row, const ClipColumns& columns, bool current,
                   bool hovered, float scale) {
  const bool playable = clip.frame_count > 0;
  const Vec2 inset = Vec2{6.0F, 1.0F} * scale;
  mark_row({row.min + inset, row.max - inset}, current, hovered && playable, scale);
  const float middle = row.center().y;
  const Rect name{{row.min.x + (kPadding + kClipNumberWidth) * scale, row.min.y},
                  {row.max.x - columns.name, row.max.y}};
  const ImU32 strong = playable ? kTextColor : kFaintTextColor;
  const ImU32 weak = playable ? kDimTextColor : kFaintTextColor;

  text_ending_at({name.min.x - 8.0F * scale, middle}, current ? kDimTextColor : kFaintTextColor,
                 fmt::format("{}", index + 1));
  text_in(name, strong, clip.name.empty() ? "(unnamed)" : clip.name);
  if (columns.frames) {
    text_ending_at({row.max.x - *columns.frames, middle}, weak, fmt::format("{}", clip.frame_count));
  }
  if (columns.seconds) text_ending_at({row.max.x - *columns.seconds, middle}, weak, seconds_text(clip));
  if (!clip.looping) return;
  draw_icon(Icon::loop, {row.max.x - kLoopColumn * scale, middle}, 15.0F * scale, current ? kAccentColor : weak);
}

/// Names the columns, as far as the tabs leave room, which end at `tabs`.
void clips_header(App& app, Table<ClipId, Clip> clips, const ClipColumns& columns, const Rect& panel, float tabs,
                  float scale) {
  const float middle = panel.min.y + kHeadingHeight * 0.5F * scale;
  const auto title = [&](std::optional<float> column, const char* text) {
    if (!column || panel.max.x - *column - text_size(text).x < tabs + kColumnGap * scale) return;
    text_ending_at({panel.max.x - *column, middle}, kFaintTextColor, text);
  };
  title(columns.frames, "frames");
  title(columns.seconds, "s");
  ImGui::SetCursorPos({kPadding * scale, kHeadingHeight * scale});
  const float width = panel.size().x - 2.0F * kPadding * scale;
  if (!filter_field("##filter", "Find a clip (/)", app.clip_filter, width)) return;
  const auto found = std::ranges::find_if(
      clips, [&](const Clip& clip) { return clip.frame_count > 0 && passes(app.clip_filter, clip.name); });
  if (found != clips.end()) select_clip(app.playback, app.document->character(), ClipId(found - clips.begin()));
}

void clip_tooltip(const Clip& clip, float scale) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{8.0F * scale, 6.0F * scale});
  tooltip(clip.frame_count > 0 ? fmt::format("{}\n{} frames at {} per second{}", clip.name, clip.frame_count,
                                             clip.frames_per_second, clip.looping ? ", loops" : "")
                               : fmt::format("{}\nNo frames", clip.name));
  ImGui::PopStyleVar();
}

void clips_panel(App& app, const Layout& layout, float tabs) {
  const float scale = layout.scale;
  const auto clips = app.document ? app.document->character().clips() : Table<ClipId, Clip>{};
  const ClipColumns columns = columns_for(clips, layout.clips.size().x, scale);
  if (!clips.empty()) clips_header(app, clips, columns, layout.clips, tabs, scale);
  ImGui::SetCursorPos({0.0F, (kHeadingHeight + kFilterHeight) * scale});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  ImGui::BeginChild("list");
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const Clip& clip = clips[i];
    if (!passes(app.clip_filter, clip.name)) continue;
    const bool current = app.playback.clip == ClipId(i);
    const Spot row = spot("clip", {layout.clips.size().x, kClipRowHeight * scale}, i);
    draw_clip_row(clip, i, row.area, columns, current, row.hovered, scale);
    if (row.hovered) clip_tooltip(clip, scale);
    if (row.clicked) select_clip(app.playback, app.document->character(), ClipId(i));
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) open_menu(app, {.on = MenuOn::clip, .clip = ClipId(i)});
    if (current && app.playback.reveal_clip && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
  }
  app.playback.reveal_clip = false;
  if (app.document && clips.empty()) {
    ImGui::SetCursorPosX(kPadding * scale);
    note("This character has no clips.\n");
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

void left_panel(App& app, const Layout& layout) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  const bool open = begin_panel("clips", layout.clips, layout.is_over(Dock::left));
  ImGui::PopStyleVar();
  if (!open) return;
  const float scale = layout.scale;
  ImGui::SetCursorPos({kPadding * scale, 0.0F});
  const bool rigging = is_rigging(app);
  const auto mode_tab = [&](const char* title, const char* id, PlaybackMode mode) {
    if (tab(title, !rigging && app.playback.mode() == mode, scale)) {
      app.view.rig = false;
      set_mode(app, mode);
    }
    if (id != nullptr) command_tooltip(id);
    ImGui::SameLine(0.0F, kTabGap * scale);
  };
  mode_tab("Clips", nullptr, PlaybackMode::clip);
  if (app.document && app.playback.clip) mode_tab("Mix", "mix", PlaybackMode::mix);
  if (app.shows_chara()) mode_tab("Game", "game", PlaybackMode::game);
  if (can_rig(app)) {
    if (tab(has_unsaved_changes(app.document->rig) ? "Rig*" : "Rig", rigging, scale)) app.view.rig = true;
    command_tooltip("rig");
  }
  const float tabs = ImGui::GetItemRectMax().x;
  if (!rigging && app.playback.mode() == PlaybackMode::clip) {
    clips_panel(app, layout, tabs);
  } else {
    const bool mixes = app.playback.mode() == PlaybackMode::mix;
    ImGui::SetCursorPos({kPadding * scale, kHeadingHeight * scale});
    const Vec2 size = layout.clips.size() - Vec2{kPadding, kHeadingHeight + kPadding} * scale;
    ImGui::BeginChild(rigging ? "rig" : mixes ? "mix" : "game", size);
    const float width = size.x - kPadding * scale;  // The scroll bar uses the padding.
    rigging ? rig_panel(app, width, scale) : mixes ? mix_panel(app, width, scale) : game_panel(app, width, scale);
    ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace pchr::player
