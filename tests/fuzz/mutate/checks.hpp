// SPDX-License-Identifier: MIT
// What may be said about what a program has printed and done to files.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pchr::mutate {

/// Says what in `text` a terminal or an editor must not get: bytes that are not UTF-8, control characters other than
/// line feed and tab, and what changes the direction of text or cannot be seen.
[[nodiscard]] std::optional<std::string> unprintable(std::string_view text);

/// Says why `text` is not JSON in UTF-8.
[[nodiscard]] std::optional<std::string> not_json(std::string_view text);

/// The files of a folder, so that any change to them is seen: even one that restores a file's bytes.
class Snapshot {
 public:
  explicit Snapshot(const std::filesystem::path& folder);

  /// Says which file is changed, gone or new since then.
  [[nodiscard]] std::optional<std::string> change() const;
  /// Says which file is changed or gone since then.
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
