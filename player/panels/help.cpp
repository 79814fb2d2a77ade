// SPDX-License-Identifier: MIT
// The list of shortcuts.
#include "keys.hpp"
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <algorithm>

namespace pchr::player {
namespace {

constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoNav;

void shortcut_table(float scale) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {4.0F * scale, 4.0F * scale});
  const bool open = ImGui::BeginTable("shortcuts", 2, ImGuiTableFlags_RowBg);
  ImGui::PopStyleVar();
  if (!open) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, 150.0F * scale);
  for (const Shortcut& shortcut : shortcuts()) {
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, kAccentColour);
    ImGui::TextUnformatted(shortcut.keys);
    ImGui::PopStyleColor();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(shortcut.action);
  }
  ImGui::EndTable();
}

}  // namespace

void help_window(Session& session, const Layout& layout) {
  if (!session.view.help) return;
  const float scale = layout.scale;
  const Vec2 display = vec(ImGui::GetIO().DisplaySize);
  const float width = std::min(520.0F * scale, display.x * 0.96F);
  ImGui::SetNextWindowPos(im(display * 0.5F), ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({width, 0.0F}, {width, display.y * 0.96F});
  ImGui::SetNextWindowSize({width, 0.0F});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 10.0F * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {22.0F * scale, 18.0F * scale});
  ImGui::Begin("keys", nullptr, kFlags);
  ImGui::PopStyleVar(3);
  ImGui::TextUnformatted("Keys");
  ImGui::SameLine(width - 42.0F * scale);
  if (icon_button("close", Icon::close, Vec2{24.0F} * scale, "Close (Esc)")) session.view.help = false;
  shortcut_table(scale);
  ImGui::Spacing();
  note("Drop files or folders on the window to open them. Frames count from 0, as in the file.");
  ImGui::End();
}

}  // namespace pchr::player
