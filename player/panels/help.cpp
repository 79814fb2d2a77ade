// SPDX-License-Identifier: MIT
// The list of shortcuts.
#include "keys.hpp"
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <algorithm>
#include <cstddef>

namespace pchr::player {
namespace {

constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoNav;

constexpr float kKeysWidth = 150.0F;
constexpr float kColumnWidth = 490.0F;      ///< At least, where there are two,
constexpr float kWideColumnWidth = 610.0F;  ///< and at most.

void shortcut_cells(const Shortcut& shortcut) {
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, kAccentColour);
  ImGui::TextUnformatted(shortcut.keys);
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos(0.0F);
  ImGui::TextUnformatted(shortcut.action);
  ImGui::PopTextWrapPos();
}

/// The shortcuts in so many columns, read down one and then down the next.
void shortcut_table(std::size_t columns, float scale) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {4.0F * scale, 4.0F * scale});
  const bool open = ImGui::BeginTable("shortcuts", static_cast<int>(2 * columns), ImGuiTableFlags_RowBg);
  ImGui::PopStyleVar();
  if (!open) return;
  for (std::size_t column = 0; column < columns; ++column) {
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, kKeysWidth * scale);
    ImGui::TableSetupColumn("action", ImGuiTableColumnFlags_WidthStretch);
  }
  const auto all = shortcuts();
  const std::size_t rows = (all.size() + columns - 1) / columns;
  for (std::size_t i = 0; i < rows; ++i) {
    ImGui::TableNextRow();
    for (std::size_t number = i; number < all.size(); number += rows) shortcut_cells(all[number]);
  }
  ImGui::EndTable();
}

}  // namespace

void help_window(Session& session, const Layout& layout) {
  if (!session.view.help) return;
  const float scale = layout.scale;
  const Vec2 display = vec(ImGui::GetIO().DisplaySize);
  const std::size_t columns = display.x * 0.96F >= 2.0F * kColumnWidth * scale ? 2 : 1;
  const float width = std::min(kWideColumnWidth * static_cast<float>(columns) * scale, display.x * 0.96F);
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
  shortcut_table(columns, scale);
  ImGui::Spacing();
  note("Drop files or folders on the window to open them. Frames count from 0, as in the file.");
  ImGui::End();
}

}  // namespace pchr::player
