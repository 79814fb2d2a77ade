// SPDX-License-Identifier: MIT
// Small pieces that the panels share.
#pragma once

#include "document/bone_tree.hpp"
#include "ui/layout.hpp"
#include "ui/theme.hpp"

#include <glm/common.hpp>

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
  animation,
  compare,
  swap,
  present,
  second_player
};

/// Draws an icon into a square of `size` around `center`.
void draw_icon(ImDrawList& list, Icon icon, Vec2 center, float size, ImU32 color);

/// A button with an icon. A prominent one is filled with the accent color.
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
/// Text in the color of secondary information, wrapped at the panel's edge.
void note(const std::string& text);
/// Explains the item before, while the mouse is over it.
void tooltip(const char* text);

/// Begins a row: what it sets, with a tooltip, left of `column`.
void row_label(const char* text, float column, const char* explanation = nullptr);
/// A bar that is filled to `share` (0..1).
void thin_bar(float share, float width, float scale);
/// Marks a row of a list: the current one, and the one under the mouse.
void mark_row(const Rect& row, bool current, bool hovered, float scale);
/// Draws `text` at the left of `area`, in its middle, cut at its right.
void text_in(ImDrawList& list, const Rect& area, ImU32 color, const std::string& text);
/// A field that filters a list, emptied by Escape. Returns whether Enter was pressed.
bool filter_field(const char* id, const char* hint, NameFilter& filter, float width);
/// Opens a window over `area` that cannot be moved; to be closed with ImGui::End(). Without a height it is as high as
/// what it shows.
void begin_popup(const char* name, const Rect& area, Vec2 padding, float rounding, ImGuiWindowFlags more = 0,
                 float border = 0.0F);

/// A choice among `count` items; label(i) is null for those that cannot be chosen. Returns the one that was chosen.
template <typename Label>
std::optional<std::size_t> combo(const char* id, const char* shown, float width, std::size_t count,
                                 std::optional<std::size_t> current, const Label& label) {
  std::optional<std::size_t> chosen;
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo(id, shown)) return chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const char* const text = label(i);
    if (text == nullptr) continue;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(text, i == current) && i != current) chosen = i;
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return chosen;
}

}  // namespace pchr::player
