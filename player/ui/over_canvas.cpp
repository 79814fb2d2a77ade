// SPDX-License-Identifier: MIT
// What lies over the canvas: the bar of a comparison, the edges of the docks, and messages.
#include "ui/app.hpp"
#include "ui/commands.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr ImGuiWindowFlags kBarFlags = ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus;
constexpr float kBarWidth = 680.0F;
constexpr float kMinWidthWithModes = 500.0F;  ///< A narrower bar has a drop-down list of modes.
constexpr std::array kCompareModes{"Side by side", "Wipe", "Difference"};

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
  if (app.find(Role::previous) && item("Previous save", comparison.with_previous) && !comparison.with_previous) {
    run_command(app, "compare-previous");
  }
  const Actor* const compared = app.find(Role::compared);
  if (compared != nullptr && !comparison.with_previous) item(second_name(app), true);
  for (std::size_t i = 0; i < app.cast.entries.size(); ++i) {
    const std::filesystem::path path = app.cast.entries[i].path;
    if (path == app.document()->path || (compared != nullptr && path == compared->document.path)) continue;
    ImGui::PushID(static_cast<int>(i));
    if (item(shown_path(path.filename()), false)) open_to_compare(app.requests, path);
    ImGui::PopID();
  }
  ImGui::Separator();
  if (item("Other file...", false)) open_browser(app.browser, app.requests, BrowseFor::comparison);
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
  const Document& document = *app.document();
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

