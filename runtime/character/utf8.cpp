// SPDX-License-Identifier: MIT
// UTF-8, after table 3-7 of the Unicode standard.
#include "character/utf8.hpp"

namespace pchr {
namespace {

/// Returns the length of the well-formed sequence at the start of `text`, or 0.
std::size_t sequence_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return continues(1) ? 2 : 0;
  if (first < 0xF0) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (first > 0xF4) return 0;
  const unsigned low = first == 0xF0 ? 0x90 : 0x80;
  const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
  return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
}

}  // namespace

Utf8Sequence first_sequence(std::string_view text) noexcept {
  if (text.empty()) return {};
  const std::size_t length = sequence_length(text);
  const auto first = static_cast<unsigned char>(text[0]);
  if (length <= 1) return {length, length == 0 ? U'\0' : first};
  // The lead byte of a sequence of n bytes carries 7 - n bits.
  char32_t code_point = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    code_point = code_point << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return {length, code_point};
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept {
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t length = sequence_length(text.substr(position));
    if (length == 0) return position;
    position += length;
  }
  return std::nullopt;
}

}  // namespace pchr
