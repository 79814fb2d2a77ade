// SPDX-License-Identifier: MIT
// The lines of a Pomyu character as commands with their fields.
#include "formats/chp/syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pchr::chp {
namespace {

constexpr std::uint32_t kMostLines = 100'000;

// Authors' tools leave these around what they write: the ideographic space, a byte order mark, the old end of file.
constexpr std::string_view kBlanks[] = {" ", "\t", "\xE3\x80\x80", "\xEF\xBB\xBF", "\x1A"};

/// Length of the blank that `text` begins with, or 0.
std::size_t leading_blank(std::string_view text) noexcept {
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

std::string_view without_leading_blanks(std::string_view text) noexcept {
  while (const std::size_t length = leading_blank(text)) text.remove_prefix(length);
  return text;
}

std::string_view trimmed(std::string_view text) noexcept {
  text = without_leading_blanks(text);
  const auto ends_text = [&](std::string_view blank) { return text.ends_with(blank); };
  for (bool more = true; more;) {
    const auto* const blank = std::ranges::find_if(kBlanks, ends_text);
    more = blank != std::end(kBlanks);
    if (more) text.remove_suffix(blank->size());
  }
  return text;
}

/// The text up to the first blank.
std::string_view first_word(std::string_view text) noexcept {
  std::size_t length = 0;
  while (length < text.size() && leading_blank(text.substr(length)) == 0) ++length;
  return text.substr(0, length);
}

std::vector<Field> split(const Field& value) {
  std::vector<Field> fields;
  std::string_view rest = value.text;
  while (!rest.empty()) {
    const std::string_view word = first_word(rest);
    if (word.starts_with('/')) break;
    fields.push_back({word, value.column + static_cast<std::uint32_t>(word.data() - value.text.data())});
    rest = without_leading_blanks(rest.substr(word.size()));
  }
  return fields;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return result;
}

/// `text` is what stands in line `number` from the `#` on, without comment; `line` is all of it.
Command read_command(std::string_view text, std::string_view line, std::uint32_t number) {
  const auto column_of = [&](std::string_view part) {
    return static_cast<std::uint32_t>(part.data() - line.data()) + 1;
  };
  Command command;
  command.line = number;
  command.column = column_of(text);
  const std::string_view name = first_word(text.substr(1));
  command.name = lower(name);
  const std::string_view value = without_leading_blanks(text.substr(1 + name.size()));
  command.value = {value, column_of(value)};
  command.fields = split(command.value);
  return command;
}

/// The line at the start of `text`, which is moved past it and its end: CR, LF or both.
std::string_view take_line(std::string_view& text) noexcept {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  text.remove_prefix(line.size());
  text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(text.size(), 1));
  return line;
}

}  // namespace

std::vector<Command> read_commands(std::string_view text, Remarks& remarks) {
  std::vector<Command> commands;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    if (number > kMostLines) {
      remarks.add(FindingId::chp_too_long, [&] {
        return Finding{FindingId::chp_too_long, {}, {}, {}, fmt::format("more than {} lines", kMostLines), number, 1};
      });
      break;
    }
    const std::string_view line = take_line(text);
    const std::string_view content = trimmed(line.substr(0, line.find("//")));
    if (content.starts_with('#')) {
      commands.push_back(read_command(content, line, number));
    } else if (!content.empty() && !content.starts_with('/')) {
      remarks.add(FindingId::chp_unknown_command, [&] {
        return Finding{FindingId::chp_unknown_command,
                       {},
                       {},
                       {},
                       fmt::format("found \"{}\"; a command begins with #", printable(content.substr(0, 40))),
                       number,
                       static_cast<std::uint32_t>(content.data() - line.data()) + 1};
      });
    }
  }
  return commands;
}

}  // namespace pchr::chp
