// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr ImGuiWindowFlags kBarFlags = ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus;
constexpr float kBarWidth = 680.0F;
constexpr float kMinWidthWithModes = 500.0F;  ///< A narrower bar has a drop-down list of modes.
constexpr std::array kCompareModes{"Side by side", "Wipe", "Difference"};
constexpr float kGrip = 6.0F;  ///< Width on either side of the divider.

/// Draws a label at the bottom of one side, next to the divider.
void side_label(const Rect& side, const std::string& text, bool first, float scale) {
  const Vec2 padding = Vec2{9.0F, 5.0F} * scale;
  const Vec2 size = text_size(text) + padding * 2.0F;
  const float gap = 10.0F * scale;
  const Vec2 corner{first ? side.max.x - gap - size.x : side.min.x + gap, side.max.y - gap - size.y};
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect(side.min, side.max);
  list.AddRectFilled(corner, corner + size, with_alpha(kPanelColor, 0.9F), 6.0F * scale);
  list.AddText(corner + padding, first ? kTextColor : kAccentColor, text.c_str());
  list.PopClipRect();
}

std::string label_of(const std::string& file, const Character& character, std::optional<ClipId> clip) {
  return clip ? file + " \u2013 " + character.clips()[*clip].name : file;
}

/// Handles the divider: dragging moves it, a double click centers it.
void divider(App& app, const Rect& canvas, float at, float scale) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const bool wipe = app.comparison.mode == CompareMode::wipe;
  bool held = false;
  if (wipe) {
    const Rect grip{{at - kGrip * scale, canvas.min.y}, {at + kGrip * scale, canvas.max.y}};
    begin_popup("divider", grip, Vec2{0.0F}, 0.0F, kBarFlags | ImGuiWindowFlags_NoBackground);
    const Spot handle = spot("grip", grip.size());
    held = handle.hovered || handle.active;
    if (held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (handle.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      app.comparison.divider = 0.5F;
    } else if (handle.active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1.0F)) {
      const float along = (ImGui::GetIO().MousePos.x - canvas.min.x) / canvas.size().x;
      app.comparison.divider = std::clamp(along, 0.0F, 1.0F);
    }
    ImGui::End();
  }
  const float width = std::max(1.0F, std::round(scale * (held ? 2.0F : 1.0F)));
  list.AddRectFilled({at - width, canvas.min.y}, {at + width, canvas.max.y}, kBorderColor);
  list.AddRectFilled({at - width * 0.5F, canvas.min.y}, {at + width * 0.5F, canvas.max.y},
                     wipe ? kAccentColor : kControlActive);
  if (!wipe) return;
  const Vec2 middle{at, canvas.center().y};
  const Vec2 handle = Vec2{7.0F, 16.0F} * scale;
  list.AddRectFilled(middle - handle, middle + handle, kAccentColor, handle.x);
  for (const float side : {-1.0F, 1.0F}) {
    draw_triangle(list, middle + Vec2{side * 1.5F * scale, 0.0F}, 3.5F * scale, side * 3.0F * scale, kAccentText);
  }
}

/// Lets the user choose this file, another one, or one of the files opened together.
void choose_file(App& app, float width) {
  if (!begin_combo("##file", second_name(app).c_str(), width)) return;
  const Comparison& comparison = app.comparison;
  const auto item = [](const std::string& name, bool current) {
    ImGui::PushID(name.c_str());
    const bool chosen = selectable(name, current);
    ImGui::PopID();
    return chosen;
  };
  if (item("This file", !compares_files(app))) compare_file(app, std::nullopt);
  if (app.previous && item("Previous save", comparison.with_previous) && !comparison.with_previous) {
    run_command(app, "compare-previous");
  }
  if (comparison.file && !comparison.with_previous) item(second_name(app), true);
  for (std::size_t i = 0; i < app.cast.entries.size(); ++i) {
    const std::filesystem::path path = app.cast.entries[i].path;
    if (path == app.document->path || (comparison.file && path == comparison.file->path)) continue;
    ImGui::PushID(static_cast<int>(i));
    if (item(shown_path(path.filename()), false)) open_to_compare(app.files, path);
    ImGui::PopID();
  }
  ImGui::Separator();
  if (item("Other file...", false)) open_browser(app.browser, app.files, BrowseFor::comparison);
  ImGui::EndCombo();
}

