// SPDX-License-Identifier: MIT
// Files and folders near a character, in the file system or among the program's own files.
#pragma once

#include "platform/file_system.hpp"

#include <pchr/import/import.hpp>

namespace pchr {

/// Options of a reader that reads other files.
struct ReaderOptions : ImportOptions {
  /// Where files that belong to the character lie, by their real paths. Empty if links can lead anywhere.
  std::vector<std::string> real_folders{};
};

/// Returns the options for a reader of the file at `path`, which is empty for a character in memory.
[[nodiscard]] ReaderOptions reader_options(const ImportOptions& options, const std::string& path);

/// Reads a file that a character names. Fails with `link_outside` if a link leads out of the character's folder.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_side_file(const std::string& path, std::uint64_t max_bytes,
                                                             const ReaderOptions& options, std::size_t padding = 0);

/// Returns where a file lies that a search has found in its folder.
[[nodiscard]] std::vector<std::string> real_folders_of(const std::string& path, const ReaderOptions& options);

/// Reads such a file.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_found_file(const std::string& path, std::uint64_t max_bytes,
                                                              const ReaderOptions& options);

/// Calls `visit` for the path of each entry of a folder, in any order, until it returns false. Visits nothing if the
/// folder cannot be read, or if the options replace the file system without listing folders.
void visit_folder(const std::string& folder, const ImportOptions& options,
                  const Callback<bool(std::string path, FileKind kind)>& visit);

/// Returns an absolute path without `.` or `..`. The program's own files have no working directory, so their paths stay
/// relative.
[[nodiscard]] std::string absolute_folder(const std::string& folder, const ImportOptions& options);

}  // namespace pchr
