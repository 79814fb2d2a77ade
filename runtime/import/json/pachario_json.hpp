// SPDX-License-Identifier: MIT
// The JSON of a Pachario character, in both dialects.
#pragma once

#include "character/path.hpp"
#include "character/warnings.hpp"

#include <pchr/import/save.hpp>

#include <limits>

namespace pchr {

/// A key in each dialect: as PCHR v1's tool and as the exporter writes it.
struct JsonKey {
  std::string_view v1;
  std::string_view pachario = v1;

  constexpr JsonKey(const char* key) : v1(key) {}  // NOLINT(google-explicit-constructor)
  constexpr JsonKey(const char* v1_key, const char* pachario_key) : v1(v1_key), pachario(pachario_key) {}

  [[nodiscard]] constexpr std::string_view in(bool pachario_dialect) const { return pachario_dialect ? pachario : v1; }
};

inline constexpr JsonKey kParentKey{"parent", "parentIdx"};
inline constexpr JsonKey kImageKey{"image", "imageIdx"};
inline constexpr JsonKey kIndicesKey{"indices", "triangles"};

/// A JSON text with simdjson's padding behind it.
struct JsonText {
  std::string_view text;
  std::size_t file_offset = 0;
};

/// Whether a text names its keys as the exporter does.
[[nodiscard]] bool is_pachario_dialect(std::string_view text) noexcept;

/// Sets the place of `diagnostic` to byte `offset` of the text.
void set_place(Diagnostic& diagnostic, const JsonText& json, std::size_t offset);

/// Finds the places of all diagnostics that have a path and no line yet, in one pass over the text, and spells their
/// paths as the text does. A missing value is placed where its object begins.
void locate(const JsonText& json, std::span<Diagnostic> diagnostics);

/// A character whose images have no bytes yet.
struct JsonCharacter {
  CharacterData data;
  std::vector<std::string> image_paths;  ///< As written, one per image.
  Warnings warnings;
};

/// Reads a JSON text. Keys may come in any order; unknown ones are ignored, but must be JSON. Checks nothing that
/// `build` checks. `warnings` come first among the result's. Diagnostics have paths for `locate`.
[[nodiscard]] std::expected<JsonCharacter, Diagnostic> parse_pachario_json(const JsonText& json, const Limits& limits,
                                                                           Warnings warnings = {});

/// Returns the JSON of a character whose images are PNG files at `image_paths`, one per image. Leaves out what follows
/// `max_bytes`, so that no memory is taken for it.
[[nodiscard]] std::vector<std::byte> write_json(const CharacterData& data, JsonDialect dialect,
                                                std::span<const std::string> image_paths,
                                                std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace pchr
