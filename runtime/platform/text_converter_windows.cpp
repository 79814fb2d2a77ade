// SPDX-License-Identifier: MIT
// Text encodings of Windows, which decodes every sequence of up to two bytes once.
#include "platform/text_converter.hpp"

#include <windows.h>

#include <memory>

namespace pchr {
namespace {

struct Alias {
  std::string_view name;
  UINT code_page;
};
constexpr Alias kAliases[] = {
    {"SHIFT_JIS", 932},    {"SHIFT-JIS", 932},     {"SJIS", 932},          {"MS_KANJI", 932},     {"EUC-JP", 20932},
    {"EUCJP", 20932},      {"GBK", 936},           {"GB2312", 936},        {"EUC-CN", 936},       {"EUC-KR", 949},
    {"EUCKR", 949},        {"UHC", 949},           {"BIG5", 950},          {"BIG-5", 950},        {"KOI8-R", 20866},
    {"KOI8-U", 21866},     {"LATIN1", 28591},      {"ISO-8859-1", 28591},  {"ISO-8859-2", 28592}, {"ISO-8859-3", 28593},
    {"ISO-8859-4", 28594}, {"ISO-8859-5", 28595},  {"ISO-8859-6", 28596},  {"ISO-8859-7", 28597}, {"ISO-8859-8", 28598},
    {"ISO-8859-9", 28599}, {"ISO-8859-13", 28603}, {"ISO-8859-15", 28605}, {"ASCII", 20127},      {"US-ASCII", 20127}};

/// Returns the code page of an encoding with one of iconv's names, in any case, or 0.
UINT code_page_of(std::string_view encoding) {
  std::string name(encoding);
  for (char& letter : name) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  for (const Alias& alias : kAliases) {
    if (name == alias.name) return alias.code_page;
  }
  for (const std::string_view prefix : {"CP", "WINDOWS-", "MS", "IBM"}) {
    if (!name.starts_with(prefix)) continue;
    const std::string number = name.substr(prefix.size());
    if (number.empty() || number.size() > 5 || number.find_first_not_of("0123456789") != std::string::npos) continue;
    return static_cast<UINT>(std::stoul(number));
  }
  return 0;
}

/// Returns the only code point of a sequence, or 0.
char32_t decode(UINT code_page, std::span<const char> bytes) {
  std::array<wchar_t, 4> units{};
  const int count = MultiByteToWideChar(code_page, MB_ERR_INVALID_CHARS, bytes.data(), static_cast<int>(bytes.size()),
                                        units.data(), static_cast<int>(units.size()));
  constexpr char32_t kReplacement = 0xFFFD;
  const char32_t unit = units[0];
  if (count != 1 || unit == kReplacement) return 0;
  // Windows decodes bytes that stand for no character, too. Others refuse them, except for CP932's private characters.
  constexpr UINT kFirstIso = 28591, kJapanese = 932;
  const bool is_control = unit >= 0x80 && unit < 0xA0 && code_page < kFirstIso;
  const bool is_private = unit >= 0xE000 && unit < 0xF900 && code_page != kJapanese;
  return is_control || is_private ? 0 : unit;
}

/// Returns false if Windows has no such encoding, or only one with longer sequences.
bool fill(EncodingTable& table, std::string_view encoding) {
  const UINT code_page = code_page_of(encoding);
  CPINFO info{};
  if (code_page == 0 || GetCPInfo(code_page, &info) == 0 || info.MaxCharSize > 2) return false;
  table.pairs.assign(table.singles.size() * 256, 0);
  for (std::size_t lead = 0; lead < table.singles.size(); ++lead) {
    const char first = static_cast<char>(lead + 0x80);
    if (IsDBCSLeadByteEx(code_page, static_cast<BYTE>(first)) == 0) {
      table.singles[lead] = decode(code_page, {&first, 1});
      continue;
    }
    for (int second = 0; second < 256; ++second) {
      const std::array<char, 2> pair{first, static_cast<char>(second)};
      table.pairs[lead * 256 + static_cast<std::size_t>(second)] = decode(code_page, pair);
    }
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
