// SPDX-License-Identifier: MIT
// Names and numbers beside what they mean, none over another; and legends in the canvas's corner.
#pragma once

#include "overlays/overlay.hpp"

#include <span>
#include <string>
#include <vector>

namespace pchr::player {

/// Labels of one picture. The first to come keeps its place.
struct Labels {
  std::vector<Rect> taken{};
};

struct LabelStyle {
  ImU32 text = kTextColour;
  ImU32 fill = with_alpha(kPanelColour, 0.88F);
  Vec2 pivot{0.5F};       ///< Which part of the label is at the point: 0.5, 0.5 is its middle.
  bool may_move = false;  ///< A little aside, where another label is in the way.
  float size = 1.0F;      ///< Of the interface's text.
};

/// Draws a label at `at` (window units) unless it would cover another. Returns whether it did.
bool draw_label(const Overlay& overlay, Labels& labels, const std::string& text, Vec2 at, const LabelStyle& style);

/// What an overlay's colours and lines mean, one box above another from the canvas's lower left corner.
struct Legends {
  float height = 0.0F;  ///< Of those drawn so far, in window units.
};

/// A colour of a legend, and what it stands for.
struct Swatch {
  ImU32 colour = 0;
  std::string caption;
};

/// A box with `text`, and behind it the swatches: side by side, or where `smooth` as one ramp.
void draw_legend(const Overlay& overlay, Legends& legends, const std::string& text,
                 std::span<const Swatch> swatches = {}, bool smooth = false);

}  // namespace pchr::player
