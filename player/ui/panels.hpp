// SPDX-License-Identifier: MIT
// Widgets, and the parts of the interface. Call each part once per frame, within a Dear ImGui frame.
#pragma once

#include "document/cast.hpp"
#include "document/parts.hpp"
#include "document/text.hpp"
#include "gl/gl.hpp"
#include "ui/app.hpp"
#include "ui/layout.hpp"
#include "view/canvas.hpp"
#include "view/style.hpp"

#include <pchr/geometry.hpp>

#include <glm/common.hpp>
#include <imgui.h>

#include <map>
#include <optional>
#include <string_view>

namespace pchr::player {

/// Sets Dear ImGui's style for `scale` window units per design unit.
void apply_theme(float scale);

/// Builds Dear ImGui's font.
class Fonts {
 public:
  /// Provides the glyphs of Western languages and of `text` (UTF-8), for `scale` window units per design unit and
  /// `pixels` framebuffer pixels per window unit. Uses a system typeface if there is one, else Dear ImGui's own. Slow
  /// if glyphs are missing. Call between Dear ImGui frames.
  void update(float scale, float pixels, const std::string& text);

 private:
  ImFontGlyphRangesBuilder characters_;
  float scale_ = 0.0F;
  float pixels_ = 0.0F;
};

/// Returns a larger font, with Basic Latin only.
[[nodiscard]] ImFont* headline_font();

/// Returns the size with which a font was added, in framebuffer pixels; with Dear ImGui 1.92, in window units.
[[nodiscard]] inline float loaded_size(const ImFont& font) noexcept {
#ifdef IMGUI_HAS_TEXTURES
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

/// Returns a key as ImGui::IsKeyPressed() wants it.
[[nodiscard]] inline auto key_index(ImGuiKey key) noexcept {
#if IMGUI_VERSION_NUM < 18700
  return ImGui::GetKeyIndex(key);
#else
  return key;
#endif
}

/// Forgets the last frame's places. Nothing is recorded unless `record` is true.
void begin_widget_places(bool record);
/// Records the visible part of the current item as `name`, and as "name number". Of several widgets with the same name
/// the first is kept.
void name_item(std::string_view name, std::size_t number = 0);
/// Records an area that is no item.
void name_area(std::string_view name, const Rect& area);
/// Returns the place of a widget in this frame, in window units.
[[nodiscard]] std::optional<Rect> find_widget(std::string_view name);

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
  pin,
  second_player,
  more
};

/// Draws an icon in a square of `size` around `center`.
void draw_icon(Icon icon, Vec2 center, float size, ImU32 color);
/// Draws a triangle that points right by `reach`, or left if `reach` is negative.
void draw_triangle(ImDrawList& list, Vec2 base, float half_base, float reach, ImU32 color);

/// An area of a panel that reacts to the mouse.
struct Spot {
  Rect area;  ///< Window units.
  bool clicked = false, hovered = false, active = false;
};
/// Makes an area of `size` at the cursor the current item. `number` distinguishes areas with the same `id`.
Spot spot(const char* id, Vec2 size, std::size_t number = 0, ImGuiButtonFlags buttons = 0);

/// A button with an icon, filled with the accent color if `prominent`.
bool icon_button(const char* id, Icon icon, Vec2 size, std::string_view explanation, bool prominent = false);

/// A row of exclusive choices, `width` in total. Returns whether `current` changed.
bool segmented(const char* id, std::span<const char* const> labels, int& current, float width);
template <typename Value>
bool segmented(const char* id, std::span<const char* const> labels, Value& value, float width) {
  int current = static_cast<int>(value);
  if (!segmented(id, labels, current, width)) return false;
  value = static_cast<Value>(current);
  return true;
}

/// A slider for integers. Returns whether `value` changed.
template <typename Value>
bool slider(const char* id, Value& value, int min, int max, const char* format, float width) {
  int current = static_cast<int>(value);
  ImGui::SetNextItemWidth(width);
  const bool changed = ImGui::SliderInt(id, &current, min, max, format, ImGuiSliderFlags_AlwaysClamp);
  name_item(id);
  if (!changed) return false;
  value = static_cast<Value>(current);
  return true;
}

/// A smaller checkbox than Dear ImGui's; `padding` scales its frame padding. Returns whether it was clicked.
bool checkbox(const char* label, bool value, float padding = 0.4F);

/// The arrow of a tree row with children. Returns whether it was clicked.
bool fold_arrow(bool folded, Vec2 size, float scale);

/// Begins a fixed panel over `area`; call ImGui::End() if it returns true. Returns false if `area` is empty. `over`
/// brings it in front of what is on the canvas.
bool begin_panel(const char* name, const Rect& area, bool over = false);
/// Brings the current window to the front if it was not there in the last frame.
void raise_if_new();
/// Begins a fixed window over `area`, to be ended with ImGui::End(). If the height is 0 it fits the content.
void begin_popup(const char* name, const Rect& area, Vec2 padding, float rounding, ImGuiWindowFlags more = 0,
                 float border = 0.0F);

/// The title of a tab, underlined if the tab is current, at most as wide as the rest of the panel. Returns whether it
/// was clicked.
bool tab(const char* title, bool current, float scale);

/// The title of a section.
void heading(std::string_view title);
/// The title of a section that folds. Returns whether it was clicked.
bool folding_heading(const char* id, std::string_view title, bool folded, float scale);
void colored(ImU32 color, std::string_view text);
/// Text wrapped at the panel's edge.
void wrapped(ImU32 color, std::string_view text);
/// The label of a value or control.
inline void label(std::string_view text) { colored(kDimTextColor, text); }
/// Secondary information.
inline void note(std::string_view text) { wrapped(kDimTextColor, text); }
/// A label, and a value aligned to the panel's right edge.
void fact(std::string_view name, std::string_view value);
/// Shows a tooltip while the mouse is over the current item.
void tooltip(std::string_view text);

/// Begins a row with a label, with a tooltip, left of `column`.
void row_label(const char* text, float column, std::string_view explanation = {});
/// A progress bar, filled to `share` (0..1).
void thin_bar(float share, float width, float scale);
/// Highlights the current list row and the one under the mouse.
void mark_row(const Rect& row, bool current, bool hovered, float scale);
void fill(const Rect& area, ImU32 color, float rounding = 0.0F);
/// Draws text, vertically centered in `area`, with an ellipsis and the full text as tooltip if it does not fit. `align`
/// is 0 for left or 1 for right. Returns whether it was cut.
bool text_in(const Rect& area, ImU32 color, std::string_view text, float align = 0.0F, Ellipsis where = Ellipsis::end);
/// Returns text as it fits into `width`.
[[nodiscard]] std::string ellipsized(std::string_view text, float width, Ellipsis where = Ellipsis::end);
/// A line of text with an ellipsis, and the full text as tooltip, if it is wider than `width`.
void cut_text(ImU32 color, std::string_view text, float width, Ellipsis where = Ellipsis::end);
/// A row of a list with its name. Returns whether it was clicked.
bool selectable(std::string_view name, bool selected, ImU32 color = kTextColor);
/// Gives the next item of the current window the keyboard focus.
void focus_next_item();
/// A text field that filters a list; Escape clears it. Returns whether Enter was pressed.
bool filter_field(const char* id, const char* hint, NameFilter& filter, float width);

/// A field that shows `text` until it is clicked, then takes what is typed. Returns that on Enter; Escape leaves it.
std::optional<std::string> typed_field(const char* id, std::string_view text, float width);

/// Returns a label that shows all of `text`. Dear ImGui would hide what follows "##".
std::string full_label(std::string_view text);

/// Begins a drop-down list that shows `shown`, shortened to fit.
bool begin_combo(const char* id, const char* shown, float width);
/// A drop-down list of `count` items. label(i) is null for items that cannot be chosen. Returns the chosen one.
template <typename Label>
std::optional<std::size_t> combo(const char* id, const char* shown, float width, std::size_t count,
                                 std::optional<std::size_t> current, const Label& label) {
  std::optional<std::size_t> chosen;
  const bool open = begin_combo(id, shown, width);
  if (!open) return chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const char* const text = label(i);
    if (text == nullptr) continue;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(full_label(text).c_str(), i == current) && i != current) chosen = i;
    name_item(text);
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return chosen;
}

