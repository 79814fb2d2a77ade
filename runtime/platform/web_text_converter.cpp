// SPDX-License-Identifier: MIT
// Text encodings of the browser, which decodes every sequence of up to two bytes once.
#include "platform/text_converter.hpp"

#include "character/utf8.hpp"
#include "platform/encoding_table.hpp"

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
bool fill(EncodingTable& table, std::string_view encoding) {
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
  for (char32_t& single : table.singles) {
    single = next();
    for (int second = 0; second < 0x100; ++second) table.pairs.push_back(second == '\n' ? 0 : next());
  }
  return true;
}

}  // namespace

TextConverter::TextConverter(const std::string& encoding) {
  auto table = std::make_unique<EncodingTable>();
  if (const EncodingTable* const unicode = EncodingTable::find_unicode(encoding)) {
    *table = *unicode;
  } else if (!fill(*table, encoding)) {
    return;
  }
  state_ = table.release();
}

TextConverter::~TextConverter() { delete static_cast<EncodingTable*>(state_); }

bool TextConverter::convert(std::span<const char>& input, std::string& utf8) {
  return static_cast<const EncodingTable*>(state_)->convert(input, utf8);
}

}  // namespace pchr
