// SPDX-License-Identifier: MIT
// UTF-8 according to table 3-7 of the Unicode standard, and escaping of text from files.
#include <pchr/diagnostic.hpp>

#include "character/format.hpp"
#include "character/utf8.hpp"

#include <algorithm>

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

struct Range {
  char32_t first, last;
};

/// Control characters, and marks that reorder, join or hide the text around them.
constexpr Range kControls[] = {{0x00, 0x1F},     {0x7F, 0x9F},      {0x61C, 0x61C},   {0x180E, 0x180E},
                               {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
                               {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

bool is_control(char32_t code_point) {
  return std::ranges::any_of(kControls,
                             [&](Range range) { return code_point >= range.first && code_point <= range.last; });
}

/// Copies `text`, but replaces control characters, bytes that are not UTF-8 and the characters in `special` with the
/// result of escape(bytes, sequence).
template <class Escape>
std::string escaped(std::string_view text, std::string_view special, const Escape& escape) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Sequence sequence = first_sequence(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(sequence.length, 1));
    if (sequence.length > 0 && !is_control(sequence.code_point) && !special.contains(bytes[0])) {
      result += bytes;
    } else {
      result += escape(bytes, sequence);
    }
    text.remove_prefix(bytes.size());
  }
  return result;
}

std::string printable_except(std::string_view text, std::string_view kept) {
  return escaped(text, "", [&](std::string_view bytes, const Utf8Sequence& sequence) {
    if (kept.contains(bytes[0])) return std::string(bytes);
    if (bytes.size() == 1) return format_text("\\x{:02x}", static_cast<unsigned char>(bytes[0]));
    return format_text(sequence.code_point <= 0xFFFF ? "\\u{:04x}" : "\\U{:08x}", std::uint32_t{sequence.code_point});
  });
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

void append_utf8(std::string& text, char32_t code_point) {
  constexpr char32_t kLimits[] = {0x80, 0x800, 0x10000}, kMarks[] = {0, 0xC0, 0xE0, 0xF0};
  const auto more = static_cast<std::size_t>(std::ranges::upper_bound(kLimits, code_point) - kLimits);
  text += static_cast<char>(kMarks[more] | code_point >> (6 * more));
  for (std::size_t i = more; i-- > 0;) text += static_cast<char>(0x80U | (code_point >> (6 * i) & 0x3FU));
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept {
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t length = sequence_length(text.substr(position));
    if (length == 0) return position;
    position += length;
  }
  return std::nullopt;
}

std::string printable(std::string_view text) { return printable_except(text, ""); }

std::string printable_lines(std::string_view text) { return printable_except(text, "\n\t"); }

std::string json_escaped(std::string_view text) {
  return escaped(text, "\"\\", [](std::string_view bytes, const Utf8Sequence& sequence) {
    const std::uint32_t code_point = sequence.code_point;
    if (sequence.length == 0) return format_text("\\\\x{:02x}", static_cast<unsigned char>(bytes[0]));
    if (bytes == "\"" || bytes == "\\") return '\\' + std::string(bytes);
    if (code_point <= 0xFFFF) return format_text("\\u{:04x}", code_point);
    return format_text("\\u{:04x}\\u{:04x}", 0xD7C0 + (code_point >> 10U), 0xDC00 + (code_point & 0x3FFU));
  });
}

}  // namespace pchr
