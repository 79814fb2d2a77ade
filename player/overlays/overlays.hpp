// SPDX-License-Identifier: MIT
// Overlays that can be drawn over the character, each with its own switch.
#pragma once

#include "view/canvas.hpp"

namespace pchr::player {

/// A switch in the View panel. Its id is also its command's id and its name in the preferences.
struct OverlaySwitch {
  std::string_view id;
  bool View::* on;
};

/// All switches in the order of the View panel.
inline constexpr OverlaySwitch kOverlaySwitches[] = {
    {"skeleton", &View::skeleton},     {"names", &View::names},     {"wireframe", &View::wireframe},
    {"bounds", &View::bounds},         {"weights", &View::weights}, {"trail", &View::trail},
    {"draw-order", &View::draw_order}, {"grid", &View::grid},       {"overdraw", &View::overdraw},
    {"onion", &View::onion},
};

/// Draws the enabled overlays and the selection over the part `shown` of the canvas, below the panels. Call within a
/// Dear ImGui frame.
void draw_overlays(Scene& scene, const Canvas& canvas, const Rect& shown, float interface_scale);

}  // namespace pchr::player
