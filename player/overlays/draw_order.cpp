// SPDX-License-Identifier: MIT
// The place of each mesh in the draw list, 1 for the one at the back.
#include "overlays/labels.hpp"
#include "overlays/overlay.hpp"

#include <pchr/bounds.hpp>

#include <fmt/format.h>

namespace pchr::player {
namespace {

/// A character that fills the window has fewer meshes than this; smaller numbers suit more.
constexpr std::size_t kMany = 40;

}  // namespace

void draw_order_numbers(const Overlay& overlay, Labels& labels) {
  const Document& document = overlay.document;
  const DrawList& drawn = document.posed.draw_list;
  const LabelStyle plain{.may_move = true, .size = drawn.size() < kMany ? 0.92F : 0.8F};
  const LabelStyle selected{.text = kAccentText, .fill = kAccentColour};
  const auto number = [&](std::size_t i, const LabelStyle& style) {
    const Rect area = mesh_bounds(document.character(), document.posed, drawn[i].mesh);
    if (area.empty()) return;
    draw_label(overlay, labels, fmt::format("{}", i + 1), vec(overlay.place(area.centre())), style);
  };
  // The selected mesh comes first, then what is nearer to the viewer.
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i].mesh == overlay.selection.mesh) number(i, selected);
  }
  for (std::size_t i = drawn.size(); i-- > 0;) {
    if (drawn[i].mesh != overlay.selection.mesh) number(i, plain);
  }
}

}  // namespace pchr::player
