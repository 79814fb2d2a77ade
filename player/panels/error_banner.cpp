// SPDX-License-Identifier: MIT
// Why a file did not open, over the last good picture.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <algorithm>

namespace pchr::player {

void error_banner(Session& session, const Layout& layout) {
  if (session.error.empty()) return;
  const float scale = layout.scale;
  const float margin = 14.0F * scale;
  const float width = std::min(layout.canvas.size().x - margin * 2.0F, 640.0F * scale);
  if (width < 60.0F * scale) return;
  const Vec2 corner{layout.canvas.centre().x - width * 0.5F, layout.canvas.min.y + margin};
  ImGui::SetNextWindowPos(im(corner));
  ImGui::SetNextWindowSize({width, 0.0F});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, kErrorPanelColour);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0F * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {18.0F * scale, 12.0F * scale});
  ImGui::Begin("error", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();

  const float button = 24.0F * scale;
  ImGui::PushTextWrapPos(width - button - 24.0F * scale);
  ImGui::TextUnformatted(session.error.c_str());
  ImGui::PopTextWrapPos();
  const Vec2 size = vec(ImGui::GetWindowSize());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddRectFilled(im(corner), im(corner + Vec2{5.0F * scale, size.y}), kErrorColour, 8.0F * scale,
                     ImDrawFlags_RoundCornersLeft);
  list.PopClipRect();
  ImGui::SetCursorPos({width - button - 10.0F * scale, 10.0F * scale});
  const bool dismissed = icon_button("dismiss", Icon::close, Vec2{button}, "Dismiss (Esc)");
  ImGui::End();
  if (dismissed) session.error.clear();
}

}  // namespace pchr::player
