// SPDX-License-Identifier: MIT
#include "platform/messages.hpp"

#include "platform/windows_text.hpp"

#include <windows.h>

namespace pchr::player {
namespace {

bool write_all(HANDLE file, std::string_view text) {
  while (!text.empty()) {
    DWORD written = 0;
    if (WriteFile(file, text.data(), static_cast<DWORD>(text.size()), &written, nullptr) == 0) return false;
    text.remove_prefix(written);
  }
  return true;
}

/// Writes to the console of the parent process. This process has none of its own.
bool write_to_console(std::string_view text) {
  if (AttachConsole(ATTACH_PARENT_PROCESS) == 0) return false;
  auto* const console =
      CreateFileW(L"CONOUT$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr);
  const std::wstring shown = wide(text);
  DWORD written = 0;
  const bool done = WriteConsoleW(console, shown.data(), static_cast<DWORD>(shown.size()), &written, nullptr) != 0;
  if (console != INVALID_HANDLE_VALUE) CloseHandle(console);
  FreeConsole();
  return done;
}

bool write(DWORD stream, std::string_view text, UINT icon) {
  auto* const file = GetStdHandle(stream);
  if (GetFileType(file) != FILE_TYPE_UNKNOWN) return write_all(file, text);
  if (!write_to_console(text)) MessageBoxW(nullptr, wide(text).c_str(), L"Pachario player", MB_OK | icon);
  return true;
}

}  // namespace

bool print_text(std::string_view text) { return write(STD_OUTPUT_HANDLE, text, MB_ICONINFORMATION); }
void print_error(std::string_view text) { static_cast<void>(write(STD_ERROR_HANDLE, text, MB_ICONERROR)); }

}  // namespace pchr::player
