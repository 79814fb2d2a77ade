// SPDX-License-Identifier: MIT
// The outline of the selected mesh, and the selected bone.
#include "overlays/overlay.hpp"

namespace pchr::player {
namespace {

void draw_outline(const Overlay& overlay) {
  const std::vector<ImVec2> points = overlay.place_vertices(*overlay.selection.mesh);
  for (const auto& [first, second] : overlay.selection.outline) {
    overlay.list.AddLine(points[first], points[second], with_alpha(kAccentColour, 0.9F), 1.5F * overlay.scale);
  }
}

void draw_bone(const Overlay& overlay, std::uint32_t bone) {
  const auto& world = overlay.document.posed.world;
  const std::int32_t parent = overlay.document.character().bones()[bone].parent;
  const ImVec2 at = overlay.place(world[bone][2]);
  const float scale = overlay.scale;
  if (parent >= 0) {
    const ImVec2 from = overlay.place(world[static_cast<std::size_t>(parent)][2]);
    overlay.list.AddLine(from, at, with_alpha(kAccentColour, 0.7F), 2.0F * scale);
  }
  overlay.list.AddCircleFilled(at, 5.0F * scale, with_alpha(kJointRim, 0.9F));
  overlay.list.AddCircleFilled(at, 3.5F * scale, kAccentColour);
}

}  // namespace

void draw_selection(const Overlay& overlay) {
  const Selection& selection = overlay.selection;
  if (selection.mesh) draw_outline(overlay);
  if (selection.bone && *selection.bone < overlay.document.posed.world.size()) draw_bone(overlay, *selection.bone);
}

}  // namespace pchr::player
