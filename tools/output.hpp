// SPDX-License-Identifier: MIT
// Writes results to standard output and to files.
#pragma once

#include "common.hpp"

#include <filesystem>
#include <string_view>

namespace pchr::tools {

/// Writes all of `bytes` to standard output.
[[nodiscard]] Result<void> write_stdout(std::string_view bytes);

/// Writes a file beside `path` and renames it to `path`, so that a write that fails or is interrupted leaves
/// what was there. A device or a pipe is written directly.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace pchr::tools
