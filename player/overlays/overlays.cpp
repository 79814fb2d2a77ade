// SPDX-License-Identifier: MIT
#include "overlays/overlays.hpp"

#include "overlays/heat.hpp"
#include "overlays/labels.hpp"
#include "overlays/overlay.hpp"
#include "overlays/under.hpp"

#include <fmt/format.h>

namespace pchr::player {

std::vector<ImVec2> Overlay::place_vertices(std::uint32_t mesh) const {
  const Character& character = document.character();
  std::vector<Vec2> points(character.meshes()[mesh].vertex_count);
  skin_mesh(character, document.posed, mesh, points);
  std::vector<ImVec2> placed;
  placed.reserve(points.size());
  for (const Vec2 point : points) placed.push_back(place(point));
  return placed;
}

namespace {

/// The trail of the selected bone, where there is one clip along which it can go.
void draw_selected_trail(const Overlay& overlay, Legends& legends, Session& session) {
  const Document& document = *session.document;
  if (!shows_clip(session) || !document.clip || !document.shown) return;
  const auto bone = session.selection.bone;
  if (!bone || *bone >= document.character().bones().size()) {
    return draw_legend(overlay, legends, "Trail: select a bone");
  }
  find_trail(session.trail, document.character(), *document.clip, *bone, session.files_opened);
  draw_trail(overlay, legends, session.trail, document.shown->frame);
}

void draw_overdraw_legend(const Overlay& overlay, Legends& legends) {
  std::array<Swatch, kOverdrawColours> swatches;
  for (std::size_t i = 0; i < swatches.size(); ++i) {
    const char* more = i + 1 < swatches.size() ? "" : "+";
    swatches[i] = {packed(overdraw_colour(i + 1)), fmt::format("{}{}", i + 1, more)};
  }
  draw_legend(overlay, legends, "Meshes over a pixel", swatches);
}

void draw_onion_legend(const Overlay& overlay, Legends& legends, const Session& session) {
  if (!shows_clip(session) || !session.document->clip) return;
  const Swatch sides[] = {{kBeforeColour, fmt::format("{} before", session.view.onion_before)},
                          {kAfterColour, fmt::format("{} after", session.view.onion_after)}};
  draw_legend(overlay, legends, "Onion skin", sides);
}

void draw_legends(const Overlay& overlay, Legends& legends, const Session& session) {
  const View& view = session.view;
  if (view.grid) {
    const GridStep step = grid_step(session, overlay.canvas, overlay.scale);
    const char* const unit = shows_spatial(session) ? "units" : "px";
    draw_legend(overlay, legends, fmt::format("Grid {:g}, bold {:g} {}", step.minor, step.major, unit));
  }
  const bool overdraw = view.overdraw && !shows_spatial(session);
  if (overdraw) draw_overdraw_legend(overlay, legends);
  if (view.onion && !overdraw) draw_onion_legend(overlay, legends, session);
}

}  // namespace

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
                        .turn = turn_of(session, document.character()),
                        .scale = interface_scale};
  overlay.list.PushClipRect(im(shown.min), im(shown.max));
  Legends legends;
  Labels labels;
  draw_legends(overlay, legends, session);
  if (view.weights) draw_weights(overlay, legends);
  if (view.skeleton) draw_skeleton(overlay);
  if (view.wireframe) draw_wireframe(overlay);
  if (view.bounds) draw_bounds(overlay);
  draw_selection(overlay);
  if (view.trail) draw_selected_trail(overlay, legends, session);
  if (view.draw_order) draw_order_numbers(overlay, labels);
  if (view.names) draw_names(overlay, labels);
  overlay.list.PopClipRect();
}

}  // namespace pchr::player
