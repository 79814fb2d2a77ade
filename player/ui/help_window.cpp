// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr float kKeysWidth = 178.0F;
constexpr float kMenuWidth = 230.0F;
constexpr float kMinWidthWithMenus = 680.0F;
constexpr Vec2 kMaxSize{860.0F, 720.0F};

/// Returns whether a command is listed: its keys, text, menu or group contain the filter's text.
bool is_found(const NameFilter& filter, const Command& each) {
  const GroupInfo& group = kGroups[std::to_underlying(each.group)];
  const char* const more = each.explanation != nullptr ? each.explanation : "";
  return passes(filter, keys_of(each)) || passes(filter, each.name) || passes(filter, more) ||
         passes(filter, menu_path_of(each)) || passes(filter, group.name);
}

const char* action_of(const Command& each) { return each.explanation != nullptr ? each.explanation : each.name; }

void command_row(const Command& each, bool menus) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  wrapped(kAccentColor, keys_of(each));
  ImGui::TableNextColumn();
  const bool named = menus || each.explanation == nullptr;
  wrapped(kTextColor, named ? action_of(each) : fmt::format("{}. {}", each.name, each.explanation));
  if (!menus) return;
  ImGui::TableNextColumn();
  wrapped(kDimTextColor, menu_path_of(each));
}

/// Lists the commands of a group that are found.
void group_rows(const NameFilter& filter, Group group, bool menus) {
  bool first = true;
  for (const Command& each : commands()) {
    if (each.group != group || !is_found(filter, each)) continue;
    if (std::exchange(first, false)) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::Spacing();
      colored(kTextColor, kGroups[std::to_underlying(group)].name);
    }
    command_row(each, menus);
  }
}

void command_table(const NameFilter& filter, float width, float scale) {
  const bool menus = width >= kMinWidthWithMenus * scale;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {4.0F * scale, 2.0F * scale});
  const bool open = ImGui::BeginTable("commands", menus ? 3 : 2);
  ImGui::PopStyleVar();
  if (!open) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, std::min(kKeysWidth * scale, width * 0.4F));
  ImGui::TableSetupColumn("action", ImGuiTableColumnFlags_WidthStretch);
  if (menus) ImGui::TableSetupColumn("menu", ImGuiTableColumnFlags_WidthFixed, kMenuWidth * scale);
  for (std::size_t i = 0; i < std::size(kGroups); ++i) group_rows(filter, static_cast<Group>(i), menus);
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

void help_window(App& app, const Layout& layout) {
  if (!app.view.help) return;
  const float scale = layout.scale;
  const Rect area = dialog_area(ImGui::GetIO().DisplaySize, scale, kMaxSize, {0.96F, 0.94F});
  begin_popup("help", area, Vec2{18.0F, 14.0F} * scale, 10.0F * scale, 0, 1.0F);
  const float width = ImGui::GetContentRegionAvail().x;
  const float button = 24.0F * scale;
  const bool was_empty = app.help_filter.text[0] == '\0';
  filter_field("##commands", "Find a key or command", app.help_filter, std::max(width - button - 12.0F * scale, 1.0F));
  const bool left = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  ImGui::SameLine(width + ImGui::GetStyle().WindowPadding.x - button);
  if (icon_button("close", Icon::close, Vec2{button}, "Close (Esc)") || (left && was_empty)) app.view.help = false;
  ImGui::BeginChild("list", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  command_table(app.help_filter, width, scale);
  ImGui::Spacing();
  note(
      "Scroll to zoom at the cursor, drag to move; drag with the right button or Alt to rotate an Unreal mesh. Click "
      "to select the part under the mouse, click again for the one behind it; right-click for its menu. Drop files or "
      "folders on the window to open them. Frames are numbered from 0, as in the file.");
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace pchr::player
