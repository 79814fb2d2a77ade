// SPDX-License-Identifier: MIT
// Reads files and folders, and tells what they are.
#pragma once

#include <pchr/callback.hpp>
#include <pchr/load.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace PCHR_API pchr {

/// Returns the error of the last system function: errno, or GetLastError() on Windows.
[[nodiscard]] std::error_code last_error() noexcept;

/// Returns the text of an error in English, such as "No such file or directory". On Windows,
/// std::error_code::message() answers in the user's language and an encoding that depends on it.
[[nodiscard]] std::string error_text(const std::error_code& error);

/// The bytes of a file, followed by padding that a parser can read.
struct FileBytes {
  std::vector<std::byte> storage;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return std::span(storage).first(size); }
};

/// Reads a file that another file refers to, or that was found near one. It must be a regular file of at most
/// `max_bytes` bytes. Pipes and devices are not even opened, and larger files not read, so this never blocks. `padding`
/// bytes follow the data. `reader`, if any, replaces the file system here and below. Throws std::bad_alloc if the
/// system is out of memory.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_file(const std::string& path, std::uint64_t max_bytes,
                                                        std::size_t padding = 0, const ReadFile& reader = {});

/// Real paths of folders, see real_path(). None means all.
using RealFolders = std::span<const std::string>;

/// Reads a file like read_file(), and fails with `link_outside` unless its real path lies below one of `folders`.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_file_below(RealFolders folders, const std::string& path,
                                                              std::uint64_t max_bytes, std::size_t padding = 0);

/// Reads a file that the user named. It can also be a pipe or a device, which is read until it ends or exceeds
/// `max_bytes`.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_named_file(const std::string& path, std::uint64_t max_bytes,
                                                              std::size_t padding = 0, const ReadFile& reader = {});

/// Reads standard input to its end. Fails if it has more than `max_bytes` bytes.
[[nodiscard]] Expected<std::vector<std::byte>, Diagnostic> read_standard_input(std::uint64_t max_bytes);

/// Returns an error if `bytes` are a Git LFS pointer, a small text that stands for a file in a repository. The
/// functions above fail with it too.
[[nodiscard]] std::optional<Diagnostic> find_lfs_pointer(std::span<const std::byte> bytes);

/// Fills `bytes` from `offset` of a regular file below one of `folders`. Returns false if the file is shorter, not a
/// regular file or elsewhere. Never blocks.
[[nodiscard]] bool read_part(RealFolders folders, const std::string& path, std::uint64_t offset,
                             std::span<std::byte> bytes);

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
/// Returns the error of a pipe, a device or a socket.
[[nodiscard]] Unexpected<Diagnostic> not_a_regular_file();

/// Returns the error of a file that exceeds the limit.
[[nodiscard]] Unexpected<Diagnostic> file_too_large(std::uint64_t max_bytes);

/// `other` is a device or a pipe.
enum class FileKind : std::uint8_t { none, file, folder, link_to_folder, other };

/// Returns the kind of what is at a path, or `none`. Follows links.
[[nodiscard]] FileKind find_kind(const std::string& path);

/// What tells that a file may have changed. Times are nanoseconds since 1970, as precise as the file system.
struct FileStatus {
  FileKind kind = FileKind::none;
  std::uint64_t bytes = 0;
  std::int64_t modified = 0;  ///< When its contents were last changed, or what a program has set.
  /// When anything was last changed, such as its name. No program can set this time, except on Windows.
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
