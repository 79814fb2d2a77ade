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
    {"Wireframe", "wireframe", "Triangles of the selected mesh, or of all (W)", &View::wireframe},
    {"Bounds", "bounds", "Of this frame, and of the clip (E)", &View::bounds},
};

}  // namespace pchr::player
