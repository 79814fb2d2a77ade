// SPDX-License-Identifier: MIT
// Text formatting shared by several panels.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pchr::player {

/// Buffer for text that changes every frame, to avoid allocations.
using ShortText = std::array<char, 64>;

/// Formats into `text`, truncating if needed. Returns the text.
template <typename... Arguments>
const char* write(ShortText& text, fmt::format_string<Arguments&...> format, Arguments... arguments) {
  *fmt::format_to_n(text.data(), text.size() - 1, format, arguments...).out = '\0';
  return text.data();
}

/// Which part of a text is left out if it is too long.
enum class Ellipsis : std::uint8_t { end, middle };

/// Shortens UTF-8 text to `width` with an ellipsis, if it is longer. advance() returns the width of a character, which
/// it gets as UTF-8.
template <typename Advance>
std::string ellipsized(std::string_view text, float width, Ellipsis where, const Advance& advance) {
  constexpr std::string_view kEllipsis = "\u2026";
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
  const auto end_of = [&](std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < text.size() && continues(end)) ++end;
    return end;
  };
  const auto begin_of = [&](std::size_t end) {
    std::size_t begin = end - 1;
    while (begin > 0 && continues(begin)) --begin;
    return begin;
  };
  float used = 0.0F;
  for (std::size_t i = 0; i < text.size() && used <= width; i = end_of(i))
    used += advance(text.substr(i, end_of(i) - i));
  if (used <= width) return std::string(text);

  float left = width - advance(kEllipsis);
  // Takes characters from one end while they fit into a share of what is left.
  std::size_t first = 0;
  std::size_t last = text.size();
  for (float room = where == Ellipsis::end ? left : left * 0.5F; first < last; first = end_of(first)) {
    const float wide = advance(text.substr(first, end_of(first) - first));
    if (wide > room) break;
    room -= wide;
    left -= wide;
  }
  while (where == Ellipsis::middle && last > first) {
    const std::size_t begin = begin_of(last);
    const float wide = advance(text.substr(begin, last - begin));
    if (wide > left) break;
    left -= wide;
    last = begin;
  }
  std::string shortened(text.substr(0, first));
  shortened += kEllipsis;
  return where == Ellipsis::middle ? shortened.append(text.substr(last)) : shortened;
}

/// Formats a number of bytes for people.
[[nodiscard]] inline std::string memory_text(std::uint64_t bytes) {
  const double kilobytes = static_cast<double>(bytes) / 1e3;
  return kilobytes < 1000.0 ? fmt::format("{:.1f} kB", kilobytes) : fmt::format("{:.1f} MB", kilobytes / 1e3);
}

/// Returns a zoom as "85%", "3.2%", "0.004%" or "250x".
[[nodiscard]] std::string zoom_text(float zoom);
/// Reads "150", "150%", "1.5x", "2:1" or "1:3". Returns nothing if the text is none of these or not above 0.
[[nodiscard]] std::optional<float> parse_zoom(std::string_view text);

}  // namespace pchr::player
