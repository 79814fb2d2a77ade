// SPDX-License-Identifier: MIT
// Decodes text in an unknown encoding.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pchr {

struct DecodedText {
  std::string utf8;              ///< Well-formed, without a byte order mark.
  std::string encoding;          ///< Name for iconv, such as "CP932".
  std::size_t replacements = 0;  ///< Number of U+FFFD written for invalid bytes.
};

/// Byte order mark of UTF-8.
inline constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

/// Returns `text` with ASCII letters in lower case.
[[nodiscard]] std::string lower(std::string_view text);

/// Decodes a text. Detects an empty `encoding`: from a byte order mark, else UTF-16 if every other byte is mostly 0,
/// else UTF-8 if it is valid, else CP932 (Windows Shift-JIS). Returns nothing if iconv does not support the encoding.
[[nodiscard]] std::optional<DecodedText> decode_text(std::span<const std::byte> bytes,
                                                     const std::string& encoding = {});

}  // namespace pchr
