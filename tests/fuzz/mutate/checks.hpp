// SPDX-License-Identifier: MIT
// Checks of a program's output and of changes to files.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pchr::mutate {

/// Describes content of `text` that is unsafe in a terminal or editor: invalid UTF-8, control characters other than
/// line feed and tab, and direction marks or invisible characters.
[[nodiscard]] std::optional<std::string> unprintable(std::string_view text);

/// Describes why `text` is not valid UTF-8 JSON.
[[nodiscard]] std::optional<std::string> not_json(std::string_view text);

/// Snapshot of a folder's files. Detects all changes, even if they restore a file's bytes.
class Snapshot {
 public:
  explicit Snapshot(const std::filesystem::path& folder);

  /// Describes a file that was changed, removed or added since.
  [[nodiscard]] std::optional<std::string> change() const;
  /// Describes a file that was changed or removed since.
  [[nodiscard]] std::optional<std::string> damage() const;

 private:
  struct File {
    std::uint64_t number = 0, bytes = 0, mode = 0;
    std::int64_t written = 0, changed = 0;  ///< Nanoseconds.
    bool operator==(const File&) const = default;
  };
  using Files = std::map<std::string, File>;
  [[nodiscard]] static Files files_of(const std::filesystem::path& folder);

  std::filesystem::path folder_;
  Files files_;
};

}  // namespace pchr::mutate
