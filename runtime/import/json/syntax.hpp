// SPDX-License-Identifier: MIT
// Errors in the syntax of a JSON text.
#pragma once

#include "character/fail.hpp"

#include <simdjson.h>

#include <optional>
#include <string_view>
#include <utility>

namespace pchr {

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
