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

/// Returns whether a command can be run from the help. Those that are in no menu need one of several keys.
bool can_run(const App& app, const Command& each) { return each.menu != Menu::none && is_available(app, each); }

/// The list of commands, of which one is chosen.
struct CommandList {
  App& app;
  float width, scale;
  bool moved;                       ///< Whether the choice moved, so that the list scrolls to it.
  std::size_t rows = 0;             ///< Number of rows so far that can be run.
  const Command* chosen = nullptr;  ///< The one that Enter runs.
  const Command* clicked = nullptr;
  [[nodiscard]] bool menus() const { return width >= kMinWidthWithMenus * scale; }

  void row(const Command& each) {
    const bool runs = can_run(app, each);
    const bool is_chosen = runs && rows++ == app.help_row;
    if (is_chosen) chosen = &each;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    Rect area{ImGui::GetCursorScreenPos(), ImGui::GetCursorScreenPos()};
    const auto cell = [&](ImU32 color, std::string_view text) {
      wrapped(runs || each.menu == Menu::none ? color : kFaintTextColor, text);
      area.max = glm::max(area.max, Vec2(ImGui::GetItemRectMax()));
    };
    cell(kAccentColor, keys_of(each));
    ImGui::TableNextColumn();
    const bool named = menus() || each.explanation == nullptr;
    cell(kTextColor, named ? action_of(each) : fmt::format("{}. {}", each.name, each.explanation));
    if (menus()) {
      ImGui::TableNextColumn();
      cell(kDimTextColor, menu_path_of(each));
    }
    if (!runs) return;
    area.max.x = area.min.x + width;
    name_area(fmt::format("command {}", each.id), area);
    // The field still has the focus when a row is clicked.
    const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                         ImGui::IsMouseHoveringRect(area.min, area.max, false);
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) clicked = &each;
    if (is_chosen || hovered) {
      ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, is_chosen ? kControlActive : kControlColor);
    }
    if (is_chosen && moved && !ImGui::IsRectVisible(area.min, area.max)) ImGui::SetScrollHereY(0.5F);
  }

  /// Lists the commands of a group that are found.
  void group(Group group) {
    bool first = true;
    for (const Command& each : commands()) {
      if (each.group != group || !is_found(app.help_filter, each)) continue;
      if (std::exchange(first, false)) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::Spacing();
        colored(kTextColor, kGroups[std::to_underlying(group)].name);
      }
      row(each);
    }
  }

  void table() {
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {4.0F * scale, 2.0F * scale});
    const bool open = ImGui::BeginTable("commands", menus() ? 3 : 2);
    ImGui::PopStyleVar();
    if (!open) return;
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, std::min(kKeysWidth * scale, width * 0.4F));
    ImGui::TableSetupColumn("action", ImGuiTableColumnFlags_WidthStretch);
    if (menus()) ImGui::TableSetupColumn("menu", ImGuiTableColumnFlags_WidthFixed, kMenuWidth * scale);
    for (std::size_t i = 0; i < std::size(kGroups); ++i) group(static_cast<Group>(i));
    ImGui::EndTable();
    if (rows > 0) app.help_row = std::min(app.help_row, rows - 1);
  }
};

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
  const bool entered = filter_field("##commands", "Find a key or command; Enter runs it", app.help_filter,
                                    std::max(width - button - 12.0F * scale, 1.0F));
  if (ImGui::IsItemEdited()) app.help_row = 0;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const bool up = ImGui::IsItemActive() && pressed(ImGuiKey_UpArrow) && app.help_row > 0;
  const bool down = ImGui::IsItemActive() && pressed(ImGuiKey_DownArrow);
  if (up) --app.help_row;
  if (down) ++app.help_row;
  const bool left = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  ImGui::SameLine(width + ImGui::GetStyle().WindowPadding.x - button);
  if (icon_button("close", Icon::close, Vec2{button}, "Close (Esc)") || (left && was_empty)) app.view.help = false;
  ImGui::BeginChild("list", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  CommandList list{.app = app, .width = width, .scale = scale, .moved = up || down};
  list.table();
  ImGui::Spacing();
  note(
      "Scroll to zoom at the cursor, drag to move; drag with the right button or Alt to rotate an Unreal mesh. Click "
      "to select the part under the mouse, click again for the one behind it; right-click for its menu. Drop files or "
      "folders on the window to open them. Frames are numbered from 0, as in the file.");
  ImGui::EndChild();
  ImGui::End();
  const Command* const run = entered ? list.chosen : list.clicked;
  if (run == nullptr) return;
  app.view.help = false;
  run_command(app, run->id);
}

}  // namespace pchr::player
