// SPDX-License-Identifier: MIT
// The files that were read, which no output may replace.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <utility>

namespace pchr::film {

/// Knows files by what they are, not by how they are spelled: another path, a symbolic link and a hard link to a file
/// are that file.
class InputFiles {
 public:
  /// Remembers the file that `path` leads to, if there is one.
  void add(const std::filesystem::path& path);
  /// Whether `path` leads to one of them.
  [[nodiscard]] bool contains(const std::filesystem::path& path) const;

 private:
  std::set<std::pair<dev_t, ino_t>> files_;
};

}  // namespace pchr::film
