// SPDX-License-Identifier: MIT
// Files and folders near a character, in the file system or among the program's own files, and their names.
#pragma once

#include "character/warnings.hpp"
#include "platform/files.hpp"

#include <pchr/import/import.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pchr {
/// An entry of a folder.
struct FolderEntry {
  std::string name;
  bool is_folder = false;
};
/// The entries of folders, by the path of the folder and by their folded names. Many names can be searched there.
using FolderEntries = std::unordered_map<std::string, std::unordered_map<std::string, std::vector<FolderEntry>>>;

/// Options of a reader that reads other files.
struct ReaderOptions : ImportOptions {
  /// Where files that belong to the character lie, by their real paths. Empty if links can lead anywhere.
  std::vector<std::string> real_folders{};
  /// Folders that were listed for this character. Copies of the options share them.
  std::shared_ptr<FolderEntries> listed = std::make_shared<FolderEntries>();
};

/// Returns the options for a reader of the file at `path`, which is empty for a character in memory.
[[nodiscard]] ReaderOptions reader_options(const ImportOptions& options, const std::string& path);

/// Reads a file that belongs to a character. Fails with `link_outside` if a link leads out of the character's folder.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_side_file(const std::string& path, std::uint64_t max_bytes,
                                                             const ReaderOptions& options, std::size_t padding = 0);

/// A file that a character names, or that its format names.
struct Companion {
  std::string name{};   ///< The name that it was found by.
  std::string found{};  ///< The name that it has, which can differ in case.
  bool exists = false;  ///< Whether there is such a file, even if it cannot be read.
  Expected<FileBytes, Diagnostic> file;
};

/// Reads the first of some files that exists. Their names are UTF-8 paths in the folder of the character, with slashes
/// or backslashes. Looks in `ImportOptions::images` first, then for exactly these names, and then for files whose names
/// differ in case: of each name the only one, with a warning. This also takes a kana and its voicing mark as one
/// character, and accepts names on disk in the encoding of the options (CP932 by default), as archives store them.
/// Fails with `image_path_refused` if the name leads out of the folder, `link_outside` if a link does,
/// `git_lfs_pointer`, `limit_exceeded`, and else with `unreadable_file`. The detail is a clause: "the file ...".
/// `only_exact` looks for no other case, which lists folders.
[[nodiscard]] Companion read_companion(std::span<const std::string> names, std::uint64_t max_bytes,
                                       const ReaderOptions& options, Warnings& warnings, std::size_t padding = 0,
                                       bool only_exact = false);

/// Reads the only file with this name in the same way.
[[nodiscard]] inline Companion read_companion(const std::string& name, std::uint64_t max_bytes,
                                              const ReaderOptions& options, Warnings& warnings) {
  return read_companion(std::span(&name, 1), max_bytes, options, warnings);
}

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

/// Returns the paths of the files and folders that `name`, a path with slashes or backslashes, can stand for below a
/// folder: the exact one, or those that differ in case. `name` contains no `..`. Does not enter links to somewhere
/// else.
[[nodiscard]] std::vector<std::string> find_names(const std::string& folder, std::string_view name,
                                                  const ReaderOptions& options = {});

/// Returns a name as UTF-8 in a form that is equal for names that differ in case, or that a disk stores in the encoding
/// of the options (CP932 by default).
[[nodiscard]] std::string folded_name(std::string_view name, const ImportOptions& options = {});

/// Returns a file name that is valid on every system: letters, digits, '-', '_' and '.', with '_' for everything else.
/// It is not empty, hidden, reserved on Windows or long.
[[nodiscard]] std::string safe_name(std::string_view name);

/// Returns safe names that end with `extension` once and differ even if case is ignored: the second hero becomes
/// hero-2.
[[nodiscard]] std::vector<std::string> safe_file_names(std::span<const std::string> names, std::string_view extension);

}  // namespace pchr
