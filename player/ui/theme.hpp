// SPDX-License-Identifier: MIT
// Colors and spacing of the player.
#pragma once

#include "gl/background_painter.hpp"

#include <imgui.h>

#include <string>

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

/// Sets Dear ImGui's style for `scale` window units per design unit.
void apply_theme(float scale);

/// Builds Dear ImGui's font.
class Fonts {
 public:
  /// Provides the glyphs of Western languages and of `text` (UTF-8), for `scale` window units per design unit and
  /// `pixels` framebuffer pixels per window unit. Uses a system typeface if there is one, else Dear ImGui's own. Slow
  /// if glyphs are missing. Call between Dear ImGui frames.
  void update(float scale, float pixels, const std::string& text);

 private:
  ImFontGlyphRangesBuilder characters_;
  float scale_ = 0.0F;
  float pixels_ = 0.0F;
};

/// Returns a larger font, with Basic Latin only.
[[nodiscard]] ImFont* headline_font();

}  // namespace pchr::player