void choose_clip_of_second(App& app, float width) {
  const auto clips = second_document(app).character().clips();
  const auto shown = app.comparison.clip;
  const auto chosen = combo("##clip", shown ? clips[*shown].name.c_str() : "bind pose", width, clips.size(),
                            shown ? std::optional(index(*shown)) : std::nullopt,
                            [&](std::size_t i) { return clips[i].frame_count > 0 ? clips[i].name.c_str() : nullptr; });
  if (chosen) compare_clip(app, ClipId(*chosen));
}

void choose_mode(App& app, bool as_list, float width) {
  auto mode = static_cast<std::size_t>(app.comparison.mode) - 1;
  if (as_list) {
    mode = combo("##mode", kCompareModes[mode], width, kCompareModes.size(), mode, [](std::size_t i) {
             return kCompareModes[i];
           }).value_or(mode);
  } else {
    segmented("mode", kCompareModes, mode, width);
  }
  if (const auto chosen = static_cast<CompareMode>(mode + 1); chosen != app.comparison.mode) {
    set_compare_mode(app, chosen);
  }
}

void compare_choices(App& app, const Rect& canvas, float scale) {
  const float width = std::min(canvas.size().x - 20.0F * scale, kBarWidth * scale);
  const Vec2 padding = Vec2{8.0F, 6.0F} * scale;
  const float height = ImGui::GetFrameHeight() + padding.y * 2.0F;
  if (width < 380.0F * scale || height * 2.0F > canvas.size().y) return;
  const Vec2 corner{canvas.center().x - width * 0.5F, canvas.min.y + 10.0F * scale};
  ImGui::SetNextWindowBgAlpha(0.94F);
  begin_popup("compare", {corner, corner + Vec2{width, height}}, padding, 8.0F * scale, kBarFlags);
  const float gap = 6.0F * scale;
  const Vec2 button{28.0F * scale, ImGui::GetFrameHeight()};
  const bool lists = width < kMinWidthWithModes * scale;
  const float modes = (lists ? 104.0F : 256.0F) * scale;
  choose_mode(app, lists, modes);
  const float combo = (width - padding.x * 2.0F - modes - button.x * 2.0F - gap * 4.0F) * 0.5F;
  ImGui::SameLine(0.0F, gap);
  choose_file(app, combo);
  ImGui::SameLine(0.0F, gap);
  choose_clip_of_second(app, combo);
  ImGui::SameLine(0.0F, gap);
  command_button(app, "swap", Icon::swap, button);
  ImGui::SameLine(0.0F, gap);
  if (icon_button("end", Icon::close, button, "Stop comparing")) set_compare_mode(app, CompareMode::off);
  ImGui::End();
}

}  // namespace

void compare_bar(App& app, const Layout& layout, const Canvas& canvas) {
  if (!comparing(app)) return;
  const float scale = layout.scale;
  const Sides sides = sides_of(app, canvas);
  const Document& document = *app.document;
  const std::string first = label_of(document.name(), document.character(), app.playback.clip);
  const std::string second = label_of(second_name(app), second_document(app).character(), app.comparison.clip);
  if (app.comparison.mode == CompareMode::difference) {
    const Rect left_half{canvas.area.min, {canvas.area.center().x, canvas.area.max.y}};
    side_label(left_half, first, true, scale);
    side_label({{left_half.max.x, canvas.area.min.y}, canvas.area.max}, second, false, scale);
  } else {
    side_label(sides.first_shown, first, true, scale);
    side_label(sides.second_shown, second, false, scale);
    divider(app, canvas.area, sides.second_shown.min.x, scale);
  }
  compare_choices(app, canvas.area, scale);
}

}  // namespace pchr::player
