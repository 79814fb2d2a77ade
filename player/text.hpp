// SPDX-License-Identifier: MIT
// Short texts that change with every picture, written without allocating.
#pragma once

#include <fmt/format.h>

#include <array>

namespace pchr::player {

using ShortText = std::array<char, 64>;

/// Formats into `text`, cut to its length; returns its characters.
template <typename... Arguments>
const char* write(ShortText& text, fmt::format_string<Arguments&...> format, Arguments... arguments) {
  *fmt::format_to_n(text.data(), text.size() - 1, format, arguments...).out = '\0';
  return text.data();
}

}  // namespace pchr::player
