// SPDX-License-Identifier: MIT
// The left column: one of its tabs.
#include "panels/panels.hpp"
#include "widgets.hpp"

namespace pchr::player {
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
