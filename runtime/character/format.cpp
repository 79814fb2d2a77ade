// SPDX-License-Identifier: MIT
#include "character/format.hpp"

#include <charconv>
#include <cmath>

namespace pchr {
namespace {

/// Appends the shortest digits, with an exponent only if it is below -4 or above 15.
template <std::floating_point Float>
void append_shortest(std::string& text, Float value) {
  char buffer[32];
  const char* const end = std::to_chars(buffer, std::end(buffer), value, std::chars_format::scientific).ptr;
  const std::string_view scientific(buffer, end);
  const std::size_t mark = scientific.find('e');
  int exponent = 0;
  if (mark != std::string_view::npos) std::from_chars(buffer + mark + (buffer[mark + 1] == '+' ? 2 : 1), end, exponent);
  if (!std::isfinite(value) || exponent < -4 || exponent > 15) {
    text += scientific;
    return;
  }
  std::string digits;
  for (const char letter : scientific.substr(0, mark)) {
    if (letter >= '0' && letter <= '9') digits += letter;
  }
  if (std::signbit(value)) text += '-';
  if (exponent < 0) digits.insert(0, static_cast<std::size_t>(-exponent), '0');
  const auto whole = static_cast<std::size_t>(exponent < 0 ? 1 : exponent + 1);
  if (digits.size() < whole) digits.resize(whole, '0');
  text += digits.substr(0, whole);
  if (digits.size() > whole) text += '.' + digits.substr(whole);
}

/// Appends a value as a specification such as `:04x` requires.
struct Append {
  std::string& text;
  std::string_view spec;

  void operator()(std::string_view value) const { text += value; }

  template <std::integral Integer>
  void operator()(Integer value) const {
    char digits[24];
    const char* const end = std::to_chars(digits, std::end(digits), value, spec.ends_with('x') ? 16 : 10).ptr;
    const auto count = static_cast<std::size_t>(end - digits);
    std::size_t width = 0;
    if (!spec.empty()) std::from_chars(spec.data() + 1, spec.data() + spec.size(), width);
    if (count < width) text.append(width - count, '0');
    text.append(digits, count);
  }

  template <std::floating_point Float>
  void operator()(Float value) const {
    if (spec.empty()) return append_shortest(text, value);
    int precision = 0;
    std::from_chars(spec.data() + 2, spec.data() + spec.size(), precision);
    const auto style = spec.ends_with('f') ? std::chars_format::fixed : std::chars_format::general;
    char digits[400];
    text.append(digits, std::to_chars(digits, std::end(digits), double{value}, style, precision).ptr);
  }
};

}  // namespace

std::string format_values(std::string_view pattern, std::span<const FormatValue> values) {
  std::string text;
  for (const FormatValue& value : values) {
    const std::size_t open = pattern.find('{'), close = pattern.find('}', open);
    text += pattern.substr(0, open);
    std::visit(Append{text, pattern.substr(open + 1, close - open - 1)}, value);
    pattern.remove_prefix(close + 1);
  }
  return text += pattern;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return format_text("1 {}", singular);
  return plural.empty() ? format_text("{} {}s", count, singular) : format_text("{} {}", count, plural);
}

std::string needs_bytes(std::uint64_t needed, std::string_view purpose, std::uint64_t remaining) {
  const std::string rest = remaining == 0   ? "none remain"
                           : remaining == 1 ? "only 1 remains"
                                            : format_text("only {} remain", remaining);
  return format_text("needs {}{}, but {}", counted(needed, "byte"), purpose, rest);
}

}  // namespace pchr
