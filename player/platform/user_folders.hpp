// SPDX-License-Identifier: MIT
// Folders of the user and of the system.
#pragma once

#include <filesystem>
#include <vector>

namespace pchr::player {

/// Return folders of the user; empty if there is none. The first holds configuration files: $XDG_CONFIG_HOME, if it is
/// an absolute path, or else what the system uses.
/// @{
[[nodiscard]] std::filesystem::path configuration_folder();
[[nodiscard]] std::filesystem::path home_folder();
[[nodiscard]] std::filesystem::path image_folder();
/// @}

/// Returns the folders that contain all others: one, or the drives.
[[nodiscard]] std::vector<std::filesystem::path> root_folders();

}  // namespace pchr::player
