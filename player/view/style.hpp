// SPDX-License-Identifier: MIT
// The player's colors, and text drawn with Dear ImGui.
#pragma once

#include "gl/gl.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace pchr::player {

inline constexpr ImU32 kPanelColor = IM_COL32(0x20, 0x22, 0x2A, 0xFF);
inline constexpr ImU32 kBorderColor = IM_COL32(0x12, 0x13, 0x18, 0xFF);
inline constexpr ImU32 kWellColor = IM_COL32(0x18, 0x1A, 0x20, 0xFF);
inline constexpr ImU32 kControlColor = IM_COL32(0x30, 0x33, 0x3E, 0xFF);
inline constexpr ImU32 kControlHovered = IM_COL32(0x3D, 0x41, 0x4F, 0xFF);
inline constexpr ImU32 kControlActive = IM_COL32(0x4A, 0x4F, 0x60, 0xFF);
inline constexpr ImU32 kTextColor = IM_COL32(0xE8, 0xEA, 0xEF, 0xFF);
inline constexpr ImU32 kDimTextColor = IM_COL32(0x93, 0x99, 0xA8, 0xFF);
inline constexpr ImU32 kFaintTextColor = IM_COL32(0x5C, 0x61, 0x70, 0xFF);
inline constexpr ImU32 kAccentColor = IM_COL32(0xFF, 0x8E, 0x5E, 0xFF);
inline constexpr ImU32 kAccentText = IM_COL32(0x24, 0x14, 0x0C, 0xFF);
inline constexpr ImU32 kWarningColor = IM_COL32(0xF2, 0xC1, 0x4E, 0xFF);
inline constexpr ImU32 kErrorColor = IM_COL32(0xF0, 0x5D, 0x5E, 0xFF);
inline constexpr ImU32 kErrorPanelColor = IM_COL32(0x3A, 0x20, 0x26, 0xFA);
inline constexpr ImU32 kBoneColor = IM_COL32(0x4F, 0xC3, 0xF7, 0xFF);
inline constexpr ImU32 kJointColor = IM_COL32(0xF4, 0xFB, 0xFF, 0xFF);
inline constexpr ImU32 kJointRim = IM_COL32(0x0B, 0x3A, 0x52, 0xFF);
inline constexpr ImU32 kBeforeColor = IM_COL32(0xF0, 0x5C, 0x86, 0xFF);
inline constexpr ImU32 kAfterColor = IM_COL32(0x4C, 0xD6, 0x9A, 0xFF);
inline constexpr Color kCheckerLight{0.325F, 0.337F, 0.376F};
inline constexpr Color kCheckerDark{0.286F, 0.298F, 0.337F};

/// Multiplies the alpha of `color` by `alpha` (0..1).
[[nodiscard]] constexpr ImU32 with_alpha(ImU32 color, float alpha) noexcept {
  const auto old_alpha = static_cast<float>(color >> IM_COL32_A_SHIFT);
  const auto new_alpha = static_cast<ImU32>(old_alpha * alpha);
  return (color & ~IM_COL32_A_MASK) | (new_alpha << IM_COL32_A_SHIFT);
}

[[nodiscard]] inline ImU32 packed(const Color& color, float alpha = 1.0F) noexcept {
  return ImGui::ColorConvertFloat4ToU32({color[0], color[1], color[2], alpha});
}

/// From cold to hot, with perceptually even steps.
inline constexpr std::array<Color, 5> kHeatStops{{{0.18F, 0.15F, 0.46F},
                                                  {0.47F, 0.17F, 0.55F},
                                                  {0.79F, 0.27F, 0.42F},
                                                  {0.96F, 0.54F, 0.25F},
                                                  {0.99F, 0.90F, 0.52F}}};

/// Returns the color for `amount` (clamped to 0..1).
[[nodiscard]] constexpr Color heat(float amount) noexcept {
  const float along = std::clamp(amount, 0.0F, 1.0F) * static_cast<float>(kHeatStops.size() - 1);
  const std::size_t stop = std::min(static_cast<std::size_t>(along), kHeatStops.size() - 2);
  const float part = along - static_cast<float>(stop);
  Color color{};
  for (std::size_t i = 0; i < color.size(); ++i) {
    color[i] = kHeatStops[stop][i] + (kHeatStops[stop + 1][i] - kHeatStops[stop][i]) * part;
  }
  return color;
}

/// Colors for 1, 2, 3 ... meshes per pixel.
inline constexpr auto kOverdrawColors = [] {
  std::array<Color, 8> colors{};
  for (std::size_t i = 0; i < 8; ++i) colors[i] = heat(static_cast<float>(i) / 7.0F);
  return colors;
}();

[[nodiscard]] inline Vec2 text_size(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size());
}
/// Draws text so that its point `pivot` (0..1 of its size) is at `at`.
inline void text_at(ImDrawList& list, Vec2 at, Vec2 pivot, ImU32 color, std::string_view text) {
  list.AddText(at - text_size(text) * pivot, color, text.data(), text.data() + text.size());
}
inline void text_at(Vec2 at, Vec2 pivot, ImU32 color, std::string_view text) {
  text_at(*ImGui::GetWindowDrawList(), at, pivot, color, text);
}

}  // namespace pchr::player
