// SPDX-License-Identifier: MIT
// Colours and spacing of the whole player.
#pragma once

#include "background.hpp"

#include <imgui.h>

namespace pchr::player {

inline constexpr ImU32 kPanelColour = IM_COL32(0x20, 0x22, 0x2A, 0xFF);
inline constexpr ImU32 kBorderColour = IM_COL32(0x12, 0x13, 0x18, 0xFF);
inline constexpr ImU32 kWellColour = IM_COL32(0x18, 0x1A, 0x20, 0xFF);
inline constexpr ImU32 kControlColour = IM_COL32(0x30, 0x33, 0x3E, 0xFF);
inline constexpr ImU32 kControlHovered = IM_COL32(0x3D, 0x41, 0x4F, 0xFF);
inline constexpr ImU32 kControlActive = IM_COL32(0x4A, 0x4F, 0x60, 0xFF);
inline constexpr ImU32 kTextColour = IM_COL32(0xE8, 0xEA, 0xEF, 0xFF);
inline constexpr ImU32 kDimTextColour = IM_COL32(0x93, 0x99, 0xA8, 0xFF);
inline constexpr ImU32 kFaintTextColour = IM_COL32(0x5C, 0x61, 0x70, 0xFF);
inline constexpr ImU32 kAccentColour = IM_COL32(0xFF, 0x8E, 0x5E, 0xFF);
inline constexpr ImU32 kAccentText = IM_COL32(0x24, 0x14, 0x0C, 0xFF);
inline constexpr ImU32 kWarningColour = IM_COL32(0xF2, 0xC1, 0x4E, 0xFF);
inline constexpr ImU32 kErrorColour = IM_COL32(0xF0, 0x5D, 0x5E, 0xFF);
inline constexpr ImU32 kErrorPanelColour = IM_COL32(0x3A, 0x20, 0x26, 0xFA);
inline constexpr ImU32 kBoneColour = IM_COL32(0x4F, 0xC3, 0xF7, 0xFF);
inline constexpr ImU32 kJointColour = IM_COL32(0xF4, 0xFB, 0xFF, 0xFF);
inline constexpr ImU32 kJointRim = IM_COL32(0x0B, 0x3A, 0x52, 0xFF);
inline constexpr ImU32 kBeforeColour = IM_COL32(0xF0, 0x5C, 0x86, 0xFF);  ///< What was.
inline constexpr ImU32 kAfterColour = IM_COL32(0x4C, 0xD6, 0x9A, 0xFF);   ///< What will be.
inline constexpr Colour kCheckerLight{0.325F, 0.337F, 0.376F};
inline constexpr Colour kCheckerDark{0.286F, 0.298F, 0.337F};

/// `colour` with its alpha multiplied by `alpha` (0..1).
[[nodiscard]] constexpr ImU32 with_alpha(ImU32 colour, float alpha) noexcept {
  const auto old_alpha = static_cast<float>(colour >> IM_COL32_A_SHIFT);
  const auto new_alpha = static_cast<ImU32>(old_alpha * alpha);
  return (colour & ~IM_COL32_A_MASK) | (new_alpha << IM_COL32_A_SHIFT);
}

/// Sets Dear ImGui's style for an interface of `scale` window units per design unit.
void apply_theme(float scale);

}  // namespace pchr::player
