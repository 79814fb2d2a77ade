// SPDX-License-Identifier: MIT
// The edges that resize and fold the docks, and the handles of docks that are not open.
#include "app/commands.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr ImGuiWindowFlags kStripFlags =
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
constexpr float kMaxDockSize = 4000.0F;  ///< Design units.

struct DockNames {
  const char *handle, *edge, *tab, *command;
};
constexpr std::array<DockNames, kDocks.size()> kNames{{{"left handle", "left edge", "left tab", "left-panels"},
                                                       {"right handle", "right edge", "right tab", "right-panels"},
                                                       {"bottom handle", "bottom edge", "bottom tab", "timeline"}}};

/// Draws an arrow that points away from the canvas to fold a dock, or toward it to open one.
void arrow(Dock dock, bool folds, const Rect& area, ImU32 color, float scale) {
  const Vec2 outward = dock == Dock::left    ? Vec2{-1.0F, 0.0F}
                       : dock == Dock::right ? Vec2{1.0F, 0.0F}
                                             : Vec2{0.0F, 1.0F};
  const Vec2 forward = outward * (folds ? 1.3F : -1.3F) * scale;
  const Vec2 across{-forward.y, forward.x};
  const Vec2 center = area.center();
  ImGui::GetWindowDrawList()->AddTriangleFilled(center - forward * 1.5F - across * 4.0F, center + forward * 2.0F,
                                                center - forward * 1.5F + across * 4.0F, color);
}

/// A strip along the side of the window; a click opens the dock, or closes it if it is open over the canvas.
void handle(App& app, const Layout& layout, Dock dock) {
  const DockNames& names = kNames[std::to_underlying(dock)];
  const Rect& area = layout.handle(dock);
  if (area.size().x < 1.0F || area.size().y < 1.0F) return;
  begin_popup(names.handle, area, Vec2{0.0F}, 0.0F, kStripFlags);
  const Spot strip = spot(names.handle, area.size());
  if (strip.hovered) fill(area, kControlHovered);
  ImGui::GetWindowDrawList()->AddRect(area.min, area.max, kBorderColor);
  arrow(dock, layout.is_over(dock), area, strip.hovered ? kTextColor : kDimTextColor, layout.scale);
  command_tooltip(names.command);
  if (strip.clicked) layout.is_open(dock) ? close_dock(app, dock) : open_dock(app, dock);
  ImGui::End();
}

/// Returns the size that puts a dock's edge under the mouse.
float dragged_size(const Layout& layout, Dock dock) {
  const Vec2 mouse = ImGui::GetIO().MousePos;
  const Rect& area = layout.dock(dock);
  const float half = kGrip * 0.5F * layout.scale;
  const bool upright = dock != Dock::bottom;
  const float size = dock == Dock::left    ? mouse.x - half - area.min.x
                     : dock == Dock::right ? area.max.x - mouse.x - half
                                           : area.max.y - mouse.y - half;
  const Vec2 now = area.size();
  const Vec2 canvas = layout.canvas.size();
  const float room = (upright ? now.x + canvas.x : now.y + canvas.y) / layout.scale - kCanvasMinimum;
  const float min = kDockMinimums[std::to_underlying(dock)];
  return std::clamp(size / layout.scale, min, std::max(layout.is_over(dock) ? kMaxDockSize : room, min));
}

/// Resizes a dock by dragging its edge. A double click resets it, a click on the tab in the middle folds it.
void edge(App& app, const Layout& layout, Dock dock) {
  const std::size_t i = std::to_underlying(dock);
  const Rect area = dock_edge(layout, dock);
  const Rect middle = dock_tab(area, layout.scale);
  begin_popup(kNames[i].edge, area, Vec2{0.0F}, 0.0F, kStripFlags | ImGuiWindowFlags_NoBackground);
  if (layout.is_over(dock)) raise_if_new();
  const Spot grip = spot(kNames[i].edge, area.size());
  name_area(kNames[i].tab, middle);
  const bool dragging = grip.active && ImGui::IsMouseDragging(ImGuiMouseButton_Left);
  const bool on_tab = grip.hovered && ImGui::IsMouseHoveringRect(middle.min, middle.max) && !dragging;
  if (grip.hovered || grip.active) {
    ImGui::SetMouseCursor(on_tab                 ? ImGuiMouseCursor_Hand
                          : dock == Dock::bottom ? ImGuiMouseCursor_ResizeNS
                                                 : ImGuiMouseCursor_ResizeEW);
    if (!on_tab) fill(area, with_alpha(kAccentColor, 0.5F));
  }
  fill(middle, on_tab ? kControlHovered : kPanelColor, kGrip * 0.5F * layout.scale);
  arrow(dock, true, middle, on_tab ? kTextColor : kDimTextColor, layout.scale);
  if (on_tab) command_tooltip(kNames[i].command);
  if (dragging) {
    app.arrangement.sizes[i] = dragged_size(layout, dock);
  } else if (on_tab && grip.clicked) {
    close_dock(app, dock);
  } else if (!on_tab && grip.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    app.arrangement.sizes[i] = kDockSizes[i];
  }
  ImGui::End();
}

/// Moves the border between two panels of a column. `height` is the upper one's, without `fixed`.
void split(const char* name, const Layout& layout, const Rect& upper, const Rect& lower, float& height, float reset,
           float fixed, bool over) {
  const Rect area{{upper.min.x, upper.max.y}, {lower.max.x, lower.min.y}};
  begin_popup(name, area, Vec2{0.0F}, 0.0F, kStripFlags);
  if (over) raise_if_new();
  const Spot grip = spot(name, area.size());
  const Rect line{area.center() - Vec2{14.0F, 1.0F} * layout.scale, area.center() + Vec2{14.0F, 1.0F} * layout.scale};
  fill(grip.hovered || grip.active ? area : line,
       grip.hovered || grip.active ? with_alpha(kAccentColor, 0.5F) : kControlActive);
  if (grip.hovered || grip.active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (grip.active && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const float dragged = (ImGui::GetIO().MousePos.y + kGrip * 0.5F * layout.scale - upper.min.y) / layout.scale;
    const float room = (lower.max.y - upper.min.y) / layout.scale - kLowerMinimum;
    height = std::max(std::min(dragged, room), kUpperMinimum) - fixed;
  } else if (grip.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    height = reset;
  }
  ImGui::End();
}

}  // namespace

void docks(App& app, const Layout& layout) {
  Arrangement& wanted = app.arrangement;
  for (const Dock dock : kDocks) {
    if (layout.is_open(dock)) edge(app, layout, dock);
    if (!layout.handle(dock).empty()) handle(app, layout, dock);
  }
  if (!layout.cast.empty() && !wanted.cast_folded) {
    split("cast edge", layout, layout.cast, layout.clips, wanted.cast_height, kCastHeight, 0.0F,
          layout.is_over(Dock::left));
  }
  if (!layout.view.empty() && !wanted.view_folded) {
    split("view edge", layout, layout.view, layout.info, wanted.view_height, kViewHeight,
          app.shows_3d() ? kTurntableHeight : 0.0F, layout.is_over(Dock::right));
  }
}

}  // namespace pchr::player
