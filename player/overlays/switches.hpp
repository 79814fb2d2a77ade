// SPDX-License-Identifier: MIT
// What can be drawn over and under the character, each switched on and off on its own.
#pragma once

#include "session.hpp"

#include <string_view>

namespace pchr::player {

struct OverlaySwitch {
  const char* label;
  std::string_view setting;  ///< Its name in the preferences.
  const char* text;          ///< What it shows, and its key.
  bool View::* on;
};

/// All of them, in the order of the View panel.
inline constexpr OverlaySwitch kOverlaySwitches[] = {
    {"Skeleton", "skeleton", "Bones over the character; names under the mouse (B)", &View::skeleton},
    {"Bone names", "names", "Of the selected bone and those above it, or of all where there is room (Shift+B)",
     &View::names},
    {"Wireframe", "wireframe", "Triangles of the selected mesh, or of all (W)", &View::wireframe},
    {"Bounds", "bounds", "Of this frame, and of the clip (E)", &View::bounds},
    {"Weights", "weights", "How much the selected bone moves each vertex (K)", &View::weights},
    {"Motion trail", "trail", "The way of the selected bone over the clip (J)", &View::trail},
    {"Draw order", "draw-order", "The place of each mesh in the order of drawing, 1 at the back (D)",
     &View::draw_order},
    {"Grid", "grid", "The origin of the world, and lines at round distances (Z)", &View::grid},
    {"Overdraw", "overdraw", "How many meshes cover each pixel (Y)", &View::overdraw},
    {"Onion skin", "onion", "Frames before and after this one (U)", &View::onion},
};

}  // namespace pchr::player
