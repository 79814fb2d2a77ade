// SPDX-License-Identifier: MIT
// What each overlay draws with, and the overlays themselves.
#pragma once

#include "canvas.hpp"
#include "session.hpp"
#include "widgets.hpp"

#include <vector>

namespace pchr::player {

/// A character under an overlay, and where its world is in the window.
struct Overlay {
  ImDrawList& list;
  const Document& document;
  const Selection& selection;
  const Canvas& canvas;
  Affine to_viewport;
  float scale;  ///< Window units per design unit.

  /// From the world to window units.
  [[nodiscard]] ImVec2 place(Vec2 world) const { return im(canvas.to_window(apply(to_viewport, world))); }
  /// The vertices of a mesh as they are posed, in window units.
  [[nodiscard]] std::vector<ImVec2> place_vertices(std::uint32_t mesh) const;
};

/// Bones as tapered shapes, joints as dots, and the name of the joint under the mouse. Hidden bones are faint.
void draw_skeleton(const Overlay& overlay);
/// The triangles of the selected mesh, or of all.
void draw_wireframe(const Overlay& overlay);
/// Rectangles around this frame and around the clip.
void draw_bounds(const Overlay& overlay);
/// The outline of the selected mesh, and the selected bone.
void draw_selection(const Overlay& overlay);

}  // namespace pchr::player
