// SPDX-License-Identifier: MIT
// The left column: one of its tabs.
#include "panels/panels.hpp"
#include "widgets.hpp"

namespace pchr::player {
namespace {

constexpr float kGap = 12.0F;

}  // namespace

void left_panel(Session& session, const Layout& layout) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  const bool open = begin_panel("clips", layout.clips);
  ImGui::PopStyleVar();
  if (!open) return;
  const float scale = layout.scale;
  ImGui::SetCursorPos({kPadding * scale, 0.0F});
  const auto drive_tab = [&](const char* title, const char* text, Drive drive, bool shown) {
    if (tab(title, text, shown, scale)) set_drive(session, drive);
    ImGui::SameLine(0.0F, kGap * scale);
  };
  drive_tab("Clips", nullptr, Drive::clip, shows_clip(session));
  if (session.document && session.document->clip) {
    drive_tab("Mix", "Crossfades and layers (X)", Drive::mix, mixing(session));
  }
  if (shows_chara(session)) drive_tab("Game", "As its game plays it (Shift+X)", Drive::game, in_game(session));
  if (mixing(session)) {
    mix_panel(session, layout);
  } else if (in_game(session)) {
    game_panel(session, layout);
  } else {
    clips_panel(session, layout);
  }
  end_panel();
}

}  // namespace pchr::player
