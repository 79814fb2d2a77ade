// SPDX-License-Identifier: MIT
// All actions, with their keys and places in the menus. Menus, keys, tooltips, the help window and docs/player.md are
// generated from this table.
#pragma once

#include "ui/app.hpp"

namespace pchr::player {

/// A key by the label on the user's keyboard: a GLFW key, or one of the characters ? / [ ].
struct KeyPress {
  int key = 0;
  int modifiers = 0;
  bool repeated = false;  ///< Key repeat.
};

/// A key, or a run of consecutive keys, with exactly these modifiers.
struct Chord {
  int key = 0;  ///< A GLFW key, or one of the characters ? / [ ]; 0 for none.
  int modifiers = 0;
  int value = 0;  ///< Passed to the command for the first key; each further key adds one.
  int count = 1;
};

enum class Menu : std::uint8_t { file, edit, view, playback, overlays, window, help, none };
inline constexpr std::array<const char*, 7> kMenuNames{"File",     "Edit",   "View", "Playback",
                                                       "Overlays", "Window", "Help"};

/// In the order of the menus. A menu separates the groups that it has commands of.
enum class Group : std::uint8_t {
  playing,
  speed,
  range,
  clips,
  mix,
  game,
  edit,
  parts,
  rig,
  states,
  bind_pose,
  view,
  compare,
  lineup,
  turntable,
  overlays,
  panels,
  scale,
  files,
  output,
  screenshots,
  window
};

struct GroupInfo {
  const char* name;
  bool submenu = false;  ///< Whether menus show the group as a submenu.
};
inline constexpr GroupInfo kGroups[] = {{"Playback"},     {"Speed and loops"}, {"Range"},
                                        {"Clips"},        {"Mixing", true},    {"Game", true},
                                        {"Undo"},         {"Selection"},       {"Rig", true},
                                        {"States", true}, {"Bind pose", true}, {"View"},
                                        {"Comparison"},   {"Lineup"},          {"Rotation", true},
                                        {"Overlays"},     {"Panels"},          {"Interface scale", true},
                                        {"Files"},        {"Output"},          {"Screenshot folder", true},
                                        {"Window"}};

struct Command {
  const char* id;
  Group group;
  Menu menu;                          ///< Where it is listed; `none` for keys only.
  const char* name;                   ///< The menu's label, or what its keys do if it is in no menu.
  const char* explanation = nullptr;  ///< One sentence without a period, for tooltips; null to use the name.
  std::array<Chord, 4> chords{};      ///< None for menus and buttons only.
  void (*run)(App&, int value) = nullptr;
  bool (*available)(const App&) = nullptr;  ///< Null if always available.
  bool (*checked)(const App&) = nullptr;    ///< Whether a switch is on; null for other commands.
  bool repeats = false;                     ///< Repeats while the key is held.
};

/// Returns all commands. A key runs the first available command that it is bound to.
[[nodiscard]] std::span<const Command> commands() noexcept;
/// Returns the command with that id, which must exist.
[[nodiscard]] const Command& command(std::string_view id) noexcept;
[[nodiscard]] bool is_available(const App& app, const Command& command) noexcept;
/// Returns the keys of a command, such as "I, Shift+O"; empty if it has none.
[[nodiscard]] std::string keys_of(const Command& command);
/// Returns the first of the keys of a command.
[[nodiscard]] std::string first_key_of(const Command& command);
/// Returns the tooltip of a command, such as "Play or pause (Space)".
[[nodiscard]] std::string tooltip_of(std::string_view id);
/// Returns the way to a command through the menus, such as "Playback > Mixing > Add layer"; empty if it is in none.
[[nodiscard]] std::string menu_path_of(const Command& command);
/// Returns the command tables of docs/player.md.
[[nodiscard]] std::string describe_commands();

/// Runs a command, if it is available, with the value of its first chord.
void run_command(App& app, std::string_view id);
/// Returns whether a key press works even while a text field has the focus: a function key, Alt or
/// Ctrl+Q.
[[nodiscard]] bool types_nothing(const KeyPress& press) noexcept;
void handle_key(App& app, const KeyPress& press);
/// Lets go of a key of a parameter, see press_key().
void release_key(App& app, int key);

}  // namespace pchr::player
