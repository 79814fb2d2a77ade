// SPDX-License-Identifier: MIT
#include "platform/user_folders.hpp"

#include <windows.h>

#include <knownfolders.h>
#include <shlobj.h>

#include <cstdlib>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

/// Returns the folder in an environment variable; empty unless the path is absolute.
fs::path folder_from(const wchar_t* variable) {
  const wchar_t* folder = _wgetenv(variable);
  return folder != nullptr && fs::path(folder).is_absolute() ? fs::path(folder) : fs::path();
}

fs::path known_folder(const KNOWNFOLDERID& id) {
  wchar_t* text = nullptr;
  fs::path folder;
  if (SUCCEEDED(SHGetKnownFolderPath(id, 0, nullptr, &text))) folder = text;
  CoTaskMemFree(text);
  return folder;
}

}  // namespace

fs::path home_folder() { return known_folder(FOLDERID_Profile); }
fs::path image_folder() { return known_folder(FOLDERID_Pictures); }

fs::path configuration_folder() {
  if (fs::path folder = folder_from(L"XDG_CONFIG_HOME"); !folder.empty()) return folder;
  return known_folder(FOLDERID_RoamingAppData);
}

std::vector<fs::path> root_folders() {
  std::vector<fs::path> drives;
  const DWORD present = GetLogicalDrives();
  for (wchar_t letter = L'A'; letter <= L'Z'; ++letter) {
    if ((present >> (letter - L'A') & 1) != 0) drives.emplace_back(std::wstring{letter, L':', L'\\'});
  }
  return drives;
}

}  // namespace pchr::player
