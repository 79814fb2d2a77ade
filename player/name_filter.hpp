// SPDX-License-Identifier: MIT
// Which names a list shows.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace pchr::player {

struct NameFilter {
  std::array<char, 64> text{};  ///< A part of the names, in any case.
  bool focus = false;           ///< The field shall take the keyboard.
};

/// Whether `name` has the filter's text in it, whatever the case of its Latin letters. An empty filter lets all pass.
[[nodiscard]] inline bool passes(const NameFilter& filter, std::string_view name) noexcept {
  constexpr auto kLower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const std::string_view part(filter.text.data());
  return part.empty() || !std::ranges::search(name, part, std::ranges::equal_to{}, kLower, kLower).empty();
}

}  // namespace pchr::player
