// SPDX-License-Identifier: MIT
#include "platform/text_converter.hpp"

#include "character/utf8.hpp"

namespace pchr {
namespace {

using Kind = EncodingTable::Kind;

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

Decoded first_of_bytes(std::span<const char> text, const EncodingTable& encoding) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t lead = first - std::size_t{0x80};
  if (encoding.singles[lead] != 0) return {encoding.singles[lead], 1};
  if (text.size() < 2) return {};
  const char32_t pair = encoding.pairs[lead * 256 + static_cast<unsigned char>(text[1])];
  return {pair, pair == 0 ? std::size_t{0} : std::size_t{2}};
}

Decoded first_of(std::span<const char> text, const EncodingTable& encoding) {
  switch (encoding.kind) {
    case Kind::utf16_little_endian:
    case Kind::utf16_big_endian:
      return first_of_utf16(text, encoding.kind == Kind::utf16_big_endian);
    case Kind::bytes:
      return first_of_bytes(text, encoding);
    case Kind::utf8:
      break;
  }
  const Utf8Sequence sequence = first_sequence({text.data(), text.size()});
  return {sequence.code_point, sequence.length};
}

}  // namespace

std::string_view standard_label(std::string_view encoding) noexcept {
  struct Name {
    std::string_view iconv, label;
  };
  constexpr Name kNames[] = {
      {"CP932", "shift_jis"}, {"CP936", "gbk"}, {"CP949", "euc-kr"}, {"UHC", "euc-kr"}, {"CP950", "big5"}};
  for (const Name& name : kNames) {
    if (encoding == name.iconv) return name.label;
  }
  return encoding;
}

const EncodingTable* EncodingTable::find_unicode(std::string_view encoding) noexcept {
  static const EncodingTable utf8{Kind::utf8}, little{Kind::utf16_little_endian}, big{Kind::utf16_big_endian};
  if (encoding == "UTF-8") return &utf8;
  if (encoding == "UTF-16LE") return &little;
  return encoding == "UTF-16BE" ? &big : nullptr;
}

bool EncodingTable::convert(std::span<const char>& input, std::string& utf8) const {
  while (!input.empty()) {
    const Decoded decoded = first_of(input, *this);
    if (decoded.size == 0) return false;
    append_utf8(utf8, decoded.code_point);
    input = input.subspan(decoded.size);
  }
  return true;
}

}  // namespace pchr
