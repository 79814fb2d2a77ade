// SPDX-License-Identifier: MIT
#include "overlays/overlay.hpp"

namespace pchr::player {
namespace {

void draw_triangles(const Overlay& overlay, std::uint32_t mesh, ImU32 colour) {
  const std::vector<ImVec2> points = overlay.place_vertices(mesh);
  const Character& character = overlay.document.character();
  const auto indices = character.indices(character.meshes()[mesh]);
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    overlay.list.AddTriangle(points[indices[i]], points[indices[i + 1]], points[indices[i + 2]], colour, overlay.scale);
  }
}

}  // namespace

void draw_wireframe(const Overlay& overlay) {
  if (overlay.selection.mesh) return draw_triangles(overlay, *overlay.selection.mesh, with_alpha(kTextColour, 0.6F));
  for (const DrawItem& item : overlay.document.posed.draw_list) {
    draw_triangles(overlay, item.mesh, with_alpha(kTextColour, 0.35F));
  }
}

}  // namespace pchr::player
