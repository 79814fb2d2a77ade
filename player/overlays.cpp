// SPDX-License-Identifier: MIT
#include "overlays.hpp"

#include "widgets.hpp"

#include <pchr/bounds.hpp>

#include <imgui.h>

#include <vector>

namespace pchr::player {
namespace {

/// From the world to window units.
struct Placing {
  Affine to_viewport;
  const Canvas& canvas;
  [[nodiscard]] ImVec2 operator()(Vec2 world) const { return im(canvas.to_window(apply(to_viewport, world))); }
};

std::vector<ImVec2> corners(const Document& document, std::uint32_t mesh, const Placing& place) {
  const Character& character = document.character();
  const auto vertices = character.vertices(character.meshes()[mesh]);
  std::vector<Vec2> points(vertices.size());
  skin(vertices, document.posed.palette, points);
  std::vector<ImVec2> placed;
  placed.reserve(points.size());
  for (const Vec2 point : points) placed.push_back(place(point));
  return placed;
}

void draw_wireframe(ImDrawList& list, const Document& document, std::uint32_t mesh, const Placing& place, ImU32 colour,
                    float thickness) {
  const std::vector<ImVec2> points = corners(document, mesh, place);
  const auto indices = document.character().indices(document.character().meshes()[mesh]);
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    list.AddTriangle(points[indices[i]], points[indices[i + 1]], points[indices[i + 2]], colour, thickness);
  }
}

void draw_outline(ImDrawList& list, const Document& document, const Selection& selection, const Placing& place,
                  float thickness) {
  const std::vector<ImVec2> points = corners(document, *selection.mesh, place);
  for (const auto& [first, second] : selection.outline) {
    list.AddLine(points[first], points[second], with_alpha(kAccentColour, 0.9F), thickness);
  }
}

void draw_rect(ImDrawList& list, const Rect& rect, const Placing& place, ImU32 colour, float thickness) {
  if (rect.empty()) return;
  const ImVec2 shape[] = {place(rect.min), place({rect.max.x, rect.min.y}), place(rect.max),
                          place({rect.min.x, rect.max.y})};
  list.AddPolyline(shape, 4, colour, ImDrawFlags_Closed, thickness);
}

void draw_selected_bone(ImDrawList& list, const Document& document, std::uint32_t bone, const Placing& place,
                        float scale) {
  const auto& world = document.posed.world;
  const std::int32_t parent = document.character().bones()[bone].parent;
  const ImVec2 at = place(world[bone][2]);
  if (parent >= 0) {
    list.AddLine(place(world[static_cast<std::size_t>(parent)][2]), at, with_alpha(kAccentColour, 0.7F), 2.0F * scale);
  }
  list.AddCircleFilled(at, 5.0F * scale, with_alpha(kJointRim, 0.9F));
  list.AddCircleFilled(at, 3.5F * scale, kAccentColour);
}

}  // namespace

void draw_overlays(Session& session, const Canvas& canvas, float interface_scale) {
  if (!session.document) return;
  const Document& document = *session.document;
  const Placing place{world_to_viewport(session.view.camera), canvas};
  Selection& selection = session.selection;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect(im(canvas.area.min), im(canvas.area.max));
  if (session.view.wireframe && selection.mesh) {
    draw_wireframe(list, document, *selection.mesh, place, with_alpha(kTextColour, 0.6F), interface_scale);
  } else if (session.view.wireframe) {
    for (const DrawItem& item : document.posed.draw_list) {
      draw_wireframe(list, document, item.mesh, place, with_alpha(kTextColour, 0.35F), interface_scale);
    }
  }
  if (session.view.bounds) {
    draw_rect(list, document.bounds, place, with_alpha(kTextColour, 0.5F), interface_scale);
    const Rect frame = bounds(document.character(), document.posed);
    draw_rect(list, frame, place, with_alpha(kBoneColour, 0.9F), 1.5F * interface_scale);
  }
  if (selection.mesh) {
    find_outline(selection, document.character());
    draw_outline(list, document, selection, place, 1.5F * interface_scale);
  }
  if (selection.bone && *selection.bone < document.posed.world.size()) {
    draw_selected_bone(list, document, *selection.bone, place, interface_scale);
  }
  list.PopClipRect();
}

}  // namespace pchr::player
