// SPDX-License-Identifier: MIT
#include "overlays/overlay.hpp"

#include <pchr/bounds.hpp>

namespace pchr::player {
namespace {

void draw_rect(const Overlay& overlay, const Rect& rect, ImU32 colour, float thickness) {
  if (rect.empty()) return;
  const ImVec2 shape[] = {overlay.place(rect.min), overlay.place({rect.max.x, rect.min.y}), overlay.place(rect.max),
                          overlay.place({rect.min.x, rect.max.y})};
  overlay.list.AddPolyline(shape, 4, colour, ImDrawFlags_Closed, thickness);
}

}  // namespace

void draw_bounds(const Overlay& overlay) {
  const Document& document = overlay.document;
  draw_rect(overlay, seen_bounds(overlay.turn, document.bounds), with_alpha(kTextColour, 0.5F), overlay.scale);
  const Rect frame = bounds(document.character(), document.posed);
  draw_rect(overlay, frame, with_alpha(kBoneColour, 0.9F), 1.5F * overlay.scale);
}

}  // namespace pchr::player
