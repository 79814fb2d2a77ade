// SPDX-License-Identifier: MIT
// Numbers as colours: from cold to hot, evenly lighter to the eye.
#pragma once

#include "theme.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pchr::player {

/// Indigo for 0, through crimson and orange, to pale yellow for 1.
inline constexpr std::array<Colour, 5> kHeatStops{{{0.18F, 0.15F, 0.46F},
                                                   {0.47F, 0.17F, 0.55F},
                                                   {0.79F, 0.27F, 0.42F},
                                                   {0.96F, 0.54F, 0.25F},
                                                   {0.99F, 0.90F, 0.52F}}};

/// `amount` is clamped to 0..1.
[[nodiscard]] constexpr Colour heat(float amount) noexcept {
  const float along = std::clamp(amount, 0.0F, 1.0F) * static_cast<float>(kHeatStops.size() - 1);
  const std::size_t stop = std::min(static_cast<std::size_t>(along), kHeatStops.size() - 2);
  const float part = along - static_cast<float>(stop);
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    colour[i] = kHeatStops[stop][i] + (kHeatStops[stop + 1][i] - kHeatStops[stop][i]) * part;
  }
  return colour;
}

[[nodiscard]] inline ImU32 packed(const Colour& colour, float alpha = 1.0F) noexcept {
  return ImGui::ColorConvertFloat4ToU32({colour[0], colour[1], colour[2], alpha});
}

}  // namespace pchr::player
