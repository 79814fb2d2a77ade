// SPDX-License-Identifier: MIT
// What the player remembers from one time to the next: one plain file of `key = value` lines.
#pragma once

#include "app/app.hpp"
#include "app/window.hpp"

namespace pchr::player {

/// pchr/player.conf in the user's configuration folder; empty where there is none.
[[nodiscard]] std::filesystem::path preferences_file();

/// Takes from `text` what it says. Keys that are unknown and values that make no sense are passed over.
void apply_preferences(std::string_view text, App& app, WindowPlace& place);
/// The same settings as text, with the lines of `before` whose keys are unknown: those of a newer player, perhaps.
[[nodiscard]] std::string describe_preferences(const App& app, const WindowPlace& place, std::string_view before);

/// The content of that file; empty where it cannot be read.
[[nodiscard]] std::string read_preferences(const std::filesystem::path& file);
/// Writes `text` beside the file and renames it, so that it is never half written. Does nothing where that fails: a
/// player that cannot remember still plays.
void write_preferences(const std::filesystem::path& file, const std::string& text);

}  // namespace pchr::player
