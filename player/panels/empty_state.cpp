// SPDX-License-Identifier: MIT
// An invitation while nothing is open.
#include "fonts.hpp"
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <algorithm>

namespace pchr::player {
namespace {

constexpr float kRecentRow = 26.0F;

/// Rows of recent files below `top`; a click opens one.
void recent_files(Files& files, float top, const Rect& box, float scale) {
  const float indent = 26.0F * scale;
  for (std::size_t i = 0; i < std::min(files.recent.size(), kShownRecent); ++i) {
    const Vec2 corner{box.min.x + indent, top + kRecentRow * scale * static_cast<float>(i)};
    const Vec2 size{box.size().x - indent * 2.0F, kRecentRow * scale};
    ImGui::SetCursorScreenPos(im(corner));
    ImGui::PushID(static_cast<int>(i));
    const bool clicked = ImGui::InvisibleButton("recent", im(size));
    ImGui::PopID();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered()) list.AddRectFilled(im(corner), im(corner + size), kControlColour, 5.0F * scale);
    const std::filesystem::path path = files.recent[i];
    const std::string name = shown_path(path.filename());
    const std::string folder = shown_path(path.parent_path());
    const float text = corner.y + (size.y - ImGui::GetTextLineHeight()) * 0.5F;
    const float left = corner.x + 10.0F * scale;
    const float after_name = left + ImGui::CalcTextSize(name.c_str()).x + 12.0F * scale;
    list.PushClipRect(im(corner), im(corner + size), true);
    list.AddText({left, text}, kTextColour, name.c_str());
    list.AddText({after_name, text}, kFaintTextColour, folder.c_str());
    list.PopClipRect();
    if (clicked) open_files(files, {path});
  }
}

}  // namespace

void empty_state(Session& session, const Layout& layout) {
  const float scale = layout.scale;
  const char* const invitation = "Drop a .pchr, .json, .chp, .px or .psk file here";
  const char* const hint = "press ? for the keys";
  const auto rows = static_cast<float>(std::min(session.files.recent.size(), kShownRecent));
  const Vec2 centre = layout.canvas.centre();
  const float half_width = std::min(250.0F * scale, layout.canvas.size().x * 0.46F);
  const Rect wanted{
      {centre.x - half_width, centre.y - 100.0F * scale},
      {centre.x + half_width, centre.y + (100.0F + (rows > 0.0F ? rows * kRecentRow + 8.0F : 0.0F)) * scale}};
  const Rect box{glm::max(wanted.min, layout.canvas.min), glm::min(wanted.max, layout.canvas.max)};
  if (box.size().x < 40.0F * scale || box.size().y < 40.0F * scale) return;

  ImGui::SetNextWindowPos(im(box.min));
  ImGui::SetNextWindowSize(im(box.size()));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 14.0F * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
  ImGui::SetNextWindowBgAlpha(0.88F);
  ImGui::Begin("empty", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Vec2 rim = Vec2{10.0F * scale};
  list.AddRect(im(box.min + rim), im(box.max - rim), with_alpha(kAccentColour, 0.55F), 10.0F * scale, 0, 1.5F * scale);
  ImFont* font = headline_font();
  const float large = font->FontSize * ImGui::GetIO().FontGlobalScale;
  const Vec2 invitation_size = vec(font->CalcTextSizeA(large, 1e6F, 0.0F, invitation));
  list.AddText(font, large, {centre.x - invitation_size.x * 0.5F, centre.y - 58.0F * scale}, kTextColour, invitation);
  const Vec2 hint_size = vec(ImGui::CalcTextSize(hint));
  list.AddText({centre.x - hint_size.x * 0.5F, centre.y - 18.0F * scale}, kDimTextColour, hint);
  const Rect button = open_button(layout);
  ImGui::SetCursorScreenPos(im(button.min));
  if (ImGui::Button("Browse", im(button.size()))) open_browser(session.browser, session.files);
  tooltip("Ctrl+O");
  recent_files(session.files, button.max.y + 26.0F * scale, box, scale);
  ImGui::End();
}

}  // namespace pchr::player
