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
[[nodiscard]] bool stays_inside(std::string_view path) noexcept;

/// `path` with every backslash, which separates folders on Windows, as a slash.
[[nodiscard]] std::string with_slashes(std::string_view path);

/// The file that `path`, in UTF-8 and with slashes of either kind, means below `folder`. Where there is none of that
/// name, upper and lower case count alike, a kana and its voicing mark count as one, and a name on disk may be the
/// CP932 in which an archive kept it. Nothing if there is no such file, or `path` is absolute or climbs (`..`).
[[nodiscard]] std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                                             std::string_view path);

/// `name` made fit to name a file in any folder of any system: letters, digits, '-', '_' and '.', all else
/// replaced by '_'; neither empty, hidden, reserved on Windows nor long. A name that already is so stays.
[[nodiscard]] std::string safe_name(std::string_view name);

/// A safe name for each of `names`, ending in `extension` once. They differ even where case is ignored: the
/// second hero becomes hero-2.
[[nodiscard]] std::vector<std::string> safe_file_names(std::span<const std::string_view> names,
                                                       std::string_view extension);

}  // namespace pchr
