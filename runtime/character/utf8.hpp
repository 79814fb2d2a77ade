// SPDX-License-Identifier: MIT
// UTF-8: validity and code points.
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace PCHR_API pchr {

/// Offset of the first byte that is not part of well-formed UTF-8 (overlong forms, surrogates, values past
/// U+10FFFF and cut sequences are not), or nothing if all of it is.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept;

/// A well-formed sequence and the code point it stands for; a length of 0 where the text is malformed or empty.
struct Utf8Sequence {
  std::size_t length = 0;
  char32_t code_point = 0;
};

/// The sequence at the start of `text`.
[[nodiscard]] Utf8Sequence first_sequence(std::string_view text) noexcept;

}  // namespace pchr
