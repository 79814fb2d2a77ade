// SPDX-License-Identifier: MIT
// Names from files and aligned columns, as text for a terminal.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace pchr::tools {

/// A name as `printable` shows it; an empty one as `""`.
[[nodiscard]] std::string shown(std::string_view name);

/// A number with its thousands separated by commas.
[[nodiscard]] std::string grouped(std::uint64_t number);

enum class Align : bool { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

/// Rows of printable cells under titles, each column as wide as its widest cell.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void append_to(fmt::memory_buffer& out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pchr::tools
