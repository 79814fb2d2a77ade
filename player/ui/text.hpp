// SPDX-License-Identifier: MIT
// Text formatting shared by several panels.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

namespace pchr::player {

/// Buffer for text that changes every frame, to avoid allocations.
using ShortText = std::array<char, 64>;

/// Formats into `text`, truncating if needed. Returns the text.
template <typename... Arguments>
const char* write(ShortText& text, fmt::format_string<Arguments&...> format, Arguments... arguments) {
  *fmt::format_to_n(text.data(), text.size() - 1, format, arguments...).out = '\0';
  return text.data();
}

/// Formats a number of bytes for people.
[[nodiscard]] inline std::string memory_text(std::uint64_t bytes) {
  const double kilobytes = static_cast<double>(bytes) / 1e3;
  return kilobytes < 1000.0 ? fmt::format("{:.1f} kB", kilobytes) : fmt::format("{:.1f} MB", kilobytes / 1e3);
}

}  // namespace pchr::player
