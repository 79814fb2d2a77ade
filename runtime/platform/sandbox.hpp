// SPDX-License-Identifier: MIT
// Gives up what a process does not need before it handles files from strangers. All paths are UTF-8.
#pragma once

#include <pchr/api.hpp>

#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace PCHR_API pchr {

/// Restrictions of all threads of this process, for good.
struct Sandbox {
  /// seccomp: files can be created but not opened. No network, no other processes, no debugging, no administration.
  bool seccomp = false;
  /// Landlock: version of its interface, or 0 if it is not in force. Files can only be created, renamed and removed in
  /// the given folders.
  int landlock = 0;
  /// A job object of Windows: no new processes.
  bool one_process = false;
  std::vector<std::string> missing{};  ///< Why the rest is not in force.
};

/// Locks this process down. It keeps its open files and its threads. `folders` must exist: files can be created,
/// renamed and removed in them and below.
[[nodiscard]] Sandbox enter_sandbox(const std::vector<std::string>& folders);

/// Removes all variables of the environment but those with the names `keep`, and sets others. Does nothing on Windows,
/// whose libraries need them.
void clear_environment(const std::vector<std::string>& keep,
                       const std::vector<std::pair<std::string, std::string>>& others);

/// Closes all files that this process has inherited but the standard streams. Call this before it opens others. Only on
/// Linux.
void close_inherited_files() noexcept;

/// Discards what this process writes to standard error, which can be a terminal. Does nothing on Windows.
void discard_standard_error() noexcept;

/// Limits the size of each file that this process writes. Writing more fails. Does nothing on Windows.
[[nodiscard]] std::error_code limit_file_size(std::uint64_t bytes);
/// Returns whether a write has failed because of that.
[[nodiscard]] bool has_exceeded_file_size() noexcept;

/// Limits the memory that this process can have, with what it has already.
[[nodiscard]] std::error_code limit_memory(std::uint64_t bytes);

}  // namespace pchr