/// Places controls in rows, from the top of the current child window.
struct Rows {
  float width, scale;
  float top = 0;  ///< Place of the next row, in design units.

  void begin(float height = kRigRowHeight);
  /// Begins a row with a label and returns the width left for its control.
  float begin(const char* text, std::string_view explanation = {});
  void title(const char* text);
  /// Text that takes as many rows as it needs.
  void message(ImU32 color, std::string_view text);
  void slider(const char* name, float& value, float min, float max, const char* format, std::string_view explanation);
  void text(const char* name, std::string& value, std::string_view explanation);
  /// A choice of a bone, or of none if `none` is not null.
  bool bone(const char* name, Table<BoneId, Bone> bones, BoneId& bone, const char* none, std::string_view explanation);
};

/// A field for text. Returns whether it changed.
bool text_field(const char* id, std::string& text, float width);
/// A choice among names, or of none if `none`, its label, is not null. Returns whether it changed.
bool name_choice(const char* id, std::string& value, std::span<const std::string> names, const char* none, float width);

/// A button for a command, with text.
void text_button(App& app, const char* text, const char* id);

class CastThumbnails {
 public:
  CastThumbnails();

  /// Uploads what has been made and asks for the thumbnails of `cast.shown`. Notes files that cannot be opened in
  /// `cast`. Returns whether the frame changed.
  bool update(Cast& cast);
  /// Checks whether files have changed.
  void recheck() noexcept;
  [[nodiscard]] bool busy() const { return thumbnails_.busy(); }
  /// Returns the texture of a file; nothing if it has none.
  [[nodiscard]] std::optional<ImTextureID> find(const std::filesystem::path& path) const;
  /// Returns the number of files with a texture.
  [[nodiscard]] std::size_t count() const noexcept;

