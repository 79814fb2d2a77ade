// SPDX-License-Identifier: MIT
// Converts paths of std::filesystem, which have wide characters on Windows, from and to UTF-8.
#pragma once

#include <pchr/api.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace PCHR_API pchr {

/// Returns the path that UTF-8 text names. Neither this nor utf8_of() changes separators.
[[nodiscard]] std::filesystem::path path_from_utf8(std::string_view utf8);

/// Returns a path as UTF-8 text. std::filesystem::path::string() would use another encoding on Windows.
[[nodiscard]] std::string utf8_of(const std::filesystem::path& path);

}  // namespace pchr
