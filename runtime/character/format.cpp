// SPDX-License-Identifier: MIT
#include "character/format.hpp"

#include "character/decimal.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace pchr {
namespace {

/// Appends the shortest digits, with an exponent only if it is below -4 or above 15.
template <std::floating_point Float>
void append_shortest(std::string& text, Float value) {
  if (std::signbit(value)) text += '-';
  if (!std::isfinite(value)) {
    text += std::isnan(value) ? "nan" : "inf";
    return;
  }
  auto [digits, exponent] = shortest_decimal(value);
  if (exponent < -4 || exponent > 15) {
    text += digits[0];
    if (digits.size() > 1) text += '.' + digits.substr(1);
    text += exponent < 0 ? "e-" : "e+";
    if (std::abs(exponent) < 10) text += '0';
    text += std::to_string(std::abs(exponent));
    return;
  }
  if (exponent < 0) digits.insert(0, static_cast<std::size_t>(-exponent), '0');
  const auto whole = static_cast<std::size_t>(exponent < 0 ? 1 : exponent + 1);
  if (digits.size() < whole) digits.resize(whole, '0');
  text.append(digits, 0, whole);
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
    int places = 0;
    std::from_chars(spec.data() + 2, spec.data() + spec.size(), places);
    std::uint64_t scale = 1;
    for (int i = 0; i < places; ++i) scale *= 10;
    const double scaled = std::round(std::abs(double{value}) * static_cast<double>(scale));
    if (!(scaled < 1e15)) return append_shortest(text, value);
    const auto parts = static_cast<std::uint64_t>(scaled);
    const std::string fraction = std::to_string(parts % scale + scale).substr(1);
    text += (value < 0 ? "-" : "") + std::to_string(parts / scale) + '.' + fraction;
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
