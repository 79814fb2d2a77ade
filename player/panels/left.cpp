// SPDX-License-Identifier: MIT
// The left column: one of its tabs.
#include "panels/panels.hpp"
#include "widgets.hpp"

namespace pchr::player {
namespace {

/// A tab's title, underlined while its tab is shown. Returns whether it was clicked.
bool tab(const char* title, const char* text, bool current, float scale) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Vec2 text_size = vec(ImGui::CalcTextSize(title));
  const Vec2 size{text_size.x, kHeadingHeight * scale};
  const bool clicked = ImGui::InvisibleButton(title, im(size));
  const bool bright = current || ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText(im(corner + Vec2{0.0F, (size.y - text_size.y) * 0.5F}), bright ? kTextColour : kDimTextColour, title);
  if (current) {
    const float bottom = corner.y + size.y - 7.0F * scale;
    list.AddRectFilled({corner.x, bottom - 2.0F * scale}, {corner.x + size.x, bottom}, kAccentColour);
  }
  tooltip(text);
  return clicked;
}

}  // namespace

void left_panel(Session& session, const Layout& layout) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  const bool open = begin_panel("clips", layout.clips);
  ImGui::PopStyleVar();
  if (!open) return;
  const float scale = layout.scale;
  ImGui::SetCursorPos({kPadding * scale, 0.0F});
  if (tab("Clips", nullptr, !mixing(session), scale)) set_mixing(session, false);
  if (session.document && session.document->clip) {
    ImGui::SameLine(0.0F, 18.0F * scale);
    if (tab("Mix", "Crossfades and layers (X)", mixing(session), scale)) set_mixing(session, true);
  }
  mixing(session) ? mix_panel(session, layout) : clips_panel(session, layout);
  end_panel();
}

}  // namespace pchr::player
