// SPDX-License-Identifier: MIT
// Writes JSON text.
#pragma once

#include <pchr/text.hpp>

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <iterator>
#include <span>
#include <string_view>
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

  JsonWriter& value(bool boolean) { return literal(boolean ? "true" : "false"); }

  JsonWriter& value(std::integral auto number) {
    separate();
    fmt::format_to(std::back_inserter(text), "{}", number);
    return *this;
  }

  /// The shortest digits that give the same number back: at most 9 for a float. Null where it is not finite.
  JsonWriter& value(std::floating_point auto number) {
    if (!std::isfinite(number)) return null();
    separate();
    fmt::format_to(std::back_inserter(text), "{}", number);
    return *this;
  }

  JsonWriter& null() { return literal("null"); }

  JsonWriter& array(std::span<const float> numbers) {
    begin_array();
    for (const float number : numbers) value(number);
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

  // What stands between the element before and the one that follows.
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
