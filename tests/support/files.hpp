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

/// Returns a path as UTF-8 text, as the library takes it.
[[nodiscard]] inline std::string utf8_of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

/// Returns the path of a file in assets/, such as "quad.pchr".
[[nodiscard]] std::filesystem::path asset(const std::string& name);
/// Returns the path of a golden file in tests/golden/.
[[nodiscard]] std::filesystem::path golden(const std::string& name);
/// Returns a path in the build folder for a test's output, whose folder exists.
[[nodiscard]] std::filesystem::path output(const std::string& name);
/// Returns an empty folder there.
[[nodiscard]] std::filesystem::path fresh_folder(const std::string& name);
/// Returns whether to write golden files instead of comparing with them (PCHR_UPDATE_GOLDENS=1 in the environment).
[[nodiscard]] bool updating_goldens();

/// Returns the folder of the values that an independent program, tests/conformance/expect.py, computed for the samples.
[[nodiscard]] std::filesystem::path own_conformance_folder();

/// Returns the folder of third-party characters, if it exists.
[[nodiscard]] std::optional<std::filesystem::path> conformance_folder();
/// Returns its PCHR characters: `db_NAME/db_NAME.pchr`, each with `db_NAME.expected.json`. Empty if the folder does not
/// exist.
[[nodiscard]] std::vector<std::filesystem::path> conformance_characters();
/// Returns the files with an extension in a folder of it, or none.
[[nodiscard]] std::vector<std::filesystem::path> conformance_files(const std::string& folder,
                                                                   const std::string& extension);

}  // namespace pchr::test
