// SPDX-License-Identifier: MIT
// Reads objects of numbers as programs usually write them, several times as fast as a parser. Any other text, valid or
// not, is left to the parser, which knows all of JSON and describes errors.
#pragma once

#include "compiler/compiler.hpp"
#include "import/json/field.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <system_error>

namespace pchr::json {

// A text must contain a closing brace after the value, which ends any scan, and then simdjson's padding.

[[nodiscard]] inline const char* skip_space(const char* text) noexcept {
  while (*text == ' ' || *text == '\n' || *text == '\r' || *text == '\t') ++text;
  return text;
}

[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_digits(const char* text, std::uint64_t& number) noexcept {
  for (; *text >= '0' && *text <= '9'; ++text) number = 10 * number + static_cast<std::uint64_t>(*text - '0');
  return text;
}

/// Reads a valid number of any length. Returns false if it is beyond the range of `double`, or if the standard library
/// has no function for this.
[[nodiscard]] inline bool round_exactly([[maybe_unused]] const char* text, [[maybe_unused]] const char* end,
                                        [[maybe_unused]] double& number) noexcept {
#ifdef __cpp_lib_to_chars
  return std::from_chars(text, end, number).ec == std::errc();
#else
  return false;
#endif
}

/// Reads a number without an exponent and rounds it correctly. Like the other overloads of `scan_value`, returns the
/// end of the number, or nullptr if it is left to the parser.
[[nodiscard]] inline const char* scan_value(const char* text, double& number) noexcept {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool is_negative = *text == '-';
  const char* const first = text + (is_negative ? 1 : 0);
  std::uint64_t digits = 0;
  const char* end = scan_digits(first, digits);
  if (end == first || (*first == '0' && end - first > 1)) return nullptr;
  std::ptrdiff_t decimals = 0;
  if (*end == '.') {
    const char* const decimals_start = end + 1;
    end = scan_digits(decimals_start, digits);
    decimals = end - decimals_start;
    if (decimals == 0) return nullptr;
  }
  if (end - first < std::ssize(kPowers)) {
    // Both are exact, so their quotient is rounded once.
    const double magnitude = static_cast<double>(digits) / kPowers[decimals];
    number = is_negative ? -magnitude : magnitude;
    return end;
  }
  return round_exactly(text, end, number) ? end : nullptr;
}

[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_value(const char* text, Field<float>& field) noexcept {
  double number = 0;
  const char* const end = scan_value(text, number);
  field.target = static_cast<float>(number);
  return std::isfinite(field.target) ? end : nullptr;
}

template <std::integral T>
[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_value(const char* text, Field<T>& field) noexcept {
  constexpr double kExact = 9007199254740992.0;
  double number = 0;
  const char* const end = scan_value(text, number);
  if (std::abs(number) > kExact) return nullptr;
  const auto whole = static_cast<std::int64_t>(number);
  field.target = static_cast<T>(whole);
  return static_cast<double>(whole) == number && whole >= field.min && whole <= field.max ? end : nullptr;
}

[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_value(const char* text, Field<bool>& field) noexcept {
  field.target = *text == 't';
  if (std::memcmp(text, "true", 4) == 0) return text + 4;
  return std::memcmp(text, "false", 5) == 0 ? text + 5 : nullptr;
}

[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_key(const char* text, std::string_view key) noexcept {
  const bool is_key =
      text[0] == '"' && text[key.size() + 1] == '"' && std::memcmp(text + 1, key.data(), key.size()) == 0;
  return is_key ? text + key.size() + 2 : nullptr;
}

/// Returns the next key after a field, the closing brace, or `text` if this is another field or left to the parser.
template <typename T>
[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_field(const char* text, Field<T>& field) noexcept {
  const char* end = scan_key(text, field.key.v1);
  if (end == nullptr) end = scan_key(text, field.key.pachario);
  if (end == nullptr || field.seen) return text;
  end = skip_space(end);
  if (*end != ':') return text;
  end = scan_value(skip_space(end + 1), field);
  if (end == nullptr) return text;
  end = skip_space(end);
  if (*end == ',') {
    end = skip_space(end + 1);
    if (*end != '"') return text;
  } else if (*end != '}') {
    return text;
  }
  field.seen = true;
  return end;
}

/// Reads an object that has all required fields, none of them twice, and no unknown ones. If it returns false, the
/// fields are unspecified.
template <typename... Fields>
[[nodiscard]] PCHR_ALWAYS_INLINE inline bool scan_object(const char* text, Fields&... fields) noexcept {
  if (*text != '{') return false;
  text = skip_space(text + 1);
  const char* start = nullptr;
  do {
    start = text;
    ((text = scan_field(text, fields)), ...);
  } while (text != start);
  return *text == '}' && ((fields.seen || !fields.required) && ...);
}

}  // namespace pchr::json
