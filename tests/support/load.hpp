// SPDX-License-Identifier: MIT
// Loads characters of any format, for tests that mostly need the character itself.
#pragma once

#include "support/files.hpp"

#include <pchr/import/import.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pchr {

/// A character together with other contents of its file.
struct ImportedCharacter : Character {
  explicit ImportedCharacter(Imported imported) : Character(imported.character), file(std::move(imported)) {}

  Imported file;
};

template <class Source>
[[nodiscard]] Expected<ImportedCharacter, LoadError> imported_from(const Source& source, const ImportOptions& options) {
  auto imported = import_character(source, options);
  if (!imported) return Unexpected(std::move(imported.error()));
  return ImportedCharacter(*std::move(imported));
}

[[nodiscard]] inline Expected<ImportedCharacter, LoadError> load_character(const std::filesystem::path& path,
                                                                           const ImportOptions& options = {}) {
  return imported_from(test::utf8_of(path), options);
}
[[nodiscard]] inline Expected<ImportedCharacter, LoadError> load_character(std::span<const std::byte> bytes,
                                                                           const ImportOptions& options = {}) {
  return imported_from(bytes, options);
}

/// Loads a character together with other contents of its file.
[[nodiscard]] inline std::vector<Diagnostic> validate(const ImportedCharacter& character) {
  return validate(character.file);
}

/// Loads a file in assets/, such as "kiri.pchr".
[[nodiscard]] inline ImportedCharacter load_asset(const std::string& name) {
  return load_character(test::asset(name)).value();
}

}  // namespace pchr
