// SPDX-License-Identifier: MIT
// Positions of the panels in a window. The window tests also use them to find widgets.
#pragma once

#include <pchr/geometry.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace pchr::player {

/// A side of the canvas with panels: the column of clips, the column of view settings and facts, and the bottom bar.
enum class Dock : std::uint8_t { left, right, bottom };
inline constexpr std::array kDocks{Dock::left, Dock::right, Dock::bottom};

inline constexpr float kMenuHeight = 28.0F;
inline constexpr float kClipsWidth = 268.0F;
inline constexpr float kCastHeight = 210.0F;
inline constexpr float kInspectorWidth = 272.0F;
inline constexpr float kViewHeight = 346.0F;
inline constexpr float kTurntableHeight = 92.0F;  ///< Added to the height of the view panel for 3D characters.
inline constexpr float kTransportHeight = 140.0F;
inline constexpr float kCanvasMinimum = 220.0F;  ///< Docks shrink or close to keep the canvas at least this large.
inline constexpr float kPadding = 12.0F;
inline constexpr float kHeadingHeight = 40.0F;
inline constexpr float kFilterHeight = 38.0F;
inline constexpr float kClipRowHeight = 30.0F;
inline constexpr float kRigRowHeight = 28.0F;
inline constexpr float kRigLabelWidth = 84.0F;
inline constexpr float kTimelineHeight = 76.0F;  ///< In a bottom bar of the default height; a higher bar adds to it.
inline constexpr float kRulerHeight = 22.0F;     ///< Top part of the timeline.
inline constexpr float kBrowserRowHeight = 28.0F;
inline constexpr float kExportRowHeight = 34.0F;
inline constexpr float kExportLabelWidth = 104.0F;
inline constexpr float kHandle = 14.0F;   ///< Thickness of the handle of a dock that is not open.
inline constexpr float kGrip = 6.0F;      ///< Thickness of an edge that can be dragged.
inline constexpr float kGripTab = 44.0F;  ///< Length of the part of the edge that folds the dock.
inline constexpr float kUpperMinimum = 90.0F;
inline constexpr float kLowerMinimum = 160.0F;  ///< Height that a panel leaves to the one below it.

inline constexpr std::array kDockSizes{kClipsWidth, kInspectorWidth, kTransportHeight};
inline constexpr std::array kDockMinimums{220.0F, 240.0F, 104.0F};

/// How the user arranged the panels. Sizes are design units.
struct Arrangement {
  std::array<float, kDocks.size()> sizes{kDockSizes};  ///< Across the dock, by Dock.
  std::array<bool, kDocks.size()> folded{};
  std::optional<Dock> over{};  ///< Opened over the canvas, as there is no room beside it.
  float cast_height = kCastHeight;
  float view_height = kViewHeight;  ///< Without kTurntableHeight.
  bool cast_folded = false;         ///< To its heading.
  bool view_folded = false;         ///< To its heading.
};

/// Which parts of the interface there are.
struct Panels {
  bool menu = true;   ///< The menu bar, and the handles of docks that are not open.
  bool shown = true;  ///< The docks.
  bool cast = false;  ///< Several files are open.
  bool is_3d = false;
  Arrangement arrangement{};
};

/// Panel areas in window units, origin at the top left, y down. A panel that is not visible is empty.
struct Layout {
  Rect menu{}, cast{}, clips{}, view{}, info{}, transport{}, canvas{};
  std::array<Rect, kDocks.size()> docks{};    ///< Empty unless open, by Dock.
  std::array<Rect, kDocks.size()> handles{};  ///< Empty for a dock beside the canvas, by Dock.
  float scale = 1.0F;                         ///< Window units per design unit.

  [[nodiscard]] constexpr const Rect& dock(Dock which) const noexcept { return docks[std::to_underlying(which)]; }
  [[nodiscard]] constexpr const Rect& handle(Dock which) const noexcept { return handles[std::to_underlying(which)]; }
  [[nodiscard]] constexpr bool is_open(Dock which) const noexcept { return !dock(which).empty(); }
  /// Returns whether a dock is open over the canvas.
  [[nodiscard]] constexpr bool is_over(Dock which) const noexcept { return is_open(which) && !handle(which).empty(); }
};

