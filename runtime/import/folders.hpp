// SPDX-License-Identifier: MIT
// Lists folders of the file system, or those of the program's own files.
#pragma once

#include <pchr/import/import.hpp>

#include <filesystem>

namespace pchr {

/// Entry of a folder.
struct FolderEntry {
  enum class Kind : std::uint8_t { file, folder, link_to_folder, other };
  std::filesystem::path path;
  Kind kind = Kind::other;
};

/// Calls `visit` for each entry of a folder, in any order, until it returns false. Visits nothing if the folder cannot
/// be read, or if the options replace the file system without listing folders.
void visit_folder(const std::filesystem::path& folder, const ImportOptions& options,
                  const Callback<bool(const FolderEntry& entry)>& visit);

/// Returns an absolute path without `.` or `..`. The program's own files have no working directory, so their paths stay
/// relative.
[[nodiscard]] std::filesystem::path absolute_folder(const std::filesystem::path& folder, const ImportOptions& options);

}  // namespace pchr
