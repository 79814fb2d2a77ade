// SPDX-License-Identifier: MIT
// Names, numbers and tables for people.
#pragma once

#include <cstdint>
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

}  // namespace pchr::tools
