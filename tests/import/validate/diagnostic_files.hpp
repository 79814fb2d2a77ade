// SPDX-License-Identifier: MIT
// The binary files of tests/diagnostics: each is a small character with one thing wrong.
#pragma once

#include "support/files.hpp"

#include <map>
#include <string>

namespace pchr::test {

/// Name of the file to its bytes. The files are committed; this is what they were made with.
[[nodiscard]] std::map<std::string, Bytes> diagnostic_files();
/// Those of them that are artworks.
[[nodiscard]] std::map<std::string, Bytes> px_diagnostic_files();

}  // namespace pchr::test
