// SPDX-License-Identifier: MIT
#include "platform/user_folders.hpp"

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

/// Returns the folder in an environment variable; empty unless the path is absolute.
fs::path folder_from(const char* variable) {
  const char* folder = std::getenv(variable);
  return folder != nullptr && fs::path(folder).is_absolute() ? fs::path(folder) : fs::path();
}

}  // namespace

fs::path home_folder() { return folder_from("HOME"); }

fs::path configuration_folder() {
  if (fs::path folder = folder_from("XDG_CONFIG_HOME"); !folder.empty()) return folder;
  return home_folder().empty() ? fs::path() : home_folder() / ".config";
}

// The desktop names it in user-dirs.dirs.
fs::path image_folder() {
  const fs::path file = configuration_folder() / "user-dirs.dirs";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  std::ifstream stream(file);
  constexpr std::string_view kKey = "XDG_PICTURES_DIR=\"";
  constexpr std::string_view kHome = "$HOME/";
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(kKey) || !line.ends_with('"')) continue;
    const std::string folder = line.substr(kKey.size(), line.size() - kKey.size() - 1);
    return folder.starts_with(kHome) ? home_folder() / folder.substr(kHome.size()) : fs::path(folder);
  }
  return {};
}

std::vector<fs::path> root_folders() { return {"/"}; }

}  // namespace pchr::player
