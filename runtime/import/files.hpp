// SPDX-License-Identifier: MIT
// Files and folders near a character, in the file system or among the program's own files, and their names.
#pragma once

#include "platform/files.hpp"

#include <pchr/import/import.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Returns whether a path stays inside its folder on every system: relative, without a drive, and never above its
/// start.
[[nodiscard]] bool stays_inside(std::string_view path);

/// Replaces backslashes, which separate folders on Windows, with slashes.
[[nodiscard]] std::string with_slashes(std::string_view path);

/// Finds the file `path` below `folder`. The path is UTF-8 with slashes or backslashes. If no file has exactly this
/// name, ignores case, treats a kana and its voicing mark as one character, and accepts names on disk in CP932, as
/// archives store them. Returns nothing if there is no such file, or if `path` is absolute or contains `..`. If
/// `options` replace the file system without listing folders, returns the path as it is.
[[nodiscard]] std::optional<std::string> find_file(const std::string& folder, std::string_view path,
                                                   const ImportOptions& options = {});

/// Returns the first of `ImportOptions::images` with the file name of `path`, ignoring case, if there is one.
[[nodiscard]] std::optional<std::string> find_given_image(std::string_view path, const ImportOptions& options);

/// Returns a file name that is valid on every system: letters, digits, '-', '_' and '.', with '_' for everything else.
/// It is not empty, hidden, reserved on Windows or long.
[[nodiscard]] std::string safe_name(std::string_view name);

/// Returns safe names that end with `extension` once and differ even if case is ignored: the second hero becomes
/// hero-2.
[[nodiscard]] std::vector<std::string> safe_file_names(std::span<const std::string> names, std::string_view extension);

}  // namespace pchr
