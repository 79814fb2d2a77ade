// SPDX-License-Identifier: MIT
// Handles of Windows files.
#pragma once

#include <windows.h>

#include <string>
#include <utility>

namespace pchr {

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

}  // namespace pchr
