// SPDX-License-Identifier: MIT
// Writes JSON.
#pragma once

#include <pchr/diagnostic.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pchr {

/// Appends JSON to `text`, with commas and indentation. Strings can be any bytes: see json_escaped().
class JsonWriter {
 public:
  enum Layout : std::uint8_t {
    one_line,
    lines,  ///< Each element on a line of its own.
    dense   ///< Without spaces, and so is everything inside.
  };

  std::string text;

  JsonWriter& begin_object(Layout layout = one_line) { return begin('{', layout); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array(Layout layout = one_line) { return begin('[', layout); }
  JsonWriter& end_array() { return end(']'); }

  JsonWriter& key(std::string_view name) {
    value(name);
    text += is_dense() ? ":" : ": ";
    after_key_ = true;
    return *this;
  }

  JsonWriter& value(std::string_view string) { return append('"' + json_escaped(string) + '"'); }
  JsonWriter& value(const char* string) { return value(std::string_view(string)); }
  JsonWriter& value(std::nullptr_t) { return append("null"); }

  template <std::integral Number>
  JsonWriter& value(Number number) {
    if constexpr (std::same_as<Number, bool>) return append(number ? "true" : "false");
    return append(std::to_string(number));
  }

  /// Appends a number with the fewest digits that read back exactly, and with an exponent only if that is below -4 or
  /// above 15. A number that is not finite is null.
  JsonWriter& value(std::floating_point auto number) {
    if (!std::isfinite(number)) return value(nullptr);
    char buffer[32];
    const char* const end = std::to_chars(buffer, std::end(buffer), number, std::chars_format::scientific).ptr;
    std::string digits(buffer, static_cast<std::size_t>(end - buffer));
    const std::size_t mark = digits.find('e');
    const int exponent = std::atoi(digits.c_str() + mark + 1);
    if (exponent < -4 || exponent > 15) return append(digits);
    digits.resize(mark);
    std::erase(digits, '.');
    const std::size_t first = digits[0] == '-' ? 1 : 0;
    if (exponent < 0) digits.insert(first, static_cast<std::size_t>(-exponent), '0');
    const std::size_t whole = first + 1 + static_cast<std::size_t>(exponent < 0 ? 0 : exponent);
    if (digits.size() < whole) digits.resize(whole, '0');
    if (digits.size() > whole) digits.insert(whole, 1, '.');
    return append(digits);
  }

  template <class Value>
  JsonWriter& value(const std::optional<Value>& optional) {
    return optional ? value(*optional) : value(nullptr);
  }

  /// Appends an array on one line.
  template <std::ranges::range Range>
    requires(!std::convertible_to<Range, std::string_view>)
  JsonWriter& value(const Range& elements) {
    begin_array();
    for (const auto& element : elements) value(element);
    return end_array();
  }

  /// Appends the number of an id, or -1 for `none`.
  template <class Id>
    requires std::is_enum_v<Id>
  JsonWriter& value(Id id) {
    return value(static_cast<std::int32_t>(id));
  }

  /// Calls `write`, which appends the value.
  JsonWriter& value(const std::invocable auto& write) {
    write();
    return *this;
  }

  template <class Value, class... More>
  JsonWriter& fields(std::string_view name, const Value& first, const More&... more) {
    key(name).value(first);
    if constexpr (sizeof...(more) > 0) fields(more...);
    return *this;
  }

  /// Appends an object on one line, from alternating keys and values.
  template <class... Fields>
  JsonWriter& object(const Fields&... pairs) {
    return begin_object().fields(pairs...).end_object();
  }

  /// Appends a value that is JSON already.
  JsonWriter& literal(std::string_view json) { return append(json); }

  /// Appends a document that another writer has written, indented.
  JsonWriter& document(std::string_view json) {
    separate();
    while (json.ends_with('\n')) json.remove_suffix(1);
    for (const char c : json) {
      text.push_back(c);
      if (c == '\n') text.append(2 * levels_.size(), ' ');
    }
    return *this;
  }

  /// Appends a key and either null or the value that `write` appends.
  template <class Value, class Write>
  JsonWriter& field_if(std::string_view name, const std::optional<Value>& optional, const Write& write) {
    key(name);
    if (!optional) return value(nullptr);
    write(*optional);
    return *this;
  }

  /// Appends a key and an array with one element per line, each appended by `write`.
  template <class Range, class Write>
  JsonWriter& list(std::string_view name, const Range& elements, const Write& write) {
    key(name).begin_array(lines);
    for (const auto& element : elements) write(element);
    return end_array();
  }

 private:
  struct Level {
    Layout layout;
    bool empty = true;
  };

  JsonWriter& begin(char bracket, Layout layout) {
    separate();
    text.push_back(bracket);
    levels_.push_back({is_dense() ? dense : layout});
    return *this;
  }

  JsonWriter& end(char bracket) {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.layout == lines && !level.empty) begin_line();
    text.push_back(bracket);
    if (levels_.empty() && level.layout != dense) text.push_back('\n');
    return *this;
  }

  JsonWriter& append(std::string_view word) {
    separate();
    text += word;
    return *this;
  }

  [[nodiscard]] bool is_dense() const { return !levels_.empty() && levels_.back().layout == dense; }

  /// Separates the next element from the previous one.
  void separate() {
    if (std::exchange(after_key_, false) || levels_.empty()) return;
    Level& level = levels_.back();
    if (!level.empty) text += level.layout == one_line ? ", " : ",";
    if (level.layout == lines) begin_line();
    level.empty = false;
  }

  void begin_line() { text.append(1, '\n').append(2 * levels_.size(), ' '); }

  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace pchr
