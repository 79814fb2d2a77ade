// SPDX-License-Identifier: MIT
// Decodes text in an unknown encoding.
#include "import/text_decoding.hpp"

#include "character/utf8.hpp"
#include "platform/text_converter.hpp"

#include <algorithm>
#include <array>

namespace pchr {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::string find_encoding(std::string_view text) {
  if (text.starts_with(kUtf8Mark)) return "UTF-8";
  if (text.starts_with("\xFF\xFE")) return "UTF-16LE";
  if (text.starts_with("\xFE\xFF")) return "UTF-16BE";
  // In UTF-16, the first byte of an ASCII character is 0 in big-endian text, and the second in little-endian text.
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < text.size(); ++i) zeros[i % 2] += text[i] == 0 ? 1 : 0;
  const std::size_t many = text.size() / 2 / 3;
  if (zeros[1] > many && zeros[0] <= many / 8) return "UTF-16LE";
  if (zeros[0] > many && zeros[1] <= many / 8) return "UTF-16BE";
  return find_invalid_utf8(text) ? "CP932" : "UTF-8";
}

}  // namespace

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

bool is_utf16(std::string_view text) noexcept {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return true;
  if (text.size() < 4) return false;
  const auto is_zero = [&](std::size_t at) { return text[at] == '\0'; };
  return is_zero(0) == is_zero(2) && is_zero(1) == is_zero(3) && is_zero(0) != is_zero(1);
}

Diagnostic utf16_error() { return {DiagnosticId::utf16_text, {}, {}, 0, "the text is UTF-16, but must be UTF-8"}; }

Diagnostic unknown_encoding_error(const std::string& encoding) {
  return {DiagnosticId::unknown_encoding,
          {},
          {},
          {},
          "this system's iconv does not know the text encoding \"" + printable(encoding) + "\""};
}

std::optional<DecodedText> decode_text(std::span<const std::byte> bytes, const std::string& encoding) {
  const std::string_view raw(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  DecodedText text;
  text.encoding = encoding.empty() ? find_encoding(raw) : encoding;
  if (text.encoding == "UTF-8" && !find_invalid_utf8(raw)) {
    text.utf8 = raw;
  } else {
    TextConverter converter(text.encoding);
    if (!converter.is_supported()) return std::nullopt;
    const std::size_t unit = text.encoding.starts_with("UTF-16") ? 2 : 1;
    std::span<const char> rest(raw);
    while (!converter.convert(rest, text.utf8)) {
      text.utf8 += kReplacement;
      ++text.replacements;
      rest = rest.subspan(std::min(unit, rest.size()));
    }
  }
  if (text.utf8.starts_with(kUtf8Mark)) text.utf8.erase(0, kUtf8Mark.size());
  return text;
}

}  // namespace pchr
