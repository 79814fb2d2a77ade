// SPDX-License-Identifier: MIT
// Characters of any format, for tests that mostly care for the character itself.
#pragma once

#include <pchr/import/import.hpp>

#include <cstddef>
#include <expected>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

namespace pchr {

/// A character that also has what its file says beside it.
struct ImportedCharacter : Character {
  explicit ImportedCharacter(Imported imported) : Character(imported.character), file(std::move(imported)) {}

  Imported file;
};

template <class Source>
[[nodiscard]] std::expected<ImportedCharacter, LoadError> imported_from(const Source& source,
                                                                        const ImportOptions& options) {
  auto imported = import_character(source, options);
  if (!imported) return std::unexpected(std::move(imported.error()));
  return ImportedCharacter(*std::move(imported));
}

[[nodiscard]] inline std::expected<ImportedCharacter, LoadError> load_character(const std::filesystem::path& path,
                                                                                const ImportOptions& options = {}) {
  return imported_from(path, options);
}
[[nodiscard]] inline std::expected<ImportedCharacter, LoadError> load_character(std::span<const std::byte> bytes,
                                                                                const ImportOptions& options = {}) {
  return imported_from(bytes, options);
}

/// What its file says beside the character, too.
[[nodiscard]] inline std::vector<Diagnostic> validate(const ImportedCharacter& character) {
  return validate(character.file);
}

}  // namespace pchr
