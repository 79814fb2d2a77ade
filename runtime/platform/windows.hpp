// SPDX-License-Identifier: MIT
// Handles, text and paths of Windows.
#pragma once

#include <pchr/api.hpp>

#include <windows.h>

#include <string>
#include <string_view>
#include <utility>

namespace PCHR_API pchr {

/// Others may do anything with a file that we have open.
inline constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// Closes a file at the end.
class Handle {
 public:
  explicit Handle(HANDLE handle = INVALID_HANDLE_VALUE) noexcept : handle_(handle) {}
  Handle(Handle&& other) noexcept : handle_(other.release()) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() {
    if (*this) CloseHandle(handle_);
  }

  explicit operator bool() const noexcept { return handle_ != INVALID_HANDLE_VALUE; }
  [[nodiscard]] HANDLE get() const noexcept { return handle_; }
  [[nodiscard]] HANDLE release() noexcept { return std::exchange(handle_, INVALID_HANDLE_VALUE); }

 private:
  HANDLE handle_;
};

/// Returns the path of an open file or folder without links and junctions, or nothing.
[[nodiscard]] std::string real_path_of(const Handle& handle);

/// Returns UTF-8 text in UTF-16. Invalid bytes become U+FFFD.
[[nodiscard]] std::wstring wide(std::string_view utf8);

/// Returns UTF-16 text in UTF-8. Unpaired surrogates, which file names can contain, become U+FFFD.
[[nodiscard]] std::string narrow(std::wstring_view utf16);

/// Returns the text of an error code of Windows, as error_text() in system_error.hpp does.
[[nodiscard]] std::string error_text(unsigned long code);

/// Returns a path for Windows functions. One that can be too long for some of them becomes absolute and starts with
/// `\\?\`.
[[nodiscard]] std::wstring wide_path(std::string_view utf8);

/// Returns a path in UTF-8, without the `\\?\` of a path that wide_path() made.
[[nodiscard]] std::string narrow_path(std::wstring_view path);

/// Returns the path of this program.
[[nodiscard]] std::wstring own_program();

/// Appends an argument to a command line so that CommandLineToArgvW and the C library return it unchanged.
void append_quoted(std::wstring& line, std::wstring_view argument);

}  // namespace pchr
