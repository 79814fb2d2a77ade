// SPDX-License-Identifier: MIT
// Names from files and aligned columns, as text for a terminal.
#include "table.hpp"

#include <pchr/finding.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace pchr::tools {
namespace {

// The code point that begins at `text[at]`; `text` is UTF-8. Moves `at` behind it.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  const int following = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  char32_t code = following == 0 ? lead : lead & (0x3fU >> following);
  for (int i = 0; i < following && at < text.size(); ++i)
    code = code << 6U | (static_cast<unsigned char>(text[at++]) & 0x3fU);
  return code;
}

bool between(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

// Terminals give East Asian letters and pictographs two columns.
bool is_wide(char32_t code) {
  return between(code, 0x1100, 0x115f) || between(code, 0x2e80, 0xa4cf) || between(code, 0xac00, 0xd7a3) ||
         between(code, 0xf900, 0xfaff) || between(code, 0xfe30, 0xfe6f) || between(code, 0xff00, 0xff60) ||
         between(code, 0xffe0, 0xffe6) || between(code, 0x1f300, 0x1f64f) || between(code, 0x1f900, 0x1f9ff) ||
         between(code, 0x20000, 0x3fffd);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) width += is_wide(next_code_point(text, at)) ? 2 : 1;
  return width;
}

}  // namespace

std::string shown(std::string_view name) { return name.empty() ? "\"\"" : printable(name); }

std::string grouped(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

void Table::append_to(fmt::memory_buffer& out) const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }

  const auto append_row = [&](const auto& cell) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string_view text = cell(i);
      const std::string padding(widths[i] - display_width(text), ' ');
      line += "  ";
      if (columns_[i].align == Align::right) line += padding;
      line += text;
      if (columns_[i].align == Align::left) line += padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::format_to(std::back_inserter(out), "{}\n", line);
  };
  append_row([&](std::size_t i) -> std::string_view { return columns_[i].title; });
  for (const auto& row : rows_) append_row([&](std::size_t i) -> std::string_view { return row[i]; });
}

}  // namespace pchr::tools
