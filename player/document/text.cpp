// SPDX-License-Identifier: MIT
#include "document/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace pchr::player {
namespace {

/// Removes a number, and spaces around it, from the front of `text`.
std::optional<double> take_decimal(std::string_view& text) {
  const std::string all(text);
  char* end = nullptr;
  const double number = std::strtod(all.c_str(), &end);
  if (end == all.c_str()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - all.c_str()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return number;
}

}  // namespace

std::string zoom_text(float zoom) {
  const double percent = static_cast<double>(zoom) * 100.0;
  if (percent >= 99'999.5) return fmt::format("{:.0f}x", zoom);
  if (percent >= 9.95) return fmt::format("{:.0f}%", percent);
  return fmt::format("{:.2g}%", percent);
}

std::optional<float> parse_zoom(std::string_view text) {
  const auto first = take_decimal(text);
  if (!first) return std::nullopt;
  double zoom = *first / 100.0;
  if (text.starts_with(':')) {
    text.remove_prefix(1);
    const auto second = take_decimal(text);
    if (!second) return std::nullopt;
    zoom = *first / *second;
  } else if (text.starts_with('x') || text.starts_with('X')) {
    text.remove_prefix(1);
    zoom = *first;
  } else if (text.starts_with('%')) {
    text.remove_prefix(1);
  }
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const auto result = static_cast<float>(zoom);
  if (!text.empty() || !std::isnormal(result) || result < 0.0F) return std::nullopt;
  return result;
}

}  // namespace pchr::player
