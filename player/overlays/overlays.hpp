// SPDX-License-Identifier: MIT
// What is drawn over the character: the skeleton, the selection, and what else the view asks for.
#pragma once

#include "canvas.hpp"
#include "session.hpp"

namespace pchr::player {

/// Draws what the view asks for, and the selection, over the part `shown` of the canvas and below the panels. Call
/// within a Dear ImGui frame.
void draw_overlays(Session& session, const Canvas& canvas, const Rect& shown, float interface_scale);

}  // namespace pchr::player
