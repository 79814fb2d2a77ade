// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr float kKeysWidth = 178.0F;
constexpr float kMinColumnWidth = 490.0F;  ///< With two columns.
constexpr float kMaxColumnWidth = 610.0F;

/// Lists the commands in columns, each ordered from top to bottom.
void command_table(std::size_t columns, float scale) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {4.0F * scale, 2.0F * scale});
  const bool open = ImGui::BeginTable("commands", static_cast<int>(2 * columns), ImGuiTableFlags_RowBg);
  ImGui::PopStyleVar();
  if (!open) return;
  for (std::size_t column = 0; column < columns; ++column) {
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, kKeysWidth * scale);
    ImGui::TableSetupColumn("action", ImGuiTableColumnFlags_WidthStretch);
  }
  const auto all = commands();
  const std::size_t rows = (all.size() + columns - 1) / columns;
  for (std::size_t i = 0; i < rows; ++i) {
    ImGui::TableNextRow();
    for (std::size_t number = i; number < all.size(); number += rows) {
      ImGui::TableNextColumn();
      wrapped(kAccentColor, keys_of(all[number]));
      ImGui::TableNextColumn();
      wrapped(kTextColor, all[number].name);
    }
  }
  ImGui::EndTable();
}

}  // namespace

void command_button(App& app, const char* id, Icon icon, Vec2 size, bool prominent) {
  if (icon_button(id, icon, size, {}, prominent)) run_command(app, id);
  command_tooltip(id);
}

void command_tooltip(std::string_view id) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(tooltip_of(id));
}

void help_window(View& view, const Layout& layout) {
  if (!view.help) return;
  const float scale = layout.scale;
  const Vec2 display = ImGui::GetIO().DisplaySize;
  const std::size_t columns = display.x * 0.96F >= 2.0F * kMinColumnWidth * scale ? 2 : 1;
  const float width = std::min(kMaxColumnWidth * static_cast<float>(columns) * scale, display.x * 0.96F);
  ImGui::SetNextWindowPos(display * 0.5F, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({width, 0.0F}, {width, display.y * 0.96F});
  ImGui::SetNextWindowSize({width, 0.0F});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 10.0F * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {22.0F * scale, 18.0F * scale});
  ImGui::Begin("keys", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(3);
  ImGui::TextUnformatted("Keyboard shortcuts");
  ImGui::SameLine(width - 42.0F * scale);
  if (icon_button("close", Icon::close, Vec2{24.0F} * scale, "Close (Esc)")) view.help = false;
  command_table(columns, scale);
  ImGui::Spacing();
  note(
      "Scroll to zoom at the cursor, drag to move; drag with the right button or Alt to rotate an Unreal mesh. Click "
      "to "
      "select the part under the mouse, click again for the one behind it. Drop files or folders on the window to "
      "open them. Frames are numbered from 0, as in the file.");
  ImGui::End();
}

}  // namespace pchr::player
