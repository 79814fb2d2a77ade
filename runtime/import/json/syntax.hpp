// SPDX-License-Identifier: MIT
// Errors in the syntax of a JSON text.
#pragma once

#include <simdjson.h>

#include <string_view>
#include <utility>

namespace pchr {

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
      {simdjson::TRAILING_CONTENT, "text follows the end of the character"}};
  for (const auto& [code, text] : kErrors) {
    if (code == error) return text;
  }
  return "expected a value, ',', ':' or a closing bracket";
}

}  // namespace pchr
