// SPDX-License-Identifier: MIT
// Writes JSON text.
#pragma once

#include <pchr/diagnostic.hpp>

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pchr::tools {

enum class Layout : bool {
  one_line,
  lines  ///< Each element on a line of its own.
};

/// Appends JSON to `text`, commas and indentation included. Keys and values come in document order; strings
/// may be any bytes and are made safe as json_escaped() does.
class JsonWriter {
 public:
  fmt::memory_buffer text;

  JsonWriter& begin_object(Layout layout = Layout::one_line) { return begin('{', layout); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array(Layout layout = Layout::one_line) { return begin('[', layout); }
  JsonWriter& end_array() { return end(']'); }

  JsonWriter& key(std::string_view name) {
    value(name);
    text.append(std::string_view(": "));
    after_key_ = true;
    return *this;
  }

  JsonWriter& value(std::string_view string) {
    separate();
    text.push_back('"');
    text.append(json_escaped(string));
    text.push_back('"');
    return *this;
  }
  JsonWriter& value(const char* string) { return value(std::string_view(string)); }
  JsonWriter& value(std::nullptr_t) { return literal("null"); }

  /// Booleans and numbers; floating-point ones with the shortest digits that give the same number back, and null where
  /// not finite.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  JsonWriter& value(Number number) {
    if constexpr (std::same_as<Number, bool>) return literal(number ? "true" : "false");
    if constexpr (std::floating_point<Number>) {
      if (!std::isfinite(number)) return value(nullptr);
    }
    separate();
    fmt::format_to(std::back_inserter(text), "{}", number);
    return *this;
  }

  template <class Value>
  JsonWriter& value(const std::optional<Value>& optional) {
    return optional ? value(*optional) : value(nullptr);
  }

  /// Numbers become an array on one line.
  template <std::ranges::range Range>
    requires std::is_arithmetic_v<std::ranges::range_value_t<Range>> && (!std::convertible_to<Range, std::string_view>)
  JsonWriter& value(const Range& numbers) {
    begin_array();
    for (const auto number : numbers) value(number);
    return end_array();
  }

  /// The number of an id; -1 for `none`.
  template <class Id>
    requires std::is_enum_v<Id>
  JsonWriter& value(Id id) {
    return value(static_cast<std::int32_t>(id));
  }

  /// Whatever `write` appends.
  JsonWriter& value(const std::invocable auto& write) {
    write();
    return *this;
  }

  /// Pairs of keys and values.
  template <class Value, class... More>
  JsonWriter& fields(std::string_view name, const Value& first, const More&... more) {
    key(name).value(first);
    if constexpr (sizeof...(more) > 0) fields(more...);
    return *this;
  }

  /// An object on one line, of pairs of keys and values.
  template <class... Fields>
  JsonWriter& object(const Fields&... pairs) {
    return begin_object().fields(pairs...).end_object();
  }

  /// A key and an array with an element on each line; `write` appends one.
  template <class Range, class Write>
  JsonWriter& list(std::string_view name, const Range& elements, const Write& write) {
    key(name).begin_array(Layout::lines);
    for (const auto& element : elements) write(element);
    return end_array();
  }

 private:
  struct Level {
    Layout layout = Layout::one_line;
    bool empty = true;
  };

  JsonWriter& begin(char bracket, Layout layout) {
    separate();
    text.push_back(bracket);
    levels_.push_back({layout});
    return *this;
  }

  JsonWriter& end(char bracket) {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.layout == Layout::lines && !level.empty) new_line();
    text.push_back(bracket);
    if (levels_.empty()) text.push_back('\n');
    return *this;
  }

  JsonWriter& literal(std::string_view word) {
    separate();
    text.append(word);
    return *this;
  }

  // Puts a comma and space between the element before and the one that follows.
  void separate() {
    if (after_key_ || levels_.empty()) {
      after_key_ = false;
      return;
    }
    Level& level = levels_.back();
    if (!level.empty) text.push_back(',');
    if (level.layout == Layout::lines) {
      new_line();
    } else if (!level.empty) {
      text.push_back(' ');
    }
    level.empty = false;
  }

  void new_line() { fmt::format_to(std::back_inserter(text), "\n{:{}}", "", 2 * levels_.size()); }

  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace pchr::tools
