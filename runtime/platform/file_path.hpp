// SPDX-License-Identifier: MIT
// Paths as UTF-8 text, for builds without a file system.
#pragma once

#include <pchr/api.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace PCHR_API pchr {

/// The rules for paths. Windows also has backslashes, drives such as `C:`, and servers such as `\\server`.
enum class PathStyle : std::uint8_t { posix, windows };

/// The style of this system.
#ifdef _WIN32
inline constexpr PathStyle kPathStyle = PathStyle::windows;
#else
inline constexpr PathStyle kPathStyle = PathStyle::posix;
#endif

// These do what the functions of std::filesystem::path do on systems of a style, and never look at files. They join
// names with slashes, and keep the separators that are there.

/// Returns `path` without `.`, repeated slashes, and names that a `..` follows. All separators become slashes.
[[nodiscard]] std::string normal_path(std::string_view path, PathStyle style = kPathStyle);

/// Returns the path of `name` in `folder`: `name` if it is absolute or `folder` is empty.
[[nodiscard]] std::string path_in(std::string_view folder, std::string_view name, PathStyle style = kPathStyle);

/// Returns the folder that contains a file or folder, or nothing if the path is only a name. The root contains itself.
[[nodiscard]] std::string_view folder_of(std::string_view path, PathStyle style = kPathStyle) noexcept;

/// Returns the last name of a path: nothing if it ends with a separator.
[[nodiscard]] std::string_view file_name_of(std::string_view path, PathStyle style = kPathStyle) noexcept;

/// Returns the last name of a path without its extension.
[[nodiscard]] std::string_view stem_of(std::string_view path, PathStyle style = kPathStyle) noexcept;

/// Returns the extension of a path with its dot, or nothing.
[[nodiscard]] std::string_view extension_of(std::string_view path, PathStyle style = kPathStyle) noexcept;

/// Returns `path` with another extension.
[[nodiscard]] std::string with_extension(std::string_view path, std::string_view extension,
                                         PathStyle style = kPathStyle);

/// Returns the names in a path without `.` and the root.
[[nodiscard]] std::vector<std::string_view> names_in(std::string_view path, PathStyle style = kPathStyle);

/// Returns the path of a file as seen from a folder, both normal. Returns nothing if only one of them is absolute, or
/// if they have different drives.
[[nodiscard]] std::string path_from(std::string_view folder, std::string_view path, PathStyle style = kPathStyle);

/// Returns whether Windows reserves the last name of a path for a device, such as CON or COM1, with any extension. Not
/// for paths that say so, such as `\\.\NUL`.
[[nodiscard]] bool is_device_name(std::string_view path, PathStyle style = kPathStyle) noexcept;

}  // namespace pchr
