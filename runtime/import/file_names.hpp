// SPDX-License-Identifier: MIT
// Paths and file names from files.
#pragma once

#include <pchr/import/import.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr {

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
