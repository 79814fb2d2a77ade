// SPDX-License-Identifier: MIT
// What reading and finding files needs from the system: posix_files.cpp and folders.cpp implement it, and web.cpp where
// there are no files. All paths are UTF-8.
#pragma once

#include "platform/read_file.hpp"

#include <pchr/callback.hpp>

namespace PCHR_API pchr {

enum class AllowedFiles : std::uint8_t { regular_files, all_files };

/// Reads a file of at most `max_bytes` bytes. Never blocks if only regular files are allowed.
[[nodiscard]] Expected<FileBytes, Diagnostic> read_from_system(const std::string& path, AllowedFiles allowed,
                                                               std::uint64_t max_bytes, std::size_t padding);

/// Returns the error of a file that exceeds the limit.
[[nodiscard]] Unexpected<Diagnostic> file_too_large(std::uint64_t max_bytes);

enum class FileKind : std::uint8_t { none, file, folder, link_to_folder, other };

/// Returns the kind of what is at a path, or `none`. Follows links.
[[nodiscard]] FileKind find_kind(const std::string& path);

/// Calls `visit` for each entry of a folder, in any order, until it returns false. Visits nothing if the folder cannot
/// be read.
void visit_system_folder(const std::string& path, const Callback<bool(const std::string& name, FileKind kind)>& visit);

/// Returns whether two paths lead to one file.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

/// Returns the absolute path of a folder without `.`, `..` or a slash at the end.
[[nodiscard]] std::string absolute_path(const std::string& folder);

/// Returns whether an absolute path is the user's home or the folder for temporary files.
[[nodiscard]] bool is_personal_folder(const std::string& path);

}  // namespace pchr
