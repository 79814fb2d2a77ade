// SPDX-License-Identifier: MIT
// Texts that several panels write.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

namespace pchr::player {

/// Short, and changing with every frame: written without allocating.
using ShortText = std::array<char, 64>;

/// Formats into `text`, cut to its length; returns its characters.
template <typename... Arguments>
const char* write(ShortText& text, fmt::format_string<Arguments&...> format, Arguments... arguments) {
  *fmt::format_to_n(text.data(), text.size() - 1, format, arguments...).out = '\0';
  return text.data();
}

/// A number of bytes as a person reads it.
[[nodiscard]] inline std::string memory_text(std::uint64_t bytes) {
  const double kilobytes = static_cast<double>(bytes) / 1e3;
  return kilobytes < 1000.0 ? fmt::format("{:.1f} kB", kilobytes) : fmt::format("{:.1f} MB", kilobytes / 1e3);
}

}  // namespace pchr::player
