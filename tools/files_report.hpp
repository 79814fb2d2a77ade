// SPDX-License-Identifier: MIT
// What inspect says about the files that a character was read from.
#pragma once

#include "json.hpp"

#include <pchr/character.hpp>

#include <filesystem>
#include <vector>

namespace pchr::tools {

/// Returns the files that `character` was read from. `announced` are those that the load looked at, also to decide
/// against them.
[[nodiscard]] std::vector<std::filesystem::path> files_read(const Character& character,
                                                            const std::vector<std::filesystem::path>& announced);

/// The animation files of an Unreal mesh, and all files, as text. Nothing of a character that is a single file.
void append_files(fmt::memory_buffer& out, const Character& character, const std::vector<std::filesystem::path>& files);

/// The same as two keys of a JSON object.
void append_files(JsonWriter& json, const Character& character, const std::vector<std::filesystem::path>& files);

}  // namespace pchr::tools
