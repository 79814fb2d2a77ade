// SPDX-License-Identifier: MIT
#include "overlays/overlays.hpp"

#include "overlays/overlay.hpp"

namespace pchr::player {

std::vector<ImVec2> Overlay::place_vertices(std::uint32_t mesh) const {
  const Character& character = document.character();
  const auto vertices = character.vertices(character.meshes()[mesh]);
  std::vector<Vec2> points(vertices.size());
  skin(vertices, document.posed.palette, points);
  std::vector<ImVec2> placed;
  placed.reserve(points.size());
  for (const Vec2 point : points) placed.push_back(place(point));
  return placed;
}

void draw_overlays(Session& session, const Canvas& canvas, const Rect& shown, float interface_scale) {
  if (!session.document) return;
  const Document& document = *session.document;
  const View& view = session.view;
  find_outline(session.selection, document.character());
  const Overlay overlay{.list = *ImGui::GetBackgroundDrawList(),
                        .document = document,
                        .selection = session.selection,
                        .canvas = canvas,
                        .to_viewport = world_to_viewport(view.camera),
                        .scale = interface_scale};
  overlay.list.PushClipRect(im(shown.min), im(shown.max));
  if (view.skeleton) draw_skeleton(overlay);
  if (view.wireframe) draw_wireframe(overlay);
  if (view.bounds) draw_bounds(overlay);
  draw_selection(overlay);
  overlay.list.PopClipRect();
}

}  // namespace pchr::player
