// SPDX-License-Identifier: MIT
#include "platform/file_manager.hpp"

#include "platform/utf8_path.hpp"
#include "platform/windows_text.hpp"

#include <windows.h>

#include <shellapi.h>

namespace pchr::player {

bool show_in_folder(const std::filesystem::path& path) {
  // Explorer does not know the prefix of long paths, which UTF-8 paths do not have.
  std::error_code error;
  const auto absolute = std::filesystem::absolute(wide(utf8_of(path)), error).make_preferred();
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

bool open_with_default_program(const std::filesystem::path& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(wide(utf8_of(path)), error).make_preferred();
  SHELLEXECUTEINFOW command{};
  command.cbSize = sizeof(command);
  command.fMask = SEE_MASK_FLAG_NO_UI;
  command.lpFile = absolute.c_str();
  command.nShow = SW_SHOWNORMAL;
  return ShellExecuteExW(&command) != 0;
}

}  // namespace pchr::player