namespace {

constexpr ImGuiWindowFlags kStripFlags =
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
constexpr float kMaxDockSize = 4000.0F;  ///< Design units.

struct DockNames {
  const char *handle, *edge, *tab, *command;
};
constexpr std::array<DockNames, kDocks.size()> kNames{{{"left handle", "left edge", "left tab", "left-panels"},
                                                       {"right handle", "right edge", "right tab", "right-panels"},
                                                       {"bottom handle", "bottom edge", "bottom tab", "timeline"}}};

/// Draws an arrow that points away from the canvas to fold a dock, or toward it to open one.
void arrow(Dock dock, bool folds, const Rect& area, ImU32 color, float scale) {
  const Vec2 outward = dock == Dock::left    ? Vec2{-1.0F, 0.0F}
                       : dock == Dock::right ? Vec2{1.0F, 0.0F}
                                             : Vec2{0.0F, 1.0F};
  const Vec2 forward = outward * (folds ? 1.3F : -1.3F) * scale;
  const Vec2 across{-forward.y, forward.x};
  const Vec2 center = area.center();
  ImGui::GetWindowDrawList()->AddTriangleFilled(center - forward * 1.5F - across * 4.0F, center + forward * 2.0F,
                                                center - forward * 1.5F + across * 4.0F, color);
}

/// A strip along the side of the window; a click opens the dock, or closes it if it is open over the canvas.
void handle(App& app, const Layout& layout, Dock dock) {
  const DockNames& names = kNames[std::to_underlying(dock)];
  const Rect& area = layout.handle(dock);
  if (area.size().x < 1.0F || area.size().y < 1.0F) return;
  begin_popup(names.handle, area, Vec2{0.0F}, 0.0F, kStripFlags);
  const Spot strip = spot(names.handle, area.size());
  if (strip.hovered) fill(area, kControlHovered);
  ImGui::GetWindowDrawList()->AddRect(area.min, area.max, kBorderColor);
  arrow(dock, layout.is_over(dock), area, strip.hovered ? kTextColor : kDimTextColor, layout.scale);
  command_tooltip(names.command);
  if (strip.clicked) layout.is_open(dock) ? close_dock(app, dock) : open_dock(app, dock);
  ImGui::End();
}

/// Returns the size that puts a dock's edge under the mouse.
float dragged_size(const Layout& layout, Dock dock) {
  const Vec2 mouse = ImGui::GetIO().MousePos;
  const Rect& area = layout.dock(dock);
  const float half = kGrip * 0.5F * layout.scale;
  const bool upright = dock != Dock::bottom;
  const float size = dock == Dock::left    ? mouse.x - half - area.min.x
                     : dock == Dock::right ? area.max.x - mouse.x - half
                                           : area.max.y - mouse.y - half;
  const Vec2 now = area.size();
  const Vec2 canvas = layout.canvas.size();
  const float room = (upright ? now.x + canvas.x : now.y + canvas.y) / layout.scale - kCanvasMinimum;
  const float min = kDockMinimums[std::to_underlying(dock)];
  return std::clamp(size / layout.scale, min, std::max(layout.is_over(dock) ? kMaxDockSize : room, min));
}

/// Resizes a dock by dragging its edge. A double click resets it, a click on the tab in the middle folds it.
void edge(App& app, const Layout& layout, Dock dock) {
  const std::size_t i = std::to_underlying(dock);
  const Rect area = dock_edge(layout, dock);
  const Rect middle = dock_tab(area, layout.scale);
  begin_popup(kNames[i].edge, area, Vec2{0.0F}, 0.0F, kStripFlags | ImGuiWindowFlags_NoBackground);
  if (layout.is_over(dock)) raise_if_new();
  const Spot grip = spot(kNames[i].edge, area.size());
  name_area(kNames[i].tab, middle);
  const bool dragging = grip.active && ImGui::IsMouseDragging(ImGuiMouseButton_Left);
  const bool on_tab = grip.hovered && ImGui::IsMouseHoveringRect(middle.min, middle.max) && !dragging;
  if (grip.hovered || grip.active) {
    ImGui::SetMouseCursor(on_tab                 ? ImGuiMouseCursor_Hand
                          : dock == Dock::bottom ? ImGuiMouseCursor_ResizeNS
                                                 : ImGuiMouseCursor_ResizeEW);
    if (!on_tab) fill(area, with_alpha(kAccentColor, 0.5F));
  }
  fill(middle, on_tab ? kControlHovered : kPanelColor, kGrip * 0.5F * layout.scale);
  arrow(dock, true, middle, on_tab ? kTextColor : kDimTextColor, layout.scale);
  if (on_tab) command_tooltip(kNames[i].command);
  if (dragging) {
    app.arrangement.sizes[i] = dragged_size(layout, dock);
  } else if (on_tab && grip.clicked) {
    close_dock(app, dock);
  } else if (!on_tab && grip.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    app.arrangement.sizes[i] = kDockSizes[i];
  }
  ImGui::End();
}

/// Moves the border between two panels of a column. `height` is the upper one's, without `fixed`.
void split(const char* name, const Layout& layout, const Rect& upper, const Rect& lower, float& height, float reset,
           float fixed, bool over) {
  const Rect area{{upper.min.x, upper.max.y}, {lower.max.x, lower.min.y}};
  begin_popup(name, area, Vec2{0.0F}, 0.0F, kStripFlags);
  if (over) raise_if_new();
  const Spot grip = spot(name, area.size());
  const Rect line{area.center() - Vec2{14.0F, 1.0F} * layout.scale, area.center() + Vec2{14.0F, 1.0F} * layout.scale};
  fill(grip.hovered || grip.active ? area : line,
       grip.hovered || grip.active ? with_alpha(kAccentColor, 0.5F) : kControlActive);
  if (grip.hovered || grip.active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (grip.active && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const float dragged = (ImGui::GetIO().MousePos.y + kGrip * 0.5F * layout.scale - upper.min.y) / layout.scale;
    const float room = (lower.max.y - upper.min.y) / layout.scale - kLowerMinimum;
    height = std::max(std::min(dragged, room), kUpperMinimum) - fixed;
  } else if (grip.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    height = reset;
  }
  ImGui::End();
}

}  // namespace

void docks(App& app, const Layout& layout) {
  Arrangement& wanted = app.arrangement;
  for (const Dock dock : kDocks) {
    if (layout.is_open(dock)) edge(app, layout, dock);
    if (!layout.handle(dock).empty()) handle(app, layout, dock);
  }
  if (!layout.cast.empty() && !wanted.cast_folded) {
    split("cast edge", layout, layout.cast, layout.clips, wanted.cast_height, kCastHeight, 0.0F,
          layout.is_over(Dock::left));
  }
  if (!layout.view.empty() && !wanted.view_folded) {
    split("view edge", layout, layout.view, layout.info, wanted.view_height, kViewHeight,
          app.shows_3d() ? kTurntableHeight : 0.0F, layout.is_over(Dock::right));
  }
}

namespace {

constexpr float kRecentRow = 26.0F;

/// Lists the recent files below `top`. A click opens one.
void recent_files(OpenRequests& requests, float top, const Rect& box, float scale) {
  const float indent = 26.0F * scale;
  for (std::size_t i = 0; i < std::min(requests.recent.size(), kShownRecent); ++i) {
    const Vec2 corner{box.min.x + indent, top + kRecentRow * scale * static_cast<float>(i)};
    const Vec2 size{box.size().x - indent * 2.0F, kRecentRow * scale};
    ImGui::SetCursorScreenPos(corner);
    const Spot row = spot("recent", size, i);
    if (row.hovered) fill({corner, row.area.max}, kControlColor, 5.0F * scale);
    const std::filesystem::path path = requests.recent[i];
    const std::string name = shown_path(path.filename());
    const Vec2 left = corner + Vec2{10.0F * scale, 0.0F};
    text_in({left, row.area.max}, kTextColor, name);
    text_in({left + Vec2{text_size(name).x + 12.0F * scale, 0.0F}, row.area.max}, kFaintTextColor,
            shown_path(path.parent_path()));
    if (row.clicked) open_files(requests, {path});
  }
}

/// Indexed by NoticeKind.
constexpr std::array kNoticeColors{kBoneColor, kAfterColor, kWarningColor, kErrorColor};

float button_width(const NoticeButton& button, float gap) {
  if (button.command == nullptr) return 0.0F;
  return text_size(button.label).x + ImGui::GetStyle().FramePadding.x * 2.0F + gap;
}

}  // namespace

void notice_bubble(App& app, const Layout& layout) {
  Notice& notice = app.notice;
  if (notice.text.empty()) return;
  const float scale = layout.scale;
  const Vec2 padding = Vec2{14.0F, 9.0F} * scale;
  const float gap = 8.0F * scale;
  const float room = std::min(layout.canvas.size().x - 28.0F * scale, 640.0F * scale) - padding.x * 2.0F;
  if (room < 60.0F * scale) return;
  float buttons = 0.0F;
  for (const NoticeButton& button : notice.buttons) buttons += button_width(button, gap);
  // The buttons are to the right of the text, or below it if that leaves too little room.
  const bool below = buttons > room * 0.5F;
  const float wrap = below ? room : room - buttons;
  const Vec2 text = ImGui::CalcTextSize(notice.text.c_str(), nullptr, false, wrap);
  const float row = buttons > 0.0F ? ImGui::GetFrameHeight() : 0.0F;
  const Vec2 content =
      below ? Vec2{std::max(text.x, buttons - gap), text.y + gap + row} : Vec2{text.x + buttons, std::max(text.y, row)};
  const Vec2 size = content + padding * 2.0F;
  const Vec2 corner{layout.canvas.center().x - size.x * 0.5F, layout.canvas.max.y - size.y - 14.0F * scale};
  ImGui::SetNextWindowBgAlpha(0.94F);
  begin_popup("notice", {corner, corner + size}, Vec2{0.0F}, 8.0F * scale, ImGuiWindowFlags_NoFocusOnAppearing);
  const bool under_mouse = ImGui::IsWindowHovered();
  const Spot body = spot("notice", below ? Vec2{size.x, text.y + padding.y * 2.0F} : Vec2{size.x - buttons, size.y});
  if (under_mouse) notice.seconds_left = std::max(notice.seconds_left, kNoticeSeconds * 0.5);
  if (!notice.to_copy.empty()) tooltip("Click to copy the path");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, corner + Vec2{4.0F * scale, size.y}, kNoticeColors[static_cast<std::size_t>(notice.kind)],
                     8.0F * scale, ImDrawFlags_RoundCornersLeft);
  const float top = below ? padding.y : (size.y - text.y) * 0.5F;
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), corner + Vec2{padding.x, top},
               body.hovered ? kAccentColor : kTextColor, notice.text.c_str(), nullptr, wrap);
  const char* chosen = nullptr;
  float right = corner.x + size.x - padding.x - buttons + gap;
  for (const NoticeButton& button : notice.buttons) {
    if (button.command == nullptr) continue;
    ImGui::SetCursorScreenPos({right, below ? corner.y + size.y - padding.y - row : corner.y + (size.y - row) * 0.5F});
    if (ImGui::Button(button.label)) chosen = button.command;
    name_item(button.label);
    command_tooltip(button.command);
    right += button_width(button, gap);
  }
  ImGui::End();
  if (chosen != nullptr) {
    // The command may need what the notice is about, and may show another one.
    const std::string shown = notice.text;
    run_command(app, chosen);
    if (notice.text == shown) notice = {};
  } else if (body.clicked && notice.to_copy.empty()) {
    notice = {};
  } else if (body.clicked) {
    ImGui::SetClipboardText(printable(notice.to_copy).c_str());
    show_notice(notice, "Path copied");
  }
}

