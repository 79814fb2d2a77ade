// SPDX-License-Identifier: MIT
// How much the selected bone moves each vertex, as a heat map over the meshes.
#include "overlays/heat.hpp"
#include "overlays/labels.hpp"
#include "overlays/overlay.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace pchr::player {
namespace {

float weight_of(const Vertex& vertex, std::uint32_t bone) noexcept {
  float sum = 0.0F;
  for (std::size_t slot = 0; slot < 4; ++slot) {
    if (vertex.bones[slot] == bone) sum += vertex.weights[slot];
  }
  return sum;
}

/// Clear where the bone has no say, so that the character shows.
ImU32 colour_of(float weight) noexcept {
  return packed(heat(weight), weight > 0.0F ? std::min(0.35F + 0.47F * weight, 0.82F) : 0.0F);
}

/// The triangles of a mesh that look at who looks; of a planar character all do.
std::vector<std::uint16_t> faces_towards(const Overlay& overlay, std::uint32_t mesh, std::span<const ImVec2> points) {
  const Character& character = overlay.document.character();
  const auto indices = character.indices(character.meshes()[mesh]);
  std::vector<std::uint16_t> towards;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const ImVec2 &a = points[indices[i]], &b = points[indices[i + 1]], &c = points[indices[i + 2]];
    // Counter-clockwise in space; y is down here.
    const bool away = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0.0F;
    if (!away || !character.is_spatial()) towards.insert(towards.end(), &indices[i], &indices[i] + 3);
  }
  return towards;
}

void draw_mesh(const Overlay& overlay, std::uint32_t mesh, std::uint32_t bone) {
  const Character& character = overlay.document.character();
  const auto vertices = character.vertices(character.meshes()[mesh]);
  const auto moved = [&](const Vertex& vertex) { return weight_of(vertex, bone) > 0.0F; };
  if (std::ranges::none_of(vertices, moved)) return;
  const std::vector<ImVec2> points = overlay.place_vertices(mesh);
  const auto indices = faces_towards(overlay, mesh, points);
  const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
  ImDrawList& list = overlay.list;
  list.PrimReserve(static_cast<int>(indices.size()), static_cast<int>(vertices.size()));
  const unsigned first = list._VtxCurrentIdx;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    list.PrimWriteVtx(points[i], white, colour_of(weight_of(vertices[i], bone)));
  }
  for (const std::uint16_t index : indices) list.PrimWriteIdx(static_cast<ImDrawIdx>(first + index));
}

}  // namespace

void draw_weights(const Overlay& overlay, Legends& legends) {
  const auto bone = overlay.selection.bone;
  const auto bones = overlay.document.character().bones();
  if (!bone || *bone >= bones.size()) return draw_legend(overlay, legends, "Weights: select a bone");
  for (const DrawItem& item : overlay.document.posed.draw_list) draw_mesh(overlay, item.mesh, *bone);
  std::array<Swatch, kHeatStops.size()> ramp;
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i].colour = packed(kHeatStops[i]);
  ramp.front().caption = "0";
  ramp.back().caption = "1";
  draw_legend(overlay, legends, "Weights of " + bones[*bone].name, ramp, true);
}

}  // namespace pchr::player
