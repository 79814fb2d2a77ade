// SPDX-License-Identifier: MIT
// Paths and file names from files.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr {

/// Whether a path as written stays in its folder on every system: not absolute, no drive, never above its start.
[[nodiscard]] bool stays_inside(std::string_view path);

/// Replaces backslashes, which separate folders on Windows, by slashes.
[[nodiscard]] std::string with_slashes(std::string_view path);

/// Finds the file that `path`, in UTF-8 and with slashes of either kind, means below `folder`. Without one of that very
/// name, case is ignored, a kana and its voicing mark count as one, and a name on disk may be in CP932, as archives
/// keep it. Absent where there is no such file, or `path` is absolute or has `..`.
[[nodiscard]] std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                                             std::string_view path);

/// Makes a file name for any system: letters, digits, '-', '_' and '.', with '_' for all else; neither empty, hidden,
/// reserved on Windows nor long.
[[nodiscard]] std::string safe_name(std::string_view name);

/// Makes safe names that end in `extension` once and differ even where case is ignored: the second hero becomes hero-2.
[[nodiscard]] std::vector<std::string> safe_file_names(std::span<const std::string> names, std::string_view extension);

}  // namespace pchr