void error_banner(App& app, const Layout& layout) {
  if (app.error.empty()) return;
  const float scale = layout.scale;
  const float margin = 14.0F * scale;
  const float width = std::min(layout.canvas.size().x - margin * 2.0F, 640.0F * scale);
  if (width < 60.0F * scale) return;
  const Vec2 corner{layout.canvas.center().x - width * 0.5F, layout.canvas.min.y + margin};
  ImGui::PushStyleColor(ImGuiCol_WindowBg, kErrorPanelColor);
  begin_popup("error", {corner, corner + Vec2{width, 0.0F}}, Vec2{18.0F, 12.0F} * scale, 8.0F * scale,
              ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleColor();

  const float button = 24.0F * scale;
  ImGui::PushTextWrapPos(width - button - 24.0F * scale);
  // Details follow after an empty line.
  const std::size_t end = app.error.find("\n\n");
  colored(kTextColor, std::string_view(app.error).substr(0, end));
  ImGui::PopTextWrapPos();
  if (end != std::string::npos) tooltip(std::string_view(app.error).substr(end + 2));
  const Vec2 size = ImGui::GetWindowSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddRectFilled(corner, corner + Vec2{5.0F * scale, size.y}, kErrorColor, 8.0F * scale,
                     ImDrawFlags_RoundCornersLeft);
  list.PopClipRect();
  ImGui::SetCursorPos({width - button - 10.0F * scale, 10.0F * scale});
  const bool dismissed = icon_button("dismiss", Icon::close, Vec2{button}, "Dismiss (Esc)");
  ImGui::End();
  if (dismissed) app.error.clear();
}

void opening_progress(const OpeningProgress& progress, const Layout& layout) {
  if (!progress.shown) return;
  const float scale = layout.scale;
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const Rect& canvas = layout.canvas;
  const float bottom = canvas.min.y + 4.0F * scale;
  const float end = canvas.min.x + canvas.size().x * progress.fraction;
  list.AddRectFilled(canvas.min, {canvas.max.x, bottom}, kWellColor);
  list.AddRectFilled(canvas.min, {end, bottom}, kAccentColor);

  const std::string text = "Opening " + progress.name;
  const Vec2 padding = Vec2{10.0F, 5.0F} * scale;
  const Vec2 corner{canvas.min.x + kPadding * scale, bottom + 8.0F * scale};
  const Vec2 size = text_size(text) + padding * 2.0F;
  list.PushClipRect(canvas.min, canvas.max);
  list.AddRectFilled(corner, corner + size, with_alpha(kPanelColor, 0.88F), 6.0F * scale);
  list.AddText(corner + padding, kDimTextColor, text.c_str());
  list.PopClipRect();
}

void empty_state(App& app, const Layout& layout) {
  const float scale = layout.scale;
  const OpeningProgress& progress = app.requests.progress;
  const auto rows = progress.busy ? 0.0F : static_cast<float>(std::min(app.requests.recent.size(), kShownRecent));
  const Vec2 center = layout.canvas.center();
  const float half_width = std::min(250.0F * scale, layout.canvas.size().x * 0.46F);
  const float half_height = progress.busy ? 60.0F : 100.0F;
  const Rect wanted{
      {center.x - half_width, center.y - half_height * scale},
      {center.x + half_width, center.y + (half_height + (rows > 0.0F ? rows * kRecentRow + 8.0F : 0.0F)) * scale}};
  const Rect box{glm::max(wanted.min, layout.canvas.min), glm::min(wanted.max, layout.canvas.max)};
  if (box.size().x < 40.0F * scale || box.size().y < 40.0F * scale) return;

  ImGui::SetNextWindowBgAlpha(0.88F);
  begin_popup("empty", box, ImGui::GetStyle().WindowPadding, 14.0F * scale,
              ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Vec2 rim = Vec2{10.0F * scale};
  list.AddRect(box.min + rim, box.max - rim, with_alpha(kAccentColor, 0.55F), 10.0F * scale, 0, 1.5F * scale);
  ImFont* font = headline_font();
  const float large = loaded_size(*font) * ImGui::GetIO().FontGlobalScale;
  const float room = (box.size().x - 2.0F * kPadding * scale) * ImGui::GetFontSize() / large;
  const std::string headline = progress.busy ? ellipsized("Opening " + progress.name, room, Ellipsis::end)
                                             : "Drop a " + list_extensions("or") + " file here";
  const Vec2 headline_size = font->CalcTextSizeA(large, 1e6F, 0.0F, headline.c_str());
  list.AddText(font, large, {center.x - headline_size.x * 0.5F, center.y - (progress.busy ? 30.0F : 58.0F) * scale},
               kTextColor, headline.c_str());
  if (progress.busy) {
    const float width = box.size().x * 0.6F;
    ImGui::SetCursorScreenPos(center + Vec2{-width * 0.5F, 14.0F * scale});
    thin_bar(progress.fraction, width, scale);
    return ImGui::End();
  }
  text_at({center.x, center.y - 18.0F * scale}, {0.5F, 0.0F}, kDimTextColor, "Press ? for the keyboard shortcuts");
  const Rect button = open_button(layout);
  ImGui::SetCursorScreenPos(button.min);
  if (ImGui::Button("Open file...", button.size())) run_command(app, "browse");
  name_item("open file");
  command_tooltip("browse");
  recent_files(app.requests, button.max.y + 26.0F * scale, box, scale);
  ImGui::End();
}

namespace {

constexpr float kWidth = 400.0F;

bool button(const char* text, const char* name) {
  const bool clicked = ImGui::Button(text);
  name_item(name);
  return clicked;
}

}  // namespace

void quit_window(App& app, const Layout& layout) {
  app.asks_to_quit = app.asks_to_quit && would_lose_work(app);
  if (!app.asks_to_quit) return;
  const float scale = layout.scale;
  const Vec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(kWidth * scale, display.x * 0.94F);
  const Vec2 corner{(display.x - width) * 0.5F, display.y * 0.3F};
  begin_popup("quit", {corner, corner + Vec2{width, 0.0F}}, Vec2{18.0F} * scale, 10.0F * scale, 0, 1.0F);
  heading(app.exports.running ? "Quit during the export?" : "Quit without saving?");
  const bool unsaved = app.document() && has_unsaved_changes(app.document()->rig);
  if (app.exports.running) note("The export is canceled and leaves no file.");
  if (unsaved) note("The rig or the states have unsaved changes.");
  ImGui::Dummy({0.0F, 2.0F * scale});
  if (unsaved) {
    if (button("Save and quit", "save and quit")) {
      save_rig(app);
      app.quit = !has_unsaved_changes(app.document()->rig);
    }
    ImGui::SameLine();
  }
  app.quit |= button("Quit", "quit now");
  tooltip("Quit and lose this (Q)");
  ImGui::SameLine();
  if (button("Cancel", "stay")) app.asks_to_quit = false;
  tooltip("Keep the player open (Esc)");
  ImGui::End();
}

void label_lineup(App& app, const Canvas& canvas, float interface_scale) {
  constexpr float kLabelGap = 6.0F;
  if (!lining_up(app)) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect(canvas.area.min, canvas.area.max);
  // Names a character below its feet, and returns where it is in the window.
  const auto name = [&](const std::string& text, const Rect& bounds, ImU32 color) {
    Rect area;
    for (const Vec2 corner : {bounds.min, bounds.max}) {
      area.include(canvas.to_window(apply(world_to_viewport(app.view.camera), corner)));
    }
    if (!bounds.empty()) {
      text_at(list, {area.center().x, area.max.y + kLabelGap * interface_scale}, {0.5F, 0.0F}, color, text);
    }
    return area;
  };
  name(app.document()->name(), bounds(app.document()->character(), posed(app)), kTextColor);
  std::size_t number = 0;
  for (Actor& member : app.members()) {
    lineup_posed(app, member);
    const Rect shown = member_bounds(member);
    const Rect area = name(member.document.name(), shown, kDimTextColor);
    const std::size_t i = number++;
    if (shown.empty()) continue;
    name_area("member", area);
    name_area(fmt::format("member {}", i), area);
    if (app.lineup.selected == &member) list.AddRect(area.min, area.max, kAccentColor, 4.0F * interface_scale);
  }
  list.PopClipRect();
}

}  // namespace pchr::player
