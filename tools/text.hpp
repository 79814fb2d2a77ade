// SPDX-License-Identifier: MIT
// Names, numbers and tables for people, and JSON for programs.
#pragma once

#include "character/json.hpp"

#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr::tools {

/// Returns a printable name; `""` for an empty one.
[[nodiscard]] std::string shown(std::string_view name);
/// Returns a number with thousands separators: 12,345.
[[nodiscard]] std::string grouped(std::uint64_t number);
/// Returns a grouped number and its noun. The plural is `many`, or `one` and "s".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many = "");

using Cells = std::vector<std::string>;

/// A table of printable cells under column titles.
class Table {
 public:
  /// A title that begins with '>' aligns its column right. A first title ">" adds a column "#" of row numbers from 0.
  explicit Table(Cells titles);
  void add(Cells cells);
  void append_to(std::string& out) const;

 private:
  bool numbered_;
  std::vector<bool> align_right_;
  std::vector<Cells> rows_;  ///< The first row holds the titles.
};

/// Appends a heading and, unless `elements` is empty, a table with a row for each.
template <class Range, class ToRow>
void append_table(std::string& out, const std::string& heading, Cells titles, const Range& elements,
                  const ToRow& to_row) {
  out += '\n' + heading + '\n';
  Table table(std::move(titles));
  for (const auto& element : elements) table.add(to_row(element));
  if (std::ranges::begin(elements) != std::ranges::end(elements)) table.append_to(out);
}

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
void append_diagnostic(JsonWriter& json, const Diagnostic& diagnostic);

}  // namespace pchr::tools
