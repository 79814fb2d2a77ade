// SPDX-License-Identifier: MIT
// What can be drawn over and under the character, each switched on and off on its own.
#pragma once

#include "app/app.hpp"
#include "ui/widgets.hpp"
#include "view/canvas.hpp"

namespace pchr::player {

/// A switch of the View panel. Its id is that of its command, and its name in the preferences.
struct OverlaySwitch {
  std::string_view id;
  bool View::* on;
};

/// All of them, in the order of the View panel.
inline constexpr OverlaySwitch kOverlaySwitches[] = {
    {"skeleton", &View::skeleton},     {"names", &View::names},     {"wireframe", &View::wireframe},
    {"bounds", &View::bounds},         {"weights", &View::weights}, {"trail", &View::trail},
    {"draw-order", &View::draw_order}, {"grid", &View::grid},       {"overdraw", &View::overdraw},
    {"onion", &View::onion},
};

/// A character under an overlay, and where its world is in the window.
struct Overlay {
  ImDrawList& list;
  Document& document;
  const Selection& selection;
  const PoseBuffers& posed;
  std::optional<ClipId> clip;  ///< That is shown.
  const Canvas& canvas;
  Affine to_viewport;
  Affine3 turn;  ///< From the character as it was read to how it is seen.
  float scale;   ///< Window units per design unit.

  /// From the world to window units.
  [[nodiscard]] ImVec2 place(Vec2 world) const { return im(canvas.to_window(apply(to_viewport, world))); }
  /// The same of a point of the character as it was read.
  [[nodiscard]] ImVec2 place_read(Vec3 point) const { return place(Vec2{apply(turn, point)}); }
  /// The vertices of a mesh as they are posed, in window units.
  [[nodiscard]] std::vector<ImVec2> place_vertices(MeshId mesh) const;
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

/// Draws what the view asks for, and the selection, over the part `shown` of the canvas and below the panels. Call
/// within a Dear ImGui frame.
void draw_overlays(App& app, const Canvas& canvas, const Rect& shown, float interface_scale);

}  // namespace pchr::player
