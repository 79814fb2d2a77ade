// SPDX-License-Identifier: MIT
// Paths as text, for builds without a file system.
#pragma once

#include <pchr/api.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace PCHR_API pchr {

// These do what the functions of std::filesystem::path do on POSIX systems, and never look at files.

/// Returns `path` without `.`, repeated slashes, and names that a `..` follows.
[[nodiscard]] std::string normal_path(std::string_view path);

/// Returns the path of `name` in `folder`: `name` if it is absolute or `folder` is empty.
[[nodiscard]] std::string path_in(std::string_view folder, std::string_view name);

/// Returns the folder that contains a file or folder, or nothing if the path is only a name.
[[nodiscard]] std::string_view folder_of(std::string_view path) noexcept;

/// Returns the last name of a path: nothing if it ends with a slash.
[[nodiscard]] std::string_view file_name_of(std::string_view path) noexcept;

/// Returns the last name of a path without its extension.
[[nodiscard]] std::string_view stem_of(std::string_view path) noexcept;

/// Returns the extension of a path with its dot, or nothing.
[[nodiscard]] std::string_view extension_of(std::string_view path) noexcept;

/// Returns `path` with another extension.
[[nodiscard]] std::string with_extension(std::string_view path, std::string_view extension);

/// Returns the names in a path without `.`.
[[nodiscard]] std::vector<std::string_view> names_in(std::string_view path);

/// Returns the path of a file as seen from a folder, both normal. Returns nothing if only one of them is absolute.
[[nodiscard]] std::string path_from(std::string_view folder, std::string_view path);

}  // namespace pchr
