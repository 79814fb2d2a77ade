// SPDX-License-Identifier: MIT
// Numbers as the authors of Pomyu characters write them.
#include "formats/chp/numbers.hpp"

#include <algorithm>
#include <limits>

namespace pchr::chp {
namespace {

constexpr int kNoDigit = 36;

int digit_of(char letter) noexcept {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'Z') return letter - 'A' + 10;
  return kNoDigit;
}

}  // namespace

std::optional<std::int64_t> read_integer(std::string_view text) noexcept {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::size_t start = text.find_first_of("0123456789");
  if (start == std::string_view::npos) return std::nullopt;
  std::int64_t value = 0;
  for (const char letter : text.substr(start)) {
    if (digit_of(letter) > 9) break;
    value = std::min(value * 10 + digit_of(letter), kMost);
  }
  return start > 0 && text[start - 1] == '-' ? -value : value;
}

std::optional<std::int16_t> read_id(std::string_view text, int base) noexcept {
  if (text.empty() || text.size() > 2) return std::nullopt;
  int value = 0;
  for (const char letter : text) {
    const int digit = digit_of(letter);
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
  }
  return static_cast<std::int16_t>(value);
}

}  // namespace pchr::chp
