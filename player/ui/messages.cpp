// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr float kRecentRow = 26.0F;

/// Lists the recent files below `top`. A click opens one.
void recent_files(Files& files, float top, const Rect& box, float scale) {
  const float indent = 26.0F * scale;
  for (std::size_t i = 0; i < std::min(files.recent.size(), kShownRecent); ++i) {
    const Vec2 corner{box.min.x + indent, top + kRecentRow * scale * static_cast<float>(i)};
    const Vec2 size{box.size().x - indent * 2.0F, kRecentRow * scale};
    ImGui::SetCursorScreenPos(corner);
    const Spot row = spot("recent", size, i);
    if (row.hovered) fill({corner, row.area.max}, kControlColor, 5.0F * scale);
    const std::filesystem::path path = files.recent[i];
    const std::string name = shown_path(path.filename());
    const Vec2 left = corner + Vec2{10.0F * scale, 0.0F};
    text_in({left, row.area.max}, kTextColor, name);
    text_in({left + Vec2{text_size(name).x + 12.0F * scale, 0.0F}, row.area.max}, kFaintTextColor,
            shown_path(path.parent_path()));
    if (row.clicked) open_files(files, {path});
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
  const char* const invitation = "Drop a .pchr, .json, .chp, .px or .psk file here";
  const auto rows = static_cast<float>(std::min(app.files.recent.size(), kShownRecent));
  const Vec2 center = layout.canvas.center();
  const float half_width = std::min(250.0F * scale, layout.canvas.size().x * 0.46F);
  const Rect wanted{
      {center.x - half_width, center.y - 100.0F * scale},
      {center.x + half_width, center.y + (100.0F + (rows > 0.0F ? rows * kRecentRow + 8.0F : 0.0F)) * scale}};
  const Rect box{glm::max(wanted.min, layout.canvas.min), glm::min(wanted.max, layout.canvas.max)};
  if (box.size().x < 40.0F * scale || box.size().y < 40.0F * scale) return;

  ImGui::SetNextWindowBgAlpha(0.88F);
  begin_popup("empty", box, ImGui::GetStyle().WindowPadding, 14.0F * scale,
              ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Vec2 rim = Vec2{10.0F * scale};
  list.AddRect(box.min + rim, box.max - rim, with_alpha(kAccentColor, 0.55F), 10.0F * scale, 0, 1.5F * scale);
  ImFont* font = headline_font();
  const float large = font->FontSize * ImGui::GetIO().FontGlobalScale;
  const Vec2 invitation_size = font->CalcTextSizeA(large, 1e6F, 0.0F, invitation);
  list.AddText(font, large, {center.x - invitation_size.x * 0.5F, center.y - 58.0F * scale}, kTextColor, invitation);
  text_at({center.x, center.y - 18.0F * scale}, {0.5F, 0.0F}, kDimTextColor, "Press ? for the keyboard shortcuts");
  const Rect button = open_button(layout);
  ImGui::SetCursorScreenPos(button.min);
  if (ImGui::Button("Open file...", button.size())) run_command(app, "browse");
  command_tooltip("browse");
  recent_files(app.files, button.max.y + 26.0F * scale, box, scale);
  ImGui::End();
}

}  // namespace pchr::player