/// Divides a column of `area` into two panels, the upper one `height` high, with room for a grip between them.
constexpr void divide(const Rect& area, float height, float scale, Rect& upper, Rect& lower) noexcept {
  const float split = std::min(area.min.y + height, area.max.y);
  upper = {area.min, {area.max.x, std::max(split - kGrip * scale, area.min.y)}};
  lower = {{area.min.x, split}, area.max};
}

/// Returns the height of the upper of two panels in a column: `wanted` if that leaves room to the lower one.
[[nodiscard]] constexpr float upper_height(float wanted, bool folded, const Rect& area, float scale) noexcept {
  const float room = area.max.y - area.min.y;
  if (folded) return std::min((kHeadingHeight + kGrip) * scale, room * 0.5F);
  return std::min(std::max(wanted, kUpperMinimum) * scale, room - std::min(kLowerMinimum * scale, room * 0.5F));
}

/// Arranges the panels around the canvas in a window of `size`. Docks get the sizes that the user chose as far as the
/// canvas keeps its minimum; one that does not fit leaves a handle.
[[nodiscard]] constexpr Layout arrange(Vec2 size, float scale, const Panels& panels = {}) noexcept {
  Layout layout{.scale = scale};
  const Arrangement& wanted = panels.arrangement;
  const float top = panels.menu ? std::min(kMenuHeight * scale, size.y) : 0.0F;
  if (panels.menu) layout.menu = {{0.0F, 0.0F}, {size.x, top}};

  // Returns the size of a dock beside the canvas, or of its handle.
  const auto beside = [&](Dock dock, float room) {
    const std::size_t i = std::to_underlying(dock);
    const float min = kDockMinimums[i] * scale;
    const bool fits = room - kCanvasMinimum * scale >= min;
    return panels.shown && !wanted.folded[i] && fits
               ? std::pair(true, std::clamp(wanted.sizes[i] * scale, min, room - kCanvasMinimum * scale))
               : std::pair(false, panels.menu ? kHandle * scale : 0.0F);
  };
  const auto [bottom_open, bottom_height] = beside(Dock::bottom, size.y - top);
  const auto [left_fits, left_wanted] = beside(Dock::left, size.x);
  const float left_minimum = left_fits ? kDockMinimums[0] * scale : left_wanted;
  const auto [right_open, right_width] = beside(Dock::right, size.x - left_minimum);
  const auto [left_open, left_width] = beside(Dock::left, size.x - right_width);
  const float bottom = std::max(size.y - bottom_height, top);
  const float left = std::min(left_width, size.x);
  const float right = std::max(size.x - right_width, left);
  layout.canvas = {{left, top}, {right, bottom}};

  const std::array areas{Rect{{0.0F, top}, {left, bottom}}, Rect{{right, top}, {size.x, bottom}},
                         Rect{{0.0F, bottom}, size}};
  const std::array open{left_open, right_open, bottom_open};
  for (std::size_t i = 0; i < kDocks.size(); ++i) {
    if (open[i]) layout.docks[i] = areas[i];
    if (!open[i] && panels.menu) layout.handles[i] = areas[i];
  }
  if (panels.shown && wanted.over && !layout.handle(*wanted.over).empty()) {
    // A part of the canvas stays visible: a click there closes the dock.
    const std::size_t i = std::to_underlying(*wanted.over);
    const Vec2 room = layout.canvas.size() - Vec2{2.0F * kHandle * scale};
    const float across = *wanted.over == Dock::bottom ? room.y : room.x;
    const float reach = std::max(std::min(wanted.sizes[i] * scale, across), 0.0F);
    Rect& over = layout.docks[i] = layout.canvas;
    if (*wanted.over == Dock::left) over.max.x = over.min.x + reach;
    if (*wanted.over == Dock::right) over.min.x = over.max.x - reach;
    if (*wanted.over == Dock::bottom) over.min.y = over.max.y - reach;
  }

  layout.transport = layout.dock(Dock::bottom);
  if (const Rect& column = layout.dock(Dock::left); !column.empty()) {
    layout.clips = column;
    if (panels.cast) {
      divide(column, upper_height(wanted.cast_height, wanted.cast_folded, column, scale), scale, layout.cast,
             layout.clips);
    }
  }
  if (const Rect& column = layout.dock(Dock::right); !column.empty()) {
    const float height = wanted.view_height + (panels.is_3d ? kTurntableHeight : 0.0F);
    divide(column, upper_height(height, wanted.view_folded, column, scale), scale, layout.view, layout.info);
  }
  return layout;
}

