// SPDX-License-Identifier: MIT
// Decodes text of unknown encoding.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pchr {

struct DecodedText {
  std::string utf8;              ///< Well-formed, without a byte order mark.
  std::string encoding;          ///< As iconv names it, such as "CP932".
  std::size_t replacements = 0;  ///< U+FFFD for bytes without meaning in that encoding.
};

/// The byte order mark of UTF-8.
inline constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

/// Returns `text` with ASCII letters in lower case.
[[nodiscard]] std::string lower(std::string_view text);

/// Decodes a whole text. An empty `encoding` is detected: by a byte order mark, else UTF-16 where every other byte is
/// mostly 0, else UTF-8 where it is valid, else CP932, the Shift-JIS of Windows. Absent where iconv does not know it.
[[nodiscard]] std::optional<DecodedText> decode_text(std::span<const std::byte> bytes,
                                                     const std::string& encoding = {});

}  // namespace pchr
