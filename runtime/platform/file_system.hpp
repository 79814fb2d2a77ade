// SPDX-License-Identifier: MIT
// What reading and finding files needs from the system. All paths are UTF-8.
#pragma once

#include "platform/read_file.hpp"

#include <pchr/callback.hpp>

#include <optional>

namespace PCHR_API pchr {

enum class AllowedFiles : std::uint8_t { regular_files, all_files };

/// Reads a file of at most `max_bytes` bytes below one of `folders`. Never blocks if only regular files are allowed.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_from_system(const std::string& path, AllowedFiles allowed,
                                                               std::uint64_t max_bytes, std::size_t padding,
                                                               RealFolders folders = {});

/// Implements read_from_system(): `read` fills the start of a span and returns how many bytes it read, 0 at the end.
/// Reads until the end instead of trusting the `expected` size: pipes have none, and a file can grow in the meantime.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_until_end(
    std::uint64_t expected, std::uint64_t max_bytes, std::size_t padding,
    const Callback<Expected<std::size_t, Diagnostic>(std::span<std::byte> room)>& read);

/// Whether a real path lies below one of `folders`.
[[nodiscard]] bool is_below(RealFolders folders, const std::string& path);
/// Returns the error of a file that does not.
[[nodiscard]] Unexpected<Diagnostic> link_outside();

/// Returns the error of a file that exceeds the limit.
[[nodiscard]] Unexpected<Diagnostic> file_too_large(std::uint64_t max_bytes);

/// `other` is a device or a pipe.
enum class FileKind : std::uint8_t { none, file, folder, link_to_folder, other };

/// Returns the kind of what is at a path, or `none`. Follows links.
[[nodiscard]] FileKind find_kind(const std::string& path);

/// What tells that a file may have changed.
struct FileStatus {
  FileKind kind = FileKind::none;
  std::uint64_t bytes = 0;
  /// When the file was last changed: nanoseconds since 1970, as precise as the file system. Programs that keep the time
  /// of a file cannot keep this one, except on Windows.
  std::int64_t changed = 0;
  bool operator==(const FileStatus&) const = default;
};

/// Follows links. The kind is `none` if there is no file.
[[nodiscard]] FileStatus find_status(const std::string& path);

/// Calls `visit` for each entry of a folder, in any order, until it returns false. Visits nothing if the folder cannot
/// be read. Throws std::bad_alloc if the system is out of memory.
void visit_system_folder(const std::string& path, const Callback<bool(const std::string& name, FileKind kind)>& visit);

/// Equal for all paths that lead to one file.
struct FileIdentity {
  std::uint64_t volume = 0, file = 0;
  bool operator==(const FileIdentity&) const = default;
};

/// Follows links. Returns nothing if there is no file.
[[nodiscard]] std::optional<FileIdentity> find_identity(const std::string& path);

/// Returns whether two paths lead to one file.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

/// Returns the absolute path of a file or folder that exists, without links, or nothing.
[[nodiscard]] std::string real_path(const std::string& path);

/// Returns the absolute path of a folder without `.`, `..` or a slash at the end.
[[nodiscard]] std::string absolute_path(const std::string& folder);

/// Returns whether an absolute path is the user's home or the folder for temporary files.
[[nodiscard]] bool is_personal_folder(const std::string& path);

}  // namespace pchr
