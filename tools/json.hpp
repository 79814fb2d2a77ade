// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/diagnostic.hpp>

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

namespace pchr::tools {

enum class Layout : bool {
  one_line,
  lines  ///< Each element on a line of its own.
};

/// Appends JSON to `text`, with commas and indentation. Strings can be any bytes: see json_escaped().
class JsonWriter {
 public:
  std::string text;

  JsonWriter& begin_object(Layout layout = Layout::one_line) { return begin('{', layout); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array(Layout layout = Layout::one_line) { return begin('[', layout); }
  JsonWriter& end_array() { return end(']'); }

  JsonWriter& key(std::string_view name) {
    value(name);
    text += ": ";
    after_key_ = true;
    return *this;
  }

  JsonWriter& value(std::string_view string) { return append('"' + json_escaped(string) + '"'); }
  JsonWriter& value(const char* string) { return value(std::string_view(string)); }
  JsonWriter& value(std::nullptr_t) { return append("null"); }

  /// Appends a boolean or number. Floating-point numbers have the fewest digits that read back exactly; values that are
  /// not finite are null.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  JsonWriter& value(Number number) {
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
    if (level.layout == Layout::lines && !level.empty) begin_line();
    text.push_back(bracket);
    if (levels_.empty()) text.push_back('\n');
    return *this;
  }

  JsonWriter& append(std::string_view word) {
    separate();
    text += word;
    return *this;
  }

  // Separates the next element from the previous one.
  void separate() {
    if (std::exchange(after_key_, false) || levels_.empty()) return;
    Level& level = levels_.back();
    if (!level.empty) text += level.layout == Layout::lines ? "," : ", ";
    if (level.layout == Layout::lines) begin_line();
    level.empty = false;
  }

  void begin_line() { text.append(1, '\n').append(2 * levels_.size(), ' '); }

  std::vector<Level> levels_;
  bool after_key_ = false;
};

/// Version of the JSON that the tool prints. Keys can be added within a version, but none is renamed or removed.
inline constexpr int kJsonVersion = 1;

/// Returns nothing, which is null in JSON, for an empty text.
[[nodiscard]] inline std::optional<std::string_view> if_any(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

[[nodiscard]] inline std::string_view severity_name(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

/// Appends a diagnostic as an object on one line. Positions that are unknown are null.
inline void append_diagnostic(JsonWriter& json, const Diagnostic& diagnostic) {
  const auto positive = [](std::uint32_t number) { return number > 0 ? std::optional(number) : std::nullopt; };
  json.object("id", code(diagnostic.id), "severity", severity_name(severity(diagnostic.id)), "message",
              message(diagnostic.id), "path", diagnostic.path, "name", diagnostic.name, "offset",
              diagnostic.byte_offset, "line", positive(diagnostic.line), "column", positive(diagnostic.column),
              "detail", diagnostic.detail);
}

}  // namespace pchr::tools
