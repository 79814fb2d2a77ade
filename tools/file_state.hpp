// SPDX-License-Identifier: MIT
// Whether files and folders are as they were in an earlier run.
#pragma once

#include "sha256.hpp"

#include <limits>
#include <string>
#include <vector>

namespace pchr::tools {

/// What tells whether a file is as it was.
struct FileState {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();  ///< The largest number if the state is not known.
  /// See FileStatus. 0 if it can stay the same although the file changes: then only the hash tells.
  std::int64_t changed = 0;
  Hash sha256{};
  bool operator==(const FileState&) const = default;
};

/// Whether a state is that of a regular file that could be read.
[[nodiscard]] bool is_known(const FileState& state) noexcept;

/// Returns the state of a file before this program reads it. One that is not a regular file, or cannot be read, has a
/// state that is_same() never accepts.
[[nodiscard]] FileState state_to_read(const std::string& path);

/// Returns the state of a file that this program has written.
[[nodiscard]] FileState state_of_written(const std::string& path);

/// Returns whether a file is as it was. Reads it only if its size is the same but its time does not tell; then the time
/// in `state` becomes the current one.
[[nodiscard]] bool is_same(const std::string& path, FileState& state);

/// Returns the sorted names in a folder, or none if it does not exist. Leaves out the hidden files of this program.
[[nodiscard]] std::vector<std::string> names_in_folder(const std::string& folder);

}  // namespace pchr::tools
