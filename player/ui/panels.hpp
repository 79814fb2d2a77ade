// SPDX-License-Identifier: MIT
// The parts of the interface. Call each once per frame, within a Dear ImGui frame.
#pragma once

#include "gl/atlas_texture.hpp"
#include "ui/app.hpp"
#include "ui/widgets.hpp"
#include "view/canvas.hpp"

namespace pchr::player {

class CastThumbnails;

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
/// Shown while no file is open.
void empty_state(App& app, const Layout& layout);

// Over everything.
void help_window(App& app, const Layout& layout);
/// Asks whether to quit, see may_quit().
void quit_window(App& app, const Layout& layout);
void exports_window(App& app, const Layout& layout);
/// Shows the running export while the dialog is closed.
void export_bubble(App& app, const Layout& layout);
void browser_window(Browser& browser, Files& files, const Layout& layout);

}  // namespace pchr::player
