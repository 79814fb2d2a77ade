// SPDX-License-Identifier: MIT
// Settings saved between runs, in a file of `key = value` lines.
#pragma once

#include "app/app.hpp"
#include "app/window.hpp"

#include <filesystem>

namespace pchr::player {

/// Returns the path of pchr/player.conf in the user's configuration folder; empty if there is none.
[[nodiscard]] std::filesystem::path preferences_file();

/// Applies the settings in `text`. Ignores unknown keys and invalid values.
void apply_preferences(std::string_view text, App& app, WindowPlace& place);
/// Returns the settings as text. Keeps the lines of `before` with unknown keys, which may be a newer player's.
[[nodiscard]] std::string describe_preferences(const App& app, const WindowPlace& place, std::string_view before);

/// Returns the file's content; empty if it cannot be read.
[[nodiscard]] std::string read_preferences(const std::filesystem::path& file);
/// Writes the file as a whole. Ignores failures: the player still works without saved preferences.
void write_preferences(const std::filesystem::path& file, std::string_view text);

}  // namespace pchr::player
