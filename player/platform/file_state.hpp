// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace pchr::player {

/// What changes when a file is saved.
struct FileState {
  std::int64_t modified = 0;  ///< In the system's units.
  std::uintmax_t bytes = 0;
  bool operator==(const FileState&) const = default;
};

/// Returns the current state of a file; nothing if it does not exist.
[[nodiscard]] std::optional<FileState> file_state(const std::filesystem::path& path);

}  // namespace pchr::player
