// SPDX-License-Identifier: MIT
// UTF-8: validity and code points.
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace PCHR_API pchr {

/// Returns the offset of the first byte that is not well-formed UTF-8: overlong, a surrogate, above U+10FFFF or
/// truncated.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept;

/// Well-formed sequence. A length of 0 means that the text is malformed or empty.
struct Utf8Sequence {
  std::size_t length = 0;
  char32_t code_point = 0;
};

/// Returns the sequence at the start of `text`.
[[nodiscard]] Utf8Sequence first_sequence(std::string_view text) noexcept;

/// Appends a code point of at most U+10FFFF.
void append_utf8(std::string& text, char32_t code_point);

}  // namespace pchr
