// SPDX-License-Identifier: MIT
#include "platform/file_state.hpp"

#include <windows.h>

namespace pchr::player {
namespace {

std::uint64_t joined(DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; }

}  // namespace

// The standard library of MinGW reports whole seconds, so it misses a file that is saved twice within one.
std::optional<FileState> file_state(const std::filesystem::path& path) {
  WIN32_FILE_ATTRIBUTE_DATA data;
  if (GetFileAttributesExW(path.c_str(), GetFileExInfoStandard, &data) == 0) return std::nullopt;
  if ((data.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return std::nullopt;
  const FILETIME& written = data.ftLastWriteTime;
  return FileState{static_cast<std::int64_t>(joined(written.dwHighDateTime, written.dwLowDateTime)),
                   joined(data.nFileSizeHigh, data.nFileSizeLow)};
}

}  // namespace pchr::player