 private:
  struct Shown {
    GlTexture texture{};
    bool checked = false;  ///< Whether it shows the file as it is.
  };
  void take(Thumbnail made, Cast& cast);

  Thumbnails thumbnails_;
  std::map<std::filesystem::path, Shown> textures_{};
  std::vector<std::filesystem::path> requested_{};
};

/// A button for a command, with its tooltip.
void command_button(App& app, const char* id, Icon icon, Vec2 size, bool prominent = false);
/// Adds a command's tooltip to the current item.
void command_tooltip(std::string_view id);

// Menus.
/// A menu's item for a command, with its first key and its check mark.
void command_item(App& app, std::string_view id);
void menu_bar(App& app, const Layout& layout);
/// Draws the open context menu, see open_menu().
void context_menu(App& app);
/// Returns whether a menu or a drop-down list is open.
[[nodiscard]] bool a_menu_is_open();
void close_menus();

/// Handles the edges and handles of the docks.
void docks(App& app, const Layout& layout);

// Left column: the cast above; tabs, and the panel of the current tab below.
void cast_panel(App& app, const Layout& layout, const CastThumbnails& thumbnails);
void left_panel(App& app, const Layout& layout);
void mix_panel(App& app, float width, float scale);
void game_panel(App& app, float width, float scale);
void rig_panel(App& app, float width, float scale);
void states_panel(App& app, float width, float scale);

// Bottom bar with the timeline.
void transport_panel(App& app, const Layout& layout);
void timeline(App& app, const Layout& layout);

// Right column: view settings above, tabs and the panel of the current tab below.
void view_panel(App& app, const Layout& layout);
void right_panel(App& app, const Layout& layout, AtlasTexture& texture);
void facts(App& app, const Layout& layout);
/// Shows the meshes and bones, and the values of the selected ones.
void inside(App& app, const Layout& layout);
/// Replaces inside() for a pixel artwork.
void layers(App& app, const Layout& layout);
void atlas(App& app, const Layout& layout, AtlasTexture& texture);

/// Shows the atlas in place of the canvas.
void large_atlas(App& app, const Layout& layout, AtlasTexture& texture);
void copy_problems(const Document& document);

// Over the canvas.
void compare_bar(App& app, const Layout& layout, const Canvas& canvas);
/// Names the characters of a lineup below their feet and frames the selected one.
void label_lineup(App& app, const Canvas& canvas, float interface_scale);
void error_banner(App& app, const Layout& layout);
void notice_bubble(App& app, const Layout& layout);
void opening_progress(const OpeningProgress& progress, const Layout& layout);
/// Shown while no file is open: the one that is being opened, or how to open one.
void empty_state(App& app, const Layout& layout);

// Over everything.
void help_window(App& app, const Layout& layout);
/// Asks whether to quit, see may_quit().
void quit_window(App& app, const Layout& layout);
void exports_window(App& app, const Layout& layout);
/// Shows the running export while the dialog is closed.
void export_bubble(App& app, const Layout& layout);
void browser_window(Browser& browser, OpenRequests& requests, const Layout& layout);

}  // namespace pchr::player
