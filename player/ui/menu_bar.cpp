// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "app/screenshot.hpp"
#include "ui/panels.hpp"

#include <imgui_internal.h>

#include <cfloat>

namespace pchr::player {
namespace {

constexpr std::size_t kRecentInMenu = 12;
constexpr float kMenuMargin = 8.0F;  ///< Between a long menu and the window's edge.

/// Lets a menu be as tall as the window below the menu bar; a longer one scrolls.
void limit_menu_height(float scale) {
  const float room = ImGui::GetIO().DisplaySize.y - (kMenuHeight + kMenuMargin) * scale;
  ImGui::SetNextWindowSizeConstraints({0.0F, 0.0F}, {FLT_MAX, std::max(room, 1.0F)});
}

/// How menus are shown.
struct MenuStyle {
  float scale;
  bool folds = false;  ///< Menus unfold in place, since a submenu would cover the mouse in a narrow window.
};

/// A menu in the bar or in another menu; call end_menu() if it returns true.
bool begin_menu(const char* name, const MenuStyle& style, bool enabled = true) {
  bool open = false;
  if (style.folds) {
    ImGui::BeginDisabled(!enabled);
    open = ImGui::TreeNodeEx(name, ImGuiTreeNodeFlags_SpanAvailWidth);
    ImGui::EndDisabled();
  } else {
    limit_menu_height(style.scale);
    open = ImGui::BeginMenu(name, enabled);
  }
  if (!open || style.folds) name_item(fmt::format("menu {}", name));
  return open;
}

void end_menu(const MenuStyle& style) { style.folds ? ImGui::TreePop() : ImGui::EndMenu(); }

void recent_menu(App& app, const MenuStyle& style) {
  Files& files = app.files;
  if (!begin_menu("Open recent", style, !files.recent.empty())) return;
  const std::size_t count = std::min(files.recent.size(), kRecentInMenu);
  for (std::size_t i = 0; i < count; ++i) {
    const std::filesystem::path path = files.recent[i];
    ImGui::PushID(static_cast<int>(i));
    const bool chosen = ImGui::MenuItem(shown_path(path.filename()).c_str());
    ImGui::PopID();
    name_item("item recent", i);
    tooltip(shown_path(path));
    if (chosen) open_files(files, {path});
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Clear list")) files.recent.clear();
  name_item("item clear-recent");
  end_menu(style);
}

bool is_listed(const Command& command, Menu menu, Group group) {
  return command.menu == menu && command.group == group;
}

/// Lists the commands of a group.
void items(App& app, Menu menu, Group group, const MenuStyle& style) {
  for (const Command& each : commands()) {
    if (!is_listed(each, menu, group)) continue;
    command_item(app, each.id);
    if (std::string_view(each.id) == "browse") recent_menu(app, style);
  }
}

void submenu(App& app, Menu menu, Group group, const MenuStyle& style) {
  const bool enabled = std::ranges::any_of(
      commands(), [&](const Command& each) { return is_listed(each, menu, group) && is_available(app, each); });
  if (!begin_menu(kGroups[std::to_underlying(group)].name, style, enabled)) return;
  items(app, menu, group, style);
  end_menu(style);
}

/// Lists a menu's groups, separated by lines.
void menu_items(App& app, Menu menu, const MenuStyle& style) {
  bool first = true;
  for (std::size_t i = 0; i < std::size(kGroups); ++i) {
    const auto group = static_cast<Group>(i);
    if (std::ranges::none_of(commands(), [&](const Command& each) { return is_listed(each, menu, group); })) continue;
    if (!std::exchange(first, false) && !kGroups[i].submenu) ImGui::Separator();
    kGroups[i].submenu ? submenu(app, menu, group, style) : items(app, menu, group, style);
  }
}

/// Opens a menu of the bar as the keyboard does: with its first item highlighted.
void open_by_key(const char* name) {
  ImGui::OpenPopup(name);
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
#if IMGUI_VERSION_NUM >= 19140
  ImGui::SetNavCursorVisible(true);
#else
  ImGui::GetCurrentContext()->NavDisableHighlight = false;
#endif
}

void menus(App& app, const MenuStyle& style) {
  const auto submenus = [] { return ImGui::GetCurrentContext()->OpenPopupStack.Size - 1; };
  const auto wanted = std::exchange(app.opened_menu, std::nullopt);
  if (wanted) open_by_key(kMenuNames[*wanted]);
  const bool had_submenu = submenus() > 0;
  for (std::size_t i = 0; i < kMenuNames.size(); ++i) {
    if (!begin_menu(kMenuNames[i], style)) continue;
    menu_items(app, static_cast<Menu>(i), style);
    end_menu(style);
    // Left closes a submenu, and Right opens one.
    if (style.folds || had_submenu || submenus() > 0) continue;
    const auto left = ImGui::GetKeyIndex(ImGuiKey_LeftArrow);
    const auto right = ImGui::GetKeyIndex(ImGuiKey_RightArrow);
    // Dear ImGui would close the menu, also when it repeats a key that is held.
    if (ImGui::IsKeyDown(left) || ImGui::IsKeyDown(right)) ImGui::NavMoveRequestCancel();
    const bool to_left = ImGui::IsKeyPressed(left, false);
    if (!to_left && !ImGui::IsKeyPressed(right, false)) continue;
    app.opened_menu = (i + (to_left ? kMenuNames.size() - 1 : 1)) % kMenuNames.size();
  }
}

/// Returns whether all menus fit next to each other.
bool fits(float width) {
  float sum = 0.0F;
  for (const char* name : kMenuNames) sum += text_size(name).x + 2.0F * ImGui::GetStyle().ItemSpacing.x;
  return sum <= width;
}

}  // namespace

void command_item(App& app, std::string_view id) {
  const Command& found = command(id);
  const bool checked = found.checked != nullptr && found.checked(app);
  const std::string keys = first_key_of(found);
  const bool chosen = ImGui::MenuItem(found.name, keys.c_str(), checked, is_available(app, found));
  name_item(fmt::format("item {}", id));
  if (id.starts_with("screenshot") && found.group == Group::output) tooltip(describe_screenshot_folder(app));
  if (chosen) run_command(app, id);
}

bool a_menu_is_open() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

void close_menus() {
  if (a_menu_is_open()) ImGui::ClosePopupToLevel(0, true);
}

void menu_bar(App& app, const Layout& layout) {
  // The arrow keys and Space work in an open menu; elsewhere they are commands.
  int& flags = ImGui::GetIO().ConfigFlags;
  flags = a_menu_is_open() ? flags | ImGuiConfigFlags_NavEnableKeyboard : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
  if (layout.menu.empty()) return;
  const float scale = layout.scale;
  const float padding = std::max(0.0F, (layout.menu.size().y - ImGui::GetFontSize()) * 0.5F);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, padding});
  ImGui::PushStyleColor(ImGuiCol_MenuBarBg, kPanelColor);
  begin_popup("menu", layout.menu, Vec2{0.0F}, 0.0F, ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoBringToFrontOnFocus);
  const bool open = ImGui::BeginMenuBar();
  ImGui::PopStyleVar();
  if (open) {
    const bool all_fit = fits(layout.menu.size().x);
    if (all_fit) menus(app, {scale});
    if (!all_fit && std::exchange(app.opened_menu, std::nullopt)) open_by_key("Menu");
    if (!all_fit && begin_menu("Menu", {scale})) {
      menus(app, {.scale = scale, .folds = true});
      ImGui::EndMenu();
    }
    ImGui::EndMenuBar();
  }
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace pchr::player
