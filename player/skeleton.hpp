// SPDX-License-Identifier: MIT
// The bones, drawn over the character.
#pragma once

#include "canvas.hpp"

namespace pchr::player {

/// Draws each bone as a tapered shape to its children and a dot at its joint, with the name of the joint
/// under the mouse. Hidden bones are faint. Call within a Dear ImGui frame.
void draw_skeleton(const Document& document, const Camera& camera, const Canvas& canvas, float interface_scale);

}  // namespace pchr::player
