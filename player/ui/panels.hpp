// SPDX-License-Identifier: MIT
// The parts of the interface, one file each. All are called once per frame, within a Dear ImGui frame.
#pragma once

#include "app/app.hpp"
#include "gl/atlas_texture.hpp"
#include "ui/layout.hpp"
#include "ui/widgets.hpp"
#include "view/canvas.hpp"

namespace pchr::player {

/// A button that runs a command; its tooltip tells what it does, and its key.
void command_button(App& app, const char* id, Icon icon, Vec2 size, bool prominent = false);
/// Explains the item before by a command, while the mouse is over it.
void command_tooltip(const char* id);

/// The left column: its tabs, and the clips, the mix or the game.
void left_panel(App& app, const Layout& layout);
/// The character's clips with a filter; a click shows one. Part of the left panel.
void clips_panel(App& app, const Layout& layout);
/// A crossfade, layers, and what the animator says. Part of the left panel.
void mix_panel(App& app, const Layout& layout);
/// What may happen in the game of a Pomyu character, its animations, and the rules. Part of the left panel.
void game_panel(App& app, const Layout& layout);
/// The bottom bar: buttons, loop mode, speed, and the timeline.
void transport_panel(App& app, const Layout& layout);
/// The frames of the clip as a bar to scrub; part of the transport panel.
void timeline(App& app, const Layout& layout);
/// How the frame is shown.
void view_panel(App& app, const Layout& layout, const Canvas& canvas);
/// The lower right: its tabs, and what the one in front shows.
void right_panel(App& app, const Layout& layout, AtlasTexture& texture);
/// What the file holds and what drawing it takes. Part of the right panel.
void facts(App& app, const Layout& layout);
/// Meshes and bones, and the values of the selected ones. Part of the right panel.
void inside(App& app, const Layout& layout);
/// The layers of a pixel artwork, its palette and its tilesets, in the place of meshes and bones.
void layers(App& app, const Layout& layout);
/// What is wrong with the file, the rows leading to it. Part of the right panel.
void problems(App& app, const Layout& layout);
/// An image with the triangles that meshes cut from it; a click selects one. Part of the right panel.
void atlas(App& app, const Layout& layout, AtlasTexture& texture);
/// The same in place of the canvas, while it is large.
void large_atlas(App& app, const Layout& layout, AtlasTexture& texture);
/// Gives all of their text to the clipboard.
void copy_problems(const std::vector<Problem>& all);
/// The list of shortcuts, over everything.
void help_window(View& view, const Layout& layout);
/// What is compared, where one side ends and the other begins, and the choice of the second; over the canvas.
void compare_bar(App& app, const Layout& layout, const Canvas& canvas);
/// Why a file did not open, over the canvas.
void error_banner(App& app, const Layout& layout);
/// A short message over the canvas; a click copies what it tells of, or closes it.
void notice_bubble(Notice& notice, const Layout& layout);
/// How far a file that takes long is, over the top of the canvas.
void opening_progress(const OpeningProgress& progress, const Layout& layout);
/// What to do while nothing is open, on the canvas: drop a file, browse, or choose a recent one.
void empty_state(App& app, const Layout& layout);
/// What to export and how, and how far it is; over everything.
void exports_window(App& app, const Layout& layout);
/// The file browser, over everything.
void browser_window(Browser& browser, Files& files, const Layout& layout);

}  // namespace pchr::player
