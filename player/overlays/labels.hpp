// SPDX-License-Identifier: MIT
// Labels, legends and color ramps.
#pragma once

#include "ui/widgets.hpp"

namespace pchr::player {

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

/// Placement of labels and legends in one frame.
struct Labels {
  ImDrawList& list;
  Rect canvas;                ///< Window units.
  float scale = 1.0F;         ///< Window units per design unit.
  std::vector<Rect> taken{};  ///< Areas of labels placed so far.
  float legends = 0.0F;       ///< Total height of the legends, in window units.
};

struct LabelStyle {
  ImU32 text = kTextColor;
  ImU32 fill = with_alpha(kPanelColor, 0.88F);
  Vec2 pivot{0.5F};       ///< Point of the label that is at the given position, 0..1.
  bool may_move = false;  ///< Whether the label can move slightly to avoid another one.
  float size = 1.0F;      ///< Relative to the interface's text size.
};

/// Draws a label at `at` (window units) unless it would cover another one. Returns whether it was drawn.
bool draw_label(Labels& labels, const std::string& text, Vec2 at, const LabelStyle& style);

/// A color of a legend and its caption.
struct Swatch {
  ImU32 color = 0;
  std::string caption;
};

/// Draws a legend above earlier ones in the canvas's bottom left corner. The swatches follow the text: side by side, or
/// as a ramp if `smooth`.
void draw_legend(Labels& labels, const std::string& text, std::span<const Swatch> swatches = {}, bool smooth = false);

}  // namespace pchr::player
