// SPDX-License-Identifier: MIT
#include "platform/windows_text.hpp"

#include <windows.h>

#include <system_error>

namespace pchr {

std::wstring wide(std::string_view utf8) {
  const int size = static_cast<int>(utf8.size());
  std::wstring utf16(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, utf16.data(), static_cast<int>(utf16.size()));
  return utf16;
}

std::string narrow(std::wstring_view utf16) {
  const int size = static_cast<int>(utf16.size());
  const int needed = WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, nullptr, 0, nullptr, nullptr);
  std::string utf8(static_cast<std::size_t>(needed), '\0');
  WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, utf8.data(), needed, nullptr, nullptr);
  return utf8;
}

// FormatMessage answers in the language of the user and in an encoding that depends on it.
std::string error_text(unsigned long code) {
  if (code == ERROR_SHARING_VIOLATION || code == ERROR_LOCK_VIOLATION) return "another program is using it";
  if (code == ERROR_INVALID_NAME) return "its name has characters that Windows does not allow";
  const std::error_condition known = std::system_category().default_error_condition(static_cast<int>(code));
  if (known.category() == std::generic_category()) return known.message();
  return "Windows error " + std::to_string(code);
}

}  // namespace pchr
