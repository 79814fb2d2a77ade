// SPDX-License-Identifier: MIT
// All keys and their actions. Tooltips, the help window and docs/player.md are generated from this table.
#pragma once

#include "app/app.hpp"
#include "app/window.hpp"

namespace pchr::player {

/// A key, or a run of consecutive keys, with exactly these modifiers.
struct Chord {
  int key = 0;  ///< A GLFW key, or one of the characters ? / [ ]; 0 for none.
  int modifiers = 0;
  int value = 0;  ///< Passed to the command for the first key; each further key adds one.
  int count = 1;
};

enum class Group : std::uint8_t {
  playing,
  clips,
  mix,
  game,
  rig,
  view,
  turntable,
  overlays,
  parts,
  compare,
  files,
  window
};

struct Command {
  const char* id;
  Group group;
  const char* name;
  std::array<Chord, 6> chords{};
  void (*run)(App&, int value) = nullptr;
  bool (*available)(const App&) = nullptr;  ///< Null if always available.
  bool repeats = false;                     ///< Repeats while the key is held.
  const char* explanation = nullptr;        ///< Tooltip text; null to use the name.
};

/// Returns all commands. A key runs the first available command that it is bound to.
[[nodiscard]] std::span<const Command> commands() noexcept;
/// Returns the command with that id, which must exist.
[[nodiscard]] const Command& command(std::string_view id) noexcept;
[[nodiscard]] bool is_available(const App& app, const Command& command) noexcept;
/// Returns the keys of a command, such as "Left, Shift+Left".
[[nodiscard]] std::string keys_of(const Command& command);
/// Returns the tooltip of a command, such as "Play or pause (Space)".
[[nodiscard]] std::string tooltip_of(std::string_view id);
/// Returns the key tables of docs/player.md.
[[nodiscard]] std::string describe_commands();

/// Runs a command with the value of its first chord.
void run_command(App& app, std::string_view id);
/// Returns whether a key press quits even while a text field has the focus.
[[nodiscard]] bool quits(const KeyPress& press) noexcept;
void handle_key(App& app, const KeyPress& press);

}  // namespace pchr::player
