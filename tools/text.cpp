// SPDX-License-Identifier: MIT
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pchr::tools {

std::string shown(std::string_view name) { return name.empty() ? "\"\"" : printable(name); }

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 1 || !many.empty()) return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
  return fmt::format("{} {}s", grouped(count), one);
}

Table::Table(Cells titles) : numbered_(titles.front() == ">") {
  for (std::string& title : titles) {
    align_right_.push_back(title.starts_with('>'));
    if (align_right_.back()) title.erase(0, 1);
  }
  if (numbered_) titles.front() = "#";
  rows_.push_back(std::move(titles));
}

void Table::add(Cells cells) {
  if (numbered_) cells.insert(cells.begin(), std::to_string(rows_.size() - 1));
  rows_.push_back(std::move(cells));
}

namespace {

// East Asian characters and pictographs, which occupy two columns of a terminal.
constexpr std::pair<char32_t, char32_t> kWide[]{
    {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
    {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

// Returns the number of terminal columns of UTF-8 text.
std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int following = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    char32_t code = following == 0 ? lead : lead & (0x3fU >> following);
    for (int i = 0; i < following && at < text.size(); ++i) {
      code = code << 6U | (static_cast<unsigned char>(text[at++]) & 0x3fU);
    }
    const auto holds = [&](const auto& range) { return code >= range.first && code <= range.second; };
    width += std::ranges::any_of(kWide, holds) ? 2 : 1;
  }
  return width;
}

}  // namespace

void Table::append_to(std::string& out) const {
  std::vector<std::size_t> widths(align_right_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - display_width(row[i]), ' ');
      line += "  " + (align_right_[i] ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
}

void append_diagnostic(JsonWriter& json, const Diagnostic& diagnostic) {
  const auto positive = [](std::uint32_t number) { return number > 0 ? std::optional(number) : std::nullopt; };
  json.object("id", code(diagnostic.id), "severity", severity_name(severity(diagnostic.id)), "message",
              message(diagnostic.id), "path", diagnostic.path, "name", diagnostic.name, "offset",
              diagnostic.byte_offset, "line", positive(diagnostic.line), "column", positive(diagnostic.column),
              "detail", diagnostic.detail);
}

}  // namespace pchr::tools
