// SPDX-License-Identifier: MIT
// Text encodings of the browser. It decodes every sequence of up to two bytes once; then this converts text as iconv
// does, which says where invalid bytes are.
#include "platform/text_converter.hpp"

#include "character/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace pchr {

/// Decodes text in an encoding, by its label for TextDecoder. Returns the number of bytes of UTF-8, at most `capacity`,
/// or -1 if the label is unknown.
extern "C" __attribute__((import_module("text"), import_name("decode"))) std::int32_t decode_in_javascript(
    const char* label, std::size_t label_size, const char* bytes, std::size_t size, char* utf8, std::size_t capacity);

namespace {

enum class Kind : std::uint8_t { utf8, utf16, bytes };

struct Encoding {
  Kind kind = Kind::bytes;
  bool is_big_endian = false;
  /// Code points by their first byte from 0x80, and for sequences of two bytes also by their second byte. 0 if invalid.
  std::vector<char32_t> singles, pairs;
};

struct Alias {
  std::string_view iconv, label;
};
constexpr Alias kAliases[] = {
    {"CP932", "shift_jis"}, {"CP936", "gbk"}, {"CP949", "euc-kr"}, {"UHC", "euc-kr"}, {"CP950", "big5"}};

std::string_view label_of(std::string_view encoding) {
  for (const Alias& alias : kAliases) {
    if (encoding == alias.iconv) return alias.label;
  }
  return encoding;
}

/// Asks for the table of an encoding: decodes all sequences, one per line. Returns false if the browser has none.
bool make_table(std::string_view encoding, Encoding& table) {
  std::string sequences;
  for (int first = 0x80; first < 0x100; ++first) {
    (sequences += static_cast<char>(first)) += '\n';
    for (int second = 0; second < 0x100; ++second) {
      if (second != '\n') ((sequences += static_cast<char>(first)) += static_cast<char>(second)) += '\n';
    }
  }
  const std::string_view label = label_of(encoding);
  // At most three bytes of UTF-8 for each byte.
  std::string lines(sequences.size() * 3, '\0');
  const std::int32_t size =
      decode_in_javascript(label.data(), label.size(), sequences.data(), sequences.size(), lines.data(), lines.size());
  if (size < 0) return false;
  std::string_view rest(lines.data(), static_cast<std::size_t>(size));
  const auto next = [&]() -> char32_t {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const Utf8Sequence sequence = line.empty() ? Utf8Sequence{} : first_sequence(line);
    constexpr char32_t kReplacement = 0xFFFD;
    return sequence.length == line.size() && sequence.code_point != kReplacement ? sequence.code_point : 0;
  };
  for (int first = 0; first < 0x80; ++first) {
    table.singles.push_back(next());
    for (int second = 0; second < 0x100; ++second) table.pairs.push_back(second == '\n' ? 0 : next());
  }
  return true;
}

void append(std::string& utf8, char32_t code_point) {
  const auto add = [&](char32_t bits) { utf8 += static_cast<char>(bits); };
  const auto add_rest = [&](int shift) { add(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) return add(code_point);
  if (code_point < 0x800) {
    add(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    add(0xE0 | code_point >> 12);
    add_rest(6);
  } else {
    add(0xF0 | code_point >> 18);
    add_rest(12);
    add_rest(6);
  }
  add_rest(0);
}

/// The first character of a text, with its size in bytes: 0 if it is invalid.
struct Decoded {
  char32_t code_point = 0;
  std::size_t size = 0;
};

Decoded first_of_utf16(std::span<const char> text, bool is_big_endian) {
  const auto unit_at = [&](std::size_t at) -> char32_t {
    const auto low = static_cast<unsigned char>(text[at + (is_big_endian ? 1 : 0)]);
    const auto high = static_cast<unsigned char>(text[at + (is_big_endian ? 0 : 1)]);
    return high * 256U + low;
  };
  if (text.size() < 2) return {};
  const char32_t unit = unit_at(0);
  if (unit < 0xD800 || unit >= 0xE000) return {unit, 2};
  if (unit >= 0xDC00 || text.size() < 4) return {};
  const char32_t second = unit_at(2);
  if (second < 0xDC00 || second >= 0xE000) return {};
  return {0x10000 + (unit - 0xD800) * 0x400 + (second - 0xDC00), 4};
}

Decoded first_of_bytes(std::span<const char> text, const Encoding& encoding) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t lead = first - std::size_t{0x80};
  if (encoding.singles[lead] != 0) return {encoding.singles[lead], 1};
  if (text.size() < 2) return {};
  const char32_t pair = encoding.pairs[lead * 256 + static_cast<unsigned char>(text[1])];
  return {pair, pair == 0 ? std::size_t{0} : std::size_t{2}};
}

Decoded first_of(std::span<const char> text, const Encoding& encoding) {
  if (encoding.kind == Kind::utf16) return first_of_utf16(text, encoding.is_big_endian);
  if (encoding.kind == Kind::bytes) return first_of_bytes(text, encoding);
  const Utf8Sequence sequence = first_sequence({text.data(), text.size()});
  return {sequence.code_point, sequence.length};
}

}  // namespace

TextConverter::TextConverter(const std::string& encoding) {
  auto made = std::make_unique<Encoding>();
  if (encoding == "UTF-8") {
    made->kind = Kind::utf8;
  } else if (encoding == "UTF-16LE" || encoding == "UTF-16BE") {
    made->kind = Kind::utf16;
    made->is_big_endian = encoding == "UTF-16BE";
  } else if (!make_table(encoding, *made)) {
    return;
  }
  state_ = made.release();
}

TextConverter::~TextConverter() { delete static_cast<Encoding*>(state_); }

bool TextConverter::convert(std::span<const char>& input, std::string& utf8) {
  while (!input.empty()) {
    const Decoded decoded = first_of(input, *static_cast<const Encoding*>(state_));
    if (decoded.size == 0) return false;
    append(utf8, decoded.code_point);
    input = input.subspan(decoded.size);
  }
  return true;
}

}  // namespace pchr
