// SPDX-License-Identifier: MIT
// Files that tests read and write.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pchr::test {

using Bytes = std::vector<std::byte>;

[[nodiscard]] Bytes read_file(const std::filesystem::path& path);
[[nodiscard]] std::string read_text(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// A file of assets/, such as "quad.pchr".
[[nodiscard]] std::filesystem::path asset(const std::string& name);
/// A committed reference of tests/golden/.
[[nodiscard]] std::filesystem::path golden(const std::string& name);
/// A path in the build folder for what a test writes; its folder exists.
[[nodiscard]] std::filesystem::path output(const std::string& name);
/// Whether to write golden references instead of comparing: PCHR_UPDATE_GOLDENS=1 in the environment.
[[nodiscard]] bool updating_goldens();

/// The folder of what an independent program, tests/conformance/expect.py, computed of the samples.
[[nodiscard]] std::filesystem::path own_conformance_folder();

/// The folder of characters made by others, where it is present.
[[nodiscard]] std::optional<std::filesystem::path> conformance_folder();
/// Its PCHR characters: `db_NAME/db_NAME.pchr`, each with `db_NAME.expected.json` beside it; empty where absent.
[[nodiscard]] std::vector<std::filesystem::path> conformance_characters();

}  // namespace pchr::test
