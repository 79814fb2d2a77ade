// SPDX-License-Identifier: MIT
// Texts in JSON: their syntax, places in them, and the keys of a Pachario character in both dialects.
#pragma once

#include "character/fail.hpp"
#include "character/path.hpp"
#include "character/warnings.hpp"

#include <pchr/import/save.hpp>

#include <simdjson.h>

#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace pchr {
/// Number of bytes after a JSON text that the parser may read.
inline constexpr std::size_t kJsonPadding = simdjson::SIMDJSON_PADDING;

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

/// Starts to parse a text with padding. Throws std::bad_alloc if memory runs out: simdjson writes strings to a buffer
/// without checking that it could be allocated.
inline simdjson::error_code iterate(simdjson::ondemand::parser& parser, std::string_view text,
                                    simdjson::ondemand::document& document) {
  struct Access : simdjson::ondemand::document {
    static bool has_buffer(simdjson::ondemand::document& of) {
      return (of.*(&Access::iter)).string_buf_loc() != nullptr;
    }
  };
  const auto error = parser.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING).get(document);
  const bool is_memory = error == simdjson::MEMALLOC || (error == simdjson::SUCCESS && !Access::has_buffer(document));
  if (is_memory) throw_out_of_memory();
  return error;
}

/// Returns the detail of a diagnostic about a text that is not valid JSON.
inline std::string_view describe_syntax_error(simdjson::error_code error) {
  static constexpr std::pair<simdjson::error_code, std::string_view> kErrors[] = {
      {simdjson::EMPTY, "the text is empty"},
      {simdjson::UTF8_ERROR, "the text is not valid UTF-8"},
      {simdjson::UNESCAPED_CHARS, "a string contains a control character that is not escaped"},
      {simdjson::UNCLOSED_STRING, "a string is not closed"},
      {simdjson::STRING_ERROR, "a string contains an unknown escape sequence"},
      {simdjson::NUMBER_ERROR, "a number is malformed"},
      {simdjson::DEPTH_ERROR, "the text is nested too deeply"},
      {simdjson::INCOMPLETE_ARRAY_OR_OBJECT, "an array or object is not closed"},
      {simdjson::TRAILING_CONTENT, "text follows the end of the JSON object"}};
  for (const auto& [code, text] : kErrors) {
    if (code == error) return text;
  }
  return "expected a value, ',', ':' or a closing bracket";
}

/// Returns the offset of what follows the first object of a text, if anything does.
inline std::optional<std::size_t> find_text_after_object(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char each = text[i];
    if (in_string) {
      if (each == '\\') ++i;
      in_string = each != '"';
    } else if (each == '"') {
      in_string = true;
    } else if (each == '{' || each == '[') {
      ++depth;
    } else if ((each == '}' || each == ']') && depth > 0 && --depth == 0) {
      const std::size_t next = text.find_first_not_of(" \t\r\n", i + 1);
      return next == std::string_view::npos ? std::nullopt : std::optional(next);
    }
  }
  return std::nullopt;
}

}  // namespace pchr
