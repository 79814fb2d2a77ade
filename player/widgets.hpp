// SPDX-License-Identifier: MIT
// Small pieces that the panels share.
#pragma once

#include "layout.hpp"
#include "theme.hpp"

#include <glm/common.hpp>
#include <imgui.h>

#include <span>
#include <string>

namespace pchr::player {

[[nodiscard]] inline ImVec2 im(Vec2 point) noexcept { return {point.x, point.y}; }
[[nodiscard]] inline Vec2 vec(ImVec2 point) noexcept { return {point.x, point.y}; }

enum class Icon {
  first,
  previous,
  play,
  reverse,
  pause,
  next,
  last,
  loop,
  close,
  help,
  minus,
  plus,
  camera,
  film,
  compare,
  swap,
  present,
  second_player
};

/// Draws an icon into a square of `size` around `centre`.
void draw_icon(ImDrawList& list, Icon icon, Vec2 centre, float size, ImU32 colour);

/// A button with an icon. A prominent one is filled with the accent colour.
bool icon_button(const char* id, Icon icon, Vec2 size, const char* tooltip, bool prominent = false);

/// Exclusive choices side by side, `width` in all. Returns whether `current` changed.
bool segmented(const char* id, std::span<const char* const> labels, int& current, float width);

/// A checkbox, smaller than Dear ImGui's. Returns whether it was clicked.
bool checkbox(const char* label, bool value);

/// The arrow of a row of a tree with others below it. Returns whether it was clicked.
bool fold_arrow(const char* id, bool folded, Vec2 size, float scale);

/// Opens a fixed panel over `area`. False, and nothing to close, where the area is empty.
bool begin_panel(const char* name, const Rect& area);
void end_panel();

/// A tab's title, underlined while its tab is shown; `text` explains it. Returns whether it was clicked.
bool tab(const char* title, const char* text, bool current, float scale);

/// A section's title.
void heading(const std::string& text);
/// What a value or control beside it is.
void label(const char* text);
/// A line of a label and a value, the value aligned to the right.
void fact(const char* label, const std::string& value);
/// Text in the colour of secondary information, wrapped at the panel's edge.
void note(const std::string& text);
/// Explains the item before, while the mouse is over it.
void tooltip(const char* text);

}  // namespace pchr::player
