// SPDX-License-Identifier: MIT
// Text of unknown encoding to UTF-8.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pchr {

/// A text, and what it took to read it.
struct DecodedText {
  std::string utf8;              ///< Always well-formed, without a byte order mark.
  std::string encoding;          ///< As iconv names it, such as "CP932".
  std::size_t replacements = 0;  ///< How many U+FFFD stand for bytes that mean nothing in that encoding.
};

/// `text` with the capital letters of ASCII as small ones.
[[nodiscard]] std::string lower(std::string_view text);

/// Decodes a whole text. With an empty `encoding` it is found out: by a byte order mark, else UTF-16 where every other
/// byte is mostly 0, else UTF-8 where it is valid as that, else CP932, the Shift-JIS of Windows. Otherwise `encoding`
/// is a name that iconv knows. Nothing if the system does not know the encoding.
[[nodiscard]] std::optional<DecodedText> decode_text(std::span<const std::byte> bytes,
                                                     const std::string& encoding = {});

}  // namespace pchr
