// SPDX-License-Identifier: MIT
// The menu bar, the menus that a right click opens, and the help.
#include "ui/commands.hpp"
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
  OpenRequests& requests = app.requests;
  if (!begin_menu("Open recent", style, !requests.recent.empty())) return;
  const std::size_t count = std::min(requests.recent.size(), kRecentInMenu);
  for (std::size_t i = 0; i < count; ++i) {
    const std::filesystem::path path = requests.recent[i];
    ImGui::PushID(static_cast<int>(i));
    const bool chosen = ImGui::MenuItem(full_label(shown_path(path.filename())).c_str());
    ImGui::PopID();
    name_item("item recent", i);
    tooltip(shown_path(path));
    if (chosen) open_files(requests, {path});
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Clear list")) requests.recent.clear();
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
    const auto left = key_index(ImGuiKey_LeftArrow);
    const auto right = key_index(ImGuiKey_RightArrow);
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

namespace {

/// The first line of a menu: what it is about.
void about(std::string_view text) {
  label(text);
  ImGui::Separator();
}

/// An item that is no command.
bool item(const char* text, const char* name, bool enabled = true) {
  const bool chosen = ImGui::MenuItem(text, nullptr, false, enabled);
  name_item(name);
  return chosen;
}

/// Lists everything under the mouse, front to back.
void behind_menu(App& app) {
  Selection& selection = app.document()->selection;
  const Character& character = app.document()->character();
  if (!ImGui::BeginMenu("Select", selection.stack.size() > 1)) return name_item("menu Select");
  // A choice replaces the stack.
  const std::vector<Pick> stack = selection.stack;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const auto [mesh, bone] = stack[i];
    const std::string& name = mesh ? character.meshes()[*mesh].name : character.bones()[*bone].name;
    const bool selected = selection.mesh == mesh && (mesh || selection.bone == bone);
    if (ImGui::MenuItem(full_label(name).c_str(), mesh ? nullptr : "Bone", selected)) {
      mesh ? select_mesh(selection, character, *mesh) : select_bone(selection, *bone);
    }
    name_item("item select", i);
    ImGui::PopID();
  }
  ImGui::EndMenu();
}

/// What can be done with the lineup's character under the mouse.
void lineup_menu(App& app) {
  if (!lining_up(app)) return;
  if (app.lineup.selected != nullptr) {
    about(app.lineup.selected->document.name());
    command_item(app, "lineup-activate");
    command_item(app, "lineup-remove");
  }
  command_item(app, "lineup-clear");
  ImGui::Separator();
}

void canvas_menu(App& app) {
  lineup_menu(app);
  Selection& selection = app.document()->selection;
  const Character& character = app.document()->character();
  std::string what;
  if (selection.mesh) what = character.meshes()[*selection.mesh].name;
  if (selection.bone) what += (what.empty() ? "" : " \u00B7 ") + character.bones()[*selection.bone].name;
  if (!what.empty()) {
    about(what);
    command_item(app, "hide");
    command_item(app, "solo");
    command_item(app, "solo-subtree");
    if (item("Select bone", "item select-bone", selection.mesh && selection.bone)) {
      select_bone(selection, *selection.bone);
    }
    behind_menu(app);
    command_item(app, "select-none");
    ImGui::Separator();
  }
  command_item(app, "weights");
  command_item(app, "trail");
  command_item(app, "skeleton");
  ImGui::Separator();
  command_item(app, "show-all");
  command_item(app, "fit");
}

void clip_menu(App& app, ClipId id) {
  const Clip& clip = app.document()->character().clips()[id];
  const bool playable = clip.frame_count > 0;
  about(clip.name.empty() ? "(unnamed)" : clip.name);
  if (item("Play", "item play-clip", playable)) {
    set_mode(app, PlaybackMode::clip);
    choose_clip(app.playback, app.document()->character(), id);
  }
  if (item("Compare with this", "item compare-clip", playable)) {
    if (!comparing(app)) set_compare_mode(app, CompareMode::side_by_side);
    compare_clip(app, id);
  }
  if (item("Mix from this", "item mix-from-clip", playable && app.playback.clip)) {
    set_mode(app, PlaybackMode::mix);
    if (Mix* mix = app.playback.mix()) set_from(*mix, id);
  }
  if (item("Mix to this", "item mix-to-clip", playable && app.playback.clip)) {
    set_mode(app, PlaybackMode::mix);
    if (Mix* mix = app.playback.mix()) fade_to(*mix, id);
  }
  ImGui::Separator();
  if (item("Export...", "item export-clip", playable && !app.exports.running)) {
    set_mode(app, PlaybackMode::clip);
    choose_clip(app.playback, app.document()->character(), id);
    app.exports.options.clips = ExportClips::one;
    if (!app.exports.open) toggle_exports(app);
  }
  if (item("Copy name", "item copy-clip")) ImGui::SetClipboardText(printable(clip.name).c_str());
}

/// Lists the markers of a clip; one that is chosen is shown.
void markers_menu(App& app, ClipId clip) {
  const auto markers = app.document()->markers->of_clip(clip);
  if (!ImGui::BeginMenu("Go to marker", !markers.empty())) return name_item("menu Go to marker");
  for (std::size_t i = 0; i < markers.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const std::string frame = fmt::format("{}", markers[i].frame);
    if (ImGui::MenuItem(full_label(markers[i].name).c_str(), frame.c_str())) seek_frame(app.playback, markers[i].frame);
    name_item("item marker", i);
    ImGui::PopID();
  }
  ImGui::EndMenu();
}

void timeline_menu(App& app, std::uint32_t frame) {
  const auto at = playhead(app.playback);
  if (!at) return ImGui::CloseCurrentPopup();
  const Character& character = app.document()->character();
  const std::uint32_t last = std::max(character.clips()[at->clip].frame_count, 1U) - 1;
  frame = std::min(frame, last);
  about(fmt::format("Frame {}", frame));
  if (item("Go here", "item go-here")) seek_frame(app.playback, frame);
  markers_menu(app, at->clip);
  if (item("Copy frame number", "item copy-frame")) ImGui::SetClipboardText(fmt::format("{}", frame).c_str());
  if (!app.playback.shows_clip()) return;
  ImGui::Separator();
  const FrameRange range = app.playback.clock.range().value_or(FrameRange{0, last});
  if (item(command("range-start").name, "item start-here")) {
    set_range(app.playback, character, FrameRange{frame, std::max(frame, range.last)});
  }
  if (item(command("range-end").name, "item end-here")) {
    set_range(app.playback, character, FrameRange{std::min(frame, range.first), frame});
  }
  command_item(app, "no-range");
}

bool still_exists(const App& app, const ContextMenu& menu) {
  if (!app.document()) return false;
  return menu.on != MenuOn::clip || app.document()->character().clips().contains(menu.clip);
}

}  // namespace

void context_menu(App& app) {
  ContextMenu& menu = app.menu;
  if (std::exchange(menu.opens, false)) ImGui::OpenPopup("context");
  if (!ImGui::BeginPopup("context")) return;
  const Vec2 corner = ImGui::GetWindowPos();
  name_area("context menu", {corner, corner + Vec2(ImGui::GetWindowSize())});
  if (!still_exists(app, menu)) {
    ImGui::CloseCurrentPopup();
  } else if (menu.on == MenuOn::canvas) {
    canvas_menu(app);
  } else if (menu.on == MenuOn::clip) {
    clip_menu(app, menu.clip);
  } else {
    timeline_menu(app, menu.frame);
  }
  ImGui::EndPopup();
}

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
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key_index(key)); };
  const bool up = ImGui::IsItemActive() && pressed(ImGuiKey_UpArrow) && app.help_row > 0;
  const bool down = ImGui::IsItemActive() && pressed(ImGuiKey_DownArrow);
  if (up) --app.help_row;
  if (down) ++app.help_row;
  const bool left = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(key_index(ImGuiKey_Escape));
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
