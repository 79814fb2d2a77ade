// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace pchr::player {

/// Opens the system's file manager with the folder of `path` and selects it, if the file manager can. Does not wait for
/// it. Returns false if there is no file manager.
bool show_in_folder(const std::filesystem::path& path);

/// Opens a file with the program that the system uses for its type. Does not wait for it. Returns false if there is
/// none.
bool open_with_default_program(const std::filesystem::path& path);

}  // namespace pchr::player
