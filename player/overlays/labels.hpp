// SPDX-License-Identifier: MIT
// Numbers as colors: from cold to hot, evenly lighter to the eye.
#pragma once

#include "overlays/overlays.hpp"
#include "ui/theme.hpp"

namespace pchr::player {

/// Indigo for 0, through crimson and orange, to pale yellow for 1.
inline constexpr std::array<Color, 5> kHeatStops{{{0.18F, 0.15F, 0.46F},
                                                  {0.47F, 0.17F, 0.55F},
                                                  {0.79F, 0.27F, 0.42F},
                                                  {0.96F, 0.54F, 0.25F},
                                                  {0.99F, 0.90F, 0.52F}}};

/// `amount` is clamped to 0..1.
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

[[nodiscard]] inline ImU32 packed(const Color& color, float alpha = 1.0F) noexcept {
  return ImGui::ColorConvertFloat4ToU32({color[0], color[1], color[2], alpha});
}

/// Labels of one frame. The first to come keeps its place.
struct Labels {
  std::vector<Rect> taken{};
};

struct LabelStyle {
  ImU32 text = kTextColor;
  ImU32 fill = with_alpha(kPanelColor, 0.88F);
  Vec2 pivot{0.5F};       ///< Which part of the label is at the point: 0.5, 0.5 is its middle.
  bool may_move = false;  ///< A little aside, where another label is in the way.
  float size = 1.0F;      ///< Of the interface's text.
};

/// Draws a label at `at` (window units) unless it would cover another. Returns whether it did.
bool draw_label(const Overlay& overlay, Labels& labels, const std::string& text, Vec2 at, const LabelStyle& style);

/// What an overlay's colors and lines mean, one box above another from the canvas's lower left corner.
struct Legends {
  float height = 0.0F;  ///< Of those drawn so far, in window units.
};

/// A color of a legend, and what it stands for.
struct Swatch {
  ImU32 color = 0;
  std::string caption;
};

/// A box with `text`, and behind it the swatches: side by side, or where `smooth` as one ramp.
void draw_legend(const Overlay& overlay, Legends& legends, const std::string& text,
                 std::span<const Swatch> swatches = {}, bool smooth = false);

}  // namespace pchr::player
