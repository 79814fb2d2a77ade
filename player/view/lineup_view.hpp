// SPDX-License-Identifier: MIT
// Draws a lineup, and moves its characters with the mouse.
#pragma once

#include "view/canvas.hpp"

namespace pchr::player {

/// Draws the members behind the open character into the viewport.
void draw_lineup(App& app, Renderer& renderer);
/// Draws the ground line.
void draw_ground(const App& app, const Canvas& canvas, BackgroundPainter& background);
/// Names the characters below their feet and frames the selected one. Call within a Dear ImGui frame.
void label_lineup(App& app, const Canvas& canvas, float interface_scale);

/// Selects and drags characters with the left button. Returns whether the mouse holds one.
bool drag_lineup(App& app, const Canvas& canvas);

}  // namespace pchr::player
