// SPDX-License-Identifier: MIT
// Binary files in tests/diagnostics. Each is a small character with one mistake.
#pragma once

#include "support/files.hpp"

#include <map>
#include <string>

namespace pchr::test {

/// Returns file names and bytes. The files are committed; this code generated them.
[[nodiscard]] std::map<std::string, Bytes> diagnostic_files();

}  // namespace pchr::test
