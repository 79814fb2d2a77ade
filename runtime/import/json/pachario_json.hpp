// SPDX-License-Identifier: MIT
// The JSON of a Pachario character, in both dialects.
#pragma once

#include "character/path.hpp"
#include "character/warnings.hpp"

#include <pchr/import/save.hpp>

#include <limits>

namespace pchr {

/// Key in both dialects: of the PCHR v1 tool and of the exporter.
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

/// JSON text followed by simdjson's padding.
struct JsonText {
  std::string_view text;
  std::size_t file_offset = 0;
};

/// Returns whether a text uses the exporter's keys.
[[nodiscard]] bool is_pachario_dialect(std::string_view text) noexcept;

/// Sets the position of `diagnostic` to byte `offset` of the text.
void set_place(Diagnostic& diagnostic, const JsonText& json, std::size_t offset);

/// Finds the positions of all diagnostics that have a path but no line yet, in one pass over the text, and rewrites
/// their paths with the keys of the text. A missing value has the position of its object.
void locate(const JsonText& json, std::span<Diagnostic> diagnostics);

/// Character whose images have no bytes yet.
struct JsonCharacter {
  CharacterData data;
  std::vector<std::string> image_paths;  ///< As in the text, one per image.
  Warnings warnings;
};

/// Reads a JSON text. Keys can be in any order. The values of unknown keys are ignored, but must be valid JSON. Leaves
/// the checks of `build` to it. `warnings` come first in the result. Diagnostics have paths for `locate`.
[[nodiscard]] Expected<JsonCharacter, Diagnostic> parse_pachario_json(const JsonText& json, const Limits& limits,
                                                                      Warnings warnings = {});

/// Returns the JSON of a character whose images are PNG files at `image_paths`, one per image. Stops soon after
/// `max_bytes` to save memory.
[[nodiscard]] std::vector<std::byte> write_json(const CharacterData& data, JsonDialect dialect,
                                                std::span<const std::string> image_paths,
                                                std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace pchr
