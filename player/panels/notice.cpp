// SPDX-License-Identifier: MIT
// A short message over the bottom of the canvas.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <pchr/finding.hpp>

#include <algorithm>

namespace pchr::player {

void notice_bubble(Notice& notice, const Layout& layout) {
  if (notice.text.empty()) return;
  const float scale = layout.scale;
  const Vec2 padding = Vec2{14.0F, 9.0F} * scale;
  const float most = layout.canvas.size().x - 28.0F * scale;
  const float wrap = std::min(most, 640.0F * scale) - padding.x * 2.0F;
  if (wrap < 60.0F * scale) return;
  const Vec2 text = vec(ImGui::CalcTextSize(notice.text.c_str(), nullptr, false, wrap));
  const Vec2 size = text + padding * 2.0F;
  const Vec2 corner{layout.canvas.centre().x - size.x * 0.5F, layout.canvas.max.y - size.y - 14.0F * scale};
  ImGui::SetNextWindowPos(im(corner));
  ImGui::SetNextWindowSize(im(size));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0F * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
  ImGui::SetNextWindowBgAlpha(0.94F);
  ImGui::Begin("notice", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(3);
  const bool clicked = ImGui::InvisibleButton("copy", im(size));
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) notice.seconds_left = std::max(notice.seconds_left, kNoticeSeconds * 0.5);
  if (!notice.to_copy.empty()) tooltip("Click to copy the path");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), im(corner + padding), hovered ? kAccentColour : kTextColour,
               notice.text.c_str(), nullptr, wrap);
  ImGui::End();
  if (!clicked) return;
  if (notice.to_copy.empty()) {
    notice = {};
  } else {
    ImGui::SetClipboardText(printable(notice.to_copy).c_str());
    show_notice(notice, "The path is on the clipboard");
  }
}

}  // namespace pchr::player
