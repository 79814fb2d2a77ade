// SPDX-License-Identifier: MIT
#include "platform/windows.hpp"

#include "platform/files.hpp"
#include "platform/utf8_path.hpp"

namespace pchr {
namespace {

/// CreateDirectory() leaves room for a short name below MAX_PATH.
constexpr std::size_t kMaxShortPath = 247;
constexpr std::wstring_view kLong = LR"(\\?\)", kLongServer = LR"(\\?\UNC\)", kServer = LR"(\\)";

std::wstring full_path(const std::wstring& path) {
  std::wstring full(GetFullPathNameW(path.c_str(), 0, nullptr, nullptr), L'\0');
  // Without the zero at the end.
  full.resize(GetFullPathNameW(path.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
  return full;
}

}  // namespace

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

std::wstring wide_path(std::string_view utf8) {
  std::wstring path = wide(utf8);
  if (path.empty() || path.starts_with(kLong)) return path;
  const std::wstring full = full_path(path);
  if (full.size() <= kMaxShortPath || full.starts_with(LR"(\\.\)")) return path;
  if (full.starts_with(kServer)) return std::wstring(kLongServer) + full.substr(kServer.size());
  return std::wstring(kLong) + full;
}

std::string narrow_path(std::wstring_view path) {
  if (path.starts_with(kLongServer))
    return narrow(std::wstring(kServer) + std::wstring(path.substr(kLongServer.size())));
  return narrow(path.substr(path.starts_with(kLong) ? kLong.size() : 0));
}

std::wstring own_program() {
  std::wstring path(MAX_PATH, L'\0');
  for (;;) {
    const DWORD length = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    if (length < path.size()) return path.substr(0, length);
    path.resize(path.size() * 2);
  }
}

void append_quoted(std::wstring& line, std::wstring_view argument) {
  line += line.empty() ? L"\"" : L" \"";
  std::size_t backslashes = 0;
  for (const wchar_t letter : argument) {
    // Backslashes are doubled only before a quotation mark.
    if (letter == L'"') line.append(backslashes + 1, L'\\');
    backslashes = letter == L'\\' ? backslashes + 1 : 0;
    line += letter;
  }
  line.append(backslashes, L'\\');
  line += L'"';
}

std::error_code last_error() noexcept { return {static_cast<int>(GetLastError()), std::system_category()}; }

std::string error_text(const std::error_code& error) {
  if (error.category() != std::system_category()) return error.message();
  switch (static_cast<unsigned>(error.value())) {
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return "another program is using it";
    case ERROR_INVALID_NAME:
      return "its name has characters that Windows does not allow";
    case ERROR_BAD_DEVICE:
      return "Windows reserves its name for a device";
    default:
      break;
  }
  const std::error_condition known = error.default_error_condition();
  if (known.category() == std::generic_category()) return known.message();
  return "Windows error " + std::to_string(error.value());
}

std::string error_text(unsigned long code) {
  return error_text(std::error_code(static_cast<int>(code), std::system_category()));
}

std::filesystem::path path_from_utf8(std::string_view utf8) { return wide_path(utf8); }

std::string utf8_of(const std::filesystem::path& path) { return narrow_path(path.native()); }

}  // namespace pchr
