// SPDX-License-Identifier: MIT
// Settings that outlive the player, in a file of `key = value` lines.
#pragma once

#include "app/app.hpp"
#include "app/window.hpp"

namespace pchr::player {

/// Returns pchr/player.conf in the user's configuration folder; empty without one.
[[nodiscard]] std::filesystem::path preferences_file();

/// Applies the settings in `text`. Unknown keys and invalid values are ignored.
void apply_preferences(std::string_view text, App& app, WindowPlace& place);
/// Returns the same settings as text, with the lines of `before` whose keys are unknown: perhaps a newer player's.
[[nodiscard]] std::string describe_preferences(const App& app, const WindowPlace& place, std::string_view before);

/// Returns the content of that file; empty where it cannot be read.
[[nodiscard]] std::string read_preferences(const std::filesystem::path& file);
/// Writes that file whole, or does nothing: a player that cannot remember still plays.
void write_preferences(const std::filesystem::path& file, std::string_view text);

}  // namespace pchr::player
