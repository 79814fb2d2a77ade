// SPDX-License-Identifier: MIT
#include "app/commands.hpp"

#include <GLFW/glfw3.h>

namespace pchr::player {
namespace {

// clang-format off
constexpr std::pair<int, const char*> kKeyNames[] = {
    {GLFW_KEY_SPACE, "Space"}, {GLFW_KEY_BACKSPACE, "Backspace"}, {GLFW_KEY_DELETE, "Delete"}, {GLFW_KEY_TAB, "Tab"},
    {GLFW_KEY_ESCAPE, "Esc"}, {GLFW_KEY_LEFT, "Left"}, {GLFW_KEY_RIGHT, "Right"}, {GLFW_KEY_UP, "Up"},
    {GLFW_KEY_DOWN, "Down"}, {GLFW_KEY_HOME, "Home"}, {GLFW_KEY_END, "End"}, {GLFW_KEY_PAGE_UP, "Page Up"},
    {GLFW_KEY_PAGE_DOWN, "Page Down"}, {GLFW_KEY_COMMA, "Comma"}, {GLFW_KEY_PERIOD, "Period"},
    {GLFW_KEY_LEFT_ALT, "Alt"}, {GLFW_KEY_ENTER, "Enter"}, {GLFW_KEY_KP_ENTER, "Numpad Enter"}, {GLFW_KEY_KP_SUBTRACT, "Numpad -"},
    {GLFW_KEY_KP_ADD, "Numpad +"}};
// clang-format on

std::string key_name(int key) {
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return fmt::format("F{}", key - GLFW_KEY_F1 + 1);
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return fmt::format("Numpad {}", key - GLFW_KEY_KP_0);
  const auto* found = std::ranges::find(kKeyNames, key, &std::pair<int, const char*>::first);
  return found != std::end(kKeyNames) ? found->second : std::string(1, static_cast<char>(key));
}

std::string chord_name(const Chord& chord) {
  std::string text = (chord.modifiers & GLFW_MOD_CONTROL) != 0 ? "Ctrl+" : "";
  if ((chord.modifiers & GLFW_MOD_SHIFT) != 0) text += "Shift+";
  text += key_name(chord.key);
  return chord.count > 1 ? text + " \u2013 " + key_name(chord.key + chord.count - 1) : text;
}

}  // namespace

std::string keys_of(const Command& command) {
  std::string text;
  for (const Chord& chord : command.chords) {
    if (chord.key != 0) text += (text.empty() ? "" : ", ") + chord_name(chord);
  }
  return text;
}

std::string first_key_of(const Command& command) {
  const Chord& first = command.chords.front();
  return first.key != 0 ? chord_name(first) : std::string();
}

std::string tooltip_of(std::string_view id) {
  const Command& found = command(id);
  const std::string keys = keys_of(found);
  const std::string text = found.explanation != nullptr ? found.explanation : found.name;
  return keys.empty() ? text : fmt::format("{} ({})", text, keys);
}

std::string menu_path_of(const Command& command) {
  if (command.menu == Menu::none) return {};
  const GroupInfo& group = kGroups[std::to_underlying(command.group)];
  const std::string submenu = group.submenu ? fmt::format("{} > ", group.name) : std::string();
  return fmt::format("{} > {}{}", kMenuNames[std::to_underlying(command.menu)], submenu, command.name);
}

std::string describe_commands() {
  std::string text;
  for (std::size_t group = 0; group < std::size(kGroups); ++group) {
    text += fmt::format("\n### {}\n\n| Key | Action | Menu |\n|---|---|---|\n", kGroups[group].name);
    for (const Command& each : commands()) {
      if (std::to_underlying(each.group) != group) continue;
      std::string action = each.explanation != nullptr ? each.explanation : each.name;
      std::ranges::replace(action, '\n', ' ');
      text += fmt::format("| {} | {} | {} |\n", keys_of(each), action, menu_path_of(each));
    }
  }
  return text;
}

}  // namespace pchr::player
