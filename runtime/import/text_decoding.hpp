// SPDX-License-Identifier: MIT
// Decodes text in an unknown encoding.
#pragma once

#include <pchr/diagnostic.hpp>

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

/// Returns whether a text starts as UTF-16 does: with a byte order mark, or with two ASCII characters.
[[nodiscard]] bool is_utf16(std::string_view text) noexcept;
/// Returns the error of such a text where it must be UTF-8.
[[nodiscard]] Diagnostic utf16_error();

/// Returns the error of an encoding that decode_text() does not support.
[[nodiscard]] Diagnostic unknown_encoding_error(const std::string& encoding);

/// Decodes a text. Detects an empty `encoding`: from a byte order mark, else UTF-16 if every other byte is mostly 0,
/// else UTF-8 if it is valid, else CP932 (Windows Shift-JIS). Returns nothing if iconv does not support the encoding.
[[nodiscard]] std::optional<DecodedText> decode_text(std::span<const std::byte> bytes,
                                                     const std::string& encoding = {});

}  // namespace pchr
