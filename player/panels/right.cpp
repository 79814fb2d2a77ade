// SPDX-License-Identifier: MIT
// The lower right: one of its tabs.
#include "panels/panels.hpp"
#include "widgets.hpp"

namespace pchr::player {

void right_panel(Session& session, const Layout& layout) {
  if (!begin_panel("info", layout.info)) return;
  const float scale = layout.scale;
  ImGui::SetCursorPosY(0.0F);
  if (tab("Facts", "The file and the picture (V)", !session.view.inside, scale)) session.view.inside = false;
  ImGui::SameLine(0.0F, 18.0F * scale);
  if (tab("Inside", "Meshes and bones (V)", session.view.inside, scale)) session.view.inside = true;
  session.view.inside ? inside(session, layout) : facts(session, layout);
  end_panel();
}

}  // namespace pchr::player
