// SPDX-License-Identifier: MIT
#pragma once

#include "document/files.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace pchr::player {

struct NameFilter {
  std::array<char, 64> text{};  ///< Part of a name, regardless of case.
  bool focus = false;           ///< Request to move the keyboard focus to the field.
};

/// Returns whether `name` contains the filter's text, ignoring the case of Latin letters.
[[nodiscard]] inline bool passes(const NameFilter& filter, std::string_view name) noexcept {
  constexpr auto kLower = [](char c) { return lower_case(c); };
  const std::string_view part(filter.text.data());
  return part.empty() || !std::ranges::search(name, part, {}, kLower, kLower).empty();
}

}  // namespace pchr::player