/// Returns the edge of an open dock that resizes it: a strip of the canvas beside it.
[[nodiscard]] constexpr Rect dock_edge(const Layout& layout, Dock which) noexcept {
  const float grip = kGrip * layout.scale;
  Rect edge = layout.dock(which);
  if (which == Dock::left) edge.min.x = std::exchange(edge.max.x, edge.max.x + grip);
  if (which == Dock::right) edge.max.x = std::exchange(edge.min.x, edge.min.x - grip);
  if (which == Dock::bottom) {
    edge = {{layout.canvas.min.x, edge.min.y - grip}, {layout.canvas.max.x, edge.min.y}};
  }
  return edge;
}

/// Returns the middle of an edge or handle, which a click folds or opens.
[[nodiscard]] constexpr Rect dock_tab(const Rect& edge, float scale) noexcept {
  const bool upright = edge.max.y - edge.min.y > edge.max.x - edge.min.x;
  const Vec2 half = Vec2{kGripTab * 0.5F * scale};
  const Vec2 center = edge.center();
  return upright ? Rect{{edge.min.x, center.y - half.y}, {edge.max.x, center.y + half.y}}
                 : Rect{{center.x - half.x, edge.min.y}, {center.x + half.x, edge.max.y}};
}

/// Returns the centered area of a dialog: at most `max` design units and at most `share` of the window.
[[nodiscard]] constexpr Rect dialog_area(Vec2 size, float scale, Vec2 max, Vec2 share) noexcept {
  const Vec2 wanted{std::min(size.x * share.x, max.x * scale), std::min(size.y * share.y, max.y * scale)};
  return {(size - wanted) * 0.5F, (size + wanted) * 0.5F};
}

[[nodiscard]] constexpr Rect browser_area(Vec2 size, float scale) noexcept {
  return dialog_area(size, scale, {620.0F, 560.0F}, {0.94F, 0.9F});
}

[[nodiscard]] constexpr Rect export_area(Vec2 size, float scale) noexcept {
  return dialog_area(size, scale, {580.0F, 770.0F}, {0.96F, 0.96F});
}

/// Returns the area of the control in row `index` of the export dialog, if it is not scrolled.
[[nodiscard]] constexpr Rect export_row(const Rect& area, float scale, std::uint32_t index) noexcept {
  const float top = area.min.y + (kHeadingHeight + kExportRowHeight * static_cast<float>(index)) * scale;
  return {{area.min.x + (kPadding + kExportLabelWidth) * scale, top},
          {area.max.x - kPadding * scale, top + (kExportRowHeight - 6.0F) * scale}};
}

/// Returns the area of a button at the bottom right: the confirming one, or the one to its left.
[[nodiscard]] constexpr Rect export_button(const Rect& area, float scale, bool confirms) noexcept {
  const Vec2 size = Vec2{112.0F, 32.0F} * scale;
  const Vec2 corner = area.max - Vec2{kPadding * scale} - Vec2{confirms ? 0.0F : size.x + 8.0F * scale, 0.0F};
  return {corner - size, corner};
}

[[nodiscard]] constexpr Rect open_button(const Layout& layout) noexcept {
  const Vec2 center = layout.canvas.center();
  return {center + Vec2{-70.0F, 22.0F} * layout.scale, center + Vec2{70.0F, 54.0F} * layout.scale};
}

/// Returns the timeline's area. Frame 0 starts at its left edge and the last frame ends at its right edge.
[[nodiscard]] constexpr Rect timeline_bar(const Layout& layout) noexcept {
  const Vec2 padding = Vec2{kPadding} * layout.scale;
  const Rect& panel = layout.transport;
  const float above = (kTransportHeight - kPadding - kTimelineHeight) * layout.scale;
  return {{panel.min.x + padding.x, panel.min.y + above}, panel.max - padding};
}

/// Returns the upper part of the timeline, with the frame numbers.
[[nodiscard]] constexpr Rect timeline_ruler(const Layout& layout) noexcept {
  const Rect bar = timeline_bar(layout);
  return {bar.min, {bar.max.x, bar.min.y + kRulerHeight * layout.scale}};
}

}  // namespace pchr::player
