// SPDX-License-Identifier: MIT
// What the models of a .px file have in common.
#pragma once

#include <pchr/finding.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pchr::px {

inline constexpr std::uint64_t kShortHeader = 16, kLongHeader = 32;

/// Such as "CRT"; of a type that is not known "type 9".
template <std::size_t N>
[[nodiscard]] std::string name_in(const std::array<std::string_view, N>& names, std::uint8_t type) {
  return type < N ? std::string(names[type]) : fmt::format("type {}", type);
}

/// What a remark on such a type is about.
template <std::size_t N>
[[nodiscard]] FindingId remark_on(const std::array<std::string_view, N>& /*names*/, std::uint8_t type) noexcept {
  return type < N ? FindingId::px_effect_ignored : FindingId::px_unknown;
}

}  // namespace pchr::px
