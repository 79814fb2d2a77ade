// SPDX-License-Identifier: MIT
#include "platform/file_manager.hpp"

#include <windows.h>

#include <shellapi.h>

namespace pchr::player {

bool show_in_folder(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error).make_preferred();
  // Names cannot contain quotation marks.
  const std::wstring parameters = L"/select,\"" + absolute.native() + L"\"";
  SHELLEXECUTEINFOW command{};
  command.cbSize = sizeof(command);
  command.fMask = SEE_MASK_FLAG_NO_UI;
  command.lpFile = L"explorer.exe";
  command.lpParameters = parameters.c_str();
  command.nShow = SW_SHOWNORMAL;
  return ShellExecuteExW(&command) != 0;
}

}  // namespace pchr::player
