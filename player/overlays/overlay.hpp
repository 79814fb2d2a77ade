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
  Affine3 turn;  ///< From the character as it was read to how it is seen.
  float scale;   ///< Window units per design unit.

  /// From the world to window units.
  [[nodiscard]] ImVec2 place(Vec2 world) const { return im(canvas.to_window(apply(to_viewport, world))); }
  /// The same of a point of the character as it was read.
  [[nodiscard]] ImVec2 place_read(Vec3 point) const { return place(Vec2{apply(turn, point)}); }
  /// The vertices of a mesh as they are posed, in window units.
  [[nodiscard]] std::vector<ImVec2> place_vertices(std::uint32_t mesh) const;
};

struct Labels;
struct Legends;

/// Bones as tapered shapes, joints as dots, and the name of the joint under the mouse. Hidden bones are faint.
void draw_skeleton(const Overlay& overlay);
/// The triangles of the selected mesh, or of all.
void draw_wireframe(const Overlay& overlay);
/// Rectangles around this frame and around the clip.
void draw_bounds(const Overlay& overlay);
/// The selected bone's weights as a heat map.
void draw_weights(const Overlay& overlay, Legends& legends);
/// The way of the trail's bone, with `frame` marked.
void draw_trail(const Overlay& overlay, Legends& legends, const Trail& trail, std::uint32_t frame);
/// The place of each mesh in the draw list. Where numbers would overlap, those of the selected mesh and of what is
/// nearer to the viewer stay.
void draw_order_numbers(const Overlay& overlay, Labels& labels);
/// Names from the root to the selected bone, or of all bones where there is room.
void draw_names(const Overlay& overlay, Labels& labels);
/// The outline of the selected mesh, and the selected bone.
void draw_selection(const Overlay& overlay);

}  // namespace pchr::player
