// SPDX-License-Identifier: MIT
// Positions of the panels in a window. The window tests also use them to find widgets.
#pragma once

#include <pchr/geometry.hpp>

#include <algorithm>
#include <cstdint>

namespace pchr::player {

/// Panel areas in window units, origin at the top left, y down. A panel that does not fit is empty.
struct Layout {
  Rect menu{}, cast{}, clips{}, view{}, info{}, transport{}, canvas{};
  float scale = 1.0F;  ///< Window units per design unit; the constants below are design units.
};

inline constexpr float kMenuHeight = 28.0F;
inline constexpr float kClipsWidth = 268.0F;
inline constexpr float kCastHeight = 210.0F;
inline constexpr float kInspectorWidth = 272.0F;
inline constexpr float kViewHeight = 340.0F;
inline constexpr float kTurntableHeight = 92.0F;  ///< Added to the height of the view panel for 3D characters.
inline constexpr float kTransportHeight = 140.0F;
inline constexpr float kCanvasMinimum = 220.0F;  ///< Panels are hidden to keep the canvas at least this large.
inline constexpr float kPadding = 12.0F;
inline constexpr float kHeadingHeight = 40.0F;
inline constexpr float kFilterHeight = 38.0F;
inline constexpr float kClipRowHeight = 30.0F;
inline constexpr float kRigRowHeight = 28.0F;
inline constexpr float kRigLabelWidth = 84.0F;
inline constexpr float kTimelineHeight = 70.0F;
inline constexpr float kRulerHeight = 22.0F;  ///< Top part of the timeline.
inline constexpr float kBrowserRowHeight = 28.0F;
inline constexpr float kExportRowHeight = 34.0F;
inline constexpr float kExportLabelWidth = 104.0F;

/// Which parts of the interface there is to show.
struct Panels {
  bool menu = true;
  bool shown = true;  ///< All but the menu bar.
  bool cast = false;  ///< Several files are open.
  bool is_3d = false;
};

/// Arranges the panels around the canvas in a window of `size`. A panel that is not shown leaves its room to the
/// canvas.
[[nodiscard]] constexpr Layout arrange(Vec2 size, float scale, const Panels& panels = {}) noexcept {
  Layout layout{.scale = scale};
  const float top = panels.menu ? kMenuHeight * scale : 0.0F;
  const float height = size.y - top;
  float left = 0.0F;
  float right = size.x;
  float bottom = size.y;
  if (panels.shown) {
    if (height >= (kTransportHeight + kCanvasMinimum) * scale) bottom -= kTransportHeight * scale;
    if (size.x >= (kClipsWidth + kCanvasMinimum) * scale) left = kClipsWidth * scale;
    if (size.x >= (kClipsWidth + kInspectorWidth + kCanvasMinimum) * scale) right -= kInspectorWidth * scale;
  }
  if (panels.menu) layout.menu = {{0.0F, 0.0F}, {size.x, top}};
  if (bottom < size.y) layout.transport = {{0.0F, bottom}, size};
  if (left > 0.0F) {
    const float split = top + (panels.cast ? std::min(kCastHeight * scale, (bottom - top) * 0.5F) : 0.0F);
    if (panels.cast) layout.cast = {{0.0F, top}, {left, split}};
    layout.clips = {{0.0F, split}, {left, bottom}};
  }
  if (right < size.x) {
    const float split = std::min(top + (kViewHeight + (panels.is_3d ? kTurntableHeight : 0.0F)) * scale, bottom);
    layout.view = {{right, top}, {size.x, split}};
    layout.info = {{right, split}, {size.x, bottom}};
  }
  layout.canvas = {{left, top}, {right, bottom}};
  return layout;
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
  return dialog_area(size, scale, {560.0F, 520.0F}, {0.96F, 0.96F});
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

/// Returns the row of clip `index`, if the list is not scrolled.
[[nodiscard]] constexpr Rect clip_row(const Layout& layout, std::uint32_t index) noexcept {
  const float above = kHeadingHeight + kFilterHeight + kClipRowHeight * static_cast<float>(index);
  const float top = layout.clips.min.y + above * layout.scale;
  return {{layout.clips.min.x, top}, {layout.clips.max.x, top + kClipRowHeight * layout.scale}};
}

/// Returns the area of the control in row `index` of the rig panel, if it is not scrolled.
[[nodiscard]] constexpr Rect rig_row(const Layout& layout, std::uint32_t index) noexcept {
  const float top = layout.clips.min.y + (kHeadingHeight + kRigRowHeight * static_cast<float>(index)) * layout.scale;
  return {{layout.clips.min.x + (kPadding + kRigLabelWidth) * layout.scale, top},
          {layout.clips.max.x - 2.0F * kPadding * layout.scale, top + (kRigRowHeight - 4.0F) * layout.scale}};
}

/// Returns the timeline's area. Frame 0 starts at its left edge and the last frame ends at its right edge.
[[nodiscard]] constexpr Rect timeline_bar(const Layout& layout) noexcept {
  const Vec2 padding = Vec2{kPadding} * layout.scale;
  const Rect& panel = layout.transport;
  return {{panel.min.x + padding.x, panel.max.y - padding.y - kTimelineHeight * layout.scale}, panel.max - padding};
}

/// Returns the upper part of the timeline, for ranges; the rest scrubs.
[[nodiscard]] constexpr Rect timeline_ruler(const Layout& layout) noexcept {
  const Rect bar = timeline_bar(layout);
  return {bar.min, {bar.max.x, bar.min.y + kRulerHeight * layout.scale}};
}

/// Returns the center of `frame` on the timeline of a clip with `count` frames.
[[nodiscard]] constexpr Vec2 timeline_frame(const Layout& layout, std::uint32_t frame, std::uint32_t count) noexcept {
  const Rect bar = timeline_bar(layout);
  const float along = (static_cast<float>(frame) + 0.5F) / static_cast<float>(count);
  return {bar.min.x + (bar.max.x - bar.min.x) * along, bar.center().y};
}

}  // namespace pchr::player
