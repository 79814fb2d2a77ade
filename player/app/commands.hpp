// SPDX-License-Identifier: MIT
// Everything that a key does, in one table: keys, tooltips, the help window and docs/player.md come from it.
#pragma once

#include "app/app.hpp"
#include "app/window.hpp"

#include <span>

namespace pchr::player {

/// A key, or keys that follow each other, with exactly these modifiers.
struct Chord {
  int key = 0;  ///< A GLFW key, or one of the characters ? / [ ]; 0: none.
  int modifiers = 0;
  int value = 0;  ///< Given to the command; of further keys one more each.
  int count = 1;
};

enum class CommandGroup : std::uint8_t {
  playing,
  clips,
  mix,
  game,
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
  CommandGroup group;
  const char* name;                   ///< What it does.
  const char* explanation = nullptr;  ///< More about that, for tooltips.
  std::array<Chord, 6> chords{};
  bool (*available)(const App&) = nullptr;  ///< Null: always.
  void (*run)(App&, int value) = nullptr;
  bool repeats = false;  ///< Goes on while the key is held.
};

/// Returns all commands. Where a key has several, the first that is available is run.
[[nodiscard]] std::span<const Command> commands() noexcept;
/// Returns the command with that id, which must exist.
[[nodiscard]] const Command& command(std::string_view id) noexcept;
[[nodiscard]] bool is_available(const App& app, const Command& command) noexcept;
/// Returns the keys of a command, such as "Left, Shift+Left".
[[nodiscard]] std::string keys_of(const Command& command);
/// Returns what a command does, with its keys: "Play or pause (Space)".
[[nodiscard]] std::string tooltip_of(std::string_view id);
/// Returns the tables of docs/player.md.
[[nodiscard]] std::string describe_commands();

/// Runs a command, with the value of its first chord unless another is given.
void run_command(App& app, std::string_view id);
/// Returns whether a key press quits wherever the keyboard's focus is.
[[nodiscard]] bool quits(const KeyPress& press) noexcept;
/// Does what `press` means; other keys do nothing.
void handle_key(App& app, const KeyPress& press);

}  // namespace pchr::player
