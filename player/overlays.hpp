// SPDX-License-Identifier: MIT
// Lines over the character: the selection, wireframes, bounds.
#pragma once

#include "canvas.hpp"
#include "session.hpp"

namespace pchr::player {

/// Draws what the view asks for, and the selection, over the canvas and below the panels.
void draw_overlays(Session& session, const Canvas& canvas, float interface_scale);

}  // namespace pchr::player
