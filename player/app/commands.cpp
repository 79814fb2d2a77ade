// SPDX-License-Identifier: MIT
#include "app/commands.hpp"

#include "app/background_image.hpp"
#include "app/sidecar.hpp"
#include "platform/file_manager.hpp"
#include "platform/utf8_path.hpp"
#include "ui/panels.hpp"

#include <GLFW/glfw3.h>

#include <cassert>

namespace pchr::player {
namespace {

constexpr int kShift = GLFW_MOD_SHIFT;
constexpr int kControl = GLFW_MOD_CONTROL;

bool open(const App& app) { return app.document.has_value(); }
bool has_clip(const App& app) { return app.document && app.playback.clip; }
bool mixing(const App& app) { return app.playback.mix() != nullptr; }
bool layered(const App& app) { return mixing(app) && !app.playback.mix()->layers.empty(); }
bool in_game(const App& app) { return app.playback.game() != nullptr; }
bool is_3d(const App& app) { return app.shows_3d(); }
bool wiping(const App& app) { return comparing(app) && app.comparison.mode == CompareMode::wipe; }
bool has_constraint(const App& app) { return is_rigging(app) && app.document->rig.selected; }
bool lists_problems(const App& app) { return app.document && app.view.tab == Tab::problems; }

/// Cycles through from file, once, loop, ping-pong and counted loop.
void cycle_loop_mode(App& app, int) {
  PlaybackSettings settings = app.playback.settings;
  const bool was_counted = std::exchange(settings.counted, settings.mode == LoopMode::ping_pong);
  settings.mode = was_counted        ? LoopMode::from_file
                  : settings.counted ? LoopMode::loop
                                     : static_cast<LoopMode>(static_cast<int>(settings.mode) + 1);
  if (was_counted) settings.counted = false;
  set_settings(app.playback, settings);
}

void change_times(App& app, int by) {
  PlaybackSettings settings = app.playback.settings;
  settings.times = static_cast<std::uint32_t>(std::max(static_cast<int>(settings.times) + by, 1));
  set_settings(app.playback, settings);
}

void cycle_hold(App& app, int by) {
  PlaybackSettings settings = app.playback.settings;
  settings.hold = (settings.hold - 1 + kMaxHold + static_cast<std::uint32_t>(by)) % kMaxHold + 1;
  set_settings(app.playback, settings);
}

void change_fade(App& app, int by) {
  constexpr double kStep = 0.1;
  constexpr double kMaxSeconds = 2.0;
  Mix& mix = *app.playback.mix();
  mix.fade_seconds = std::clamp(mix.fade_seconds + by * kStep, 0.0, kMaxSeconds);
  replay(mix);
}

/// Edits the last layer of a mix.
template <typename Edit>
void edit_layer(Playback& playback, const Edit& edit) {
  Mix& mix = *playback.mix();
  edit(mix.layers.back());
  update_layer(mix, mix.layers.size() - 1);
}

void toggle_mode(App& app, int mode) {
  const auto wanted = static_cast<PlaybackMode>(mode);
  app.view.rig = false;
  set_mode(app, app.playback.mode() == wanted ? PlaybackMode::clip : wanted);
}

void find_clip(App& app, int) {
  set_mode(app, PlaybackMode::clip);
  app.view.rig = false;
  app.view.panels = true;
  app.clip_filter.focus = true;
}

void find_part(App& app, int) {
  app.view.panels = true;
  app.view.tab = Tab::inside;
  app.part_filter.focus = true;
}

/// Moves one end of the range to the current frame.
void set_range_end(App& app, int last) {
  const Transport& clock = app.playback.clock;
  FrameRange range = clock.range().value_or(FrameRange{0, app.current_clip()->frame_count - 1});
  (last != 0 ? range.last : range.first) = clock.frame();
  set_range(app.playback, app.document->character(), range);
}

void change_side(App& app, int) {
  Game& game = *app.playback.game();
  CharaRules rules = game.state.rules();
  rules.side = rules.side == CharaSide::player ? CharaSide::rival : CharaSide::player;
  set_rules(game, rules);
}

void toggle_rig(App& app, int) {
  app.view.rig = !app.view.rig;
  app.view.panels |= app.view.rig;
}

void add_constraint(App& app, int kind) {
  app.view.rig = true;
  const BoneId bone = app.document->selection.bone.value_or(BoneId::none);
  const auto wanted = static_cast<ConstraintKind>(kind);
  if (can_add(wanted, app.document->character(), bone)) {
    return add(app.document->rig, wanted, app.document->character(), bone);
  }
  show_notice(app.notice, bone == BoneId::none ? "Select a bone first" : "A limb ends at a bone with two above it");
}

void view_from(App& app, int side) { app.view.turntable = viewed_from(app.view.turntable, static_cast<Side>(side)); }

void rotate_by(App& app, int direction) {
  constexpr float kStepDegrees = 15.0F;
  Turntable turntable = app.view.turntable;
  (direction % 2 == 0 ? turntable.yaw_degrees : turntable.pitch_degrees) +=
      direction < 2 ? kStepDegrees : -kStepDegrees;
  app.view.turntable = limited(turntable);
  app.view.fitted = false;
}

/// Cycles through front, side and top.
void cycle_side(App& app, int) {
  const Turntable& turntable = app.view.turntable;
  view_from(app, static_cast<int>(is_viewed_from(turntable, Side::front)   ? Side::right
                                  : is_viewed_from(turntable, Side::right) ? Side::top
                                                                           : Side::front));
}

template <bool View::* kSwitch>
void toggle(App& app, int) {
  app.view.*kSwitch = !(app.view.*kSwitch);
}

void toggle_overdraw(App& app, int) {
  if (app.shows_3d()) return show_notice(app.notice, "Overdraw is not available for 3D characters");
  app.view.overdraw = !app.view.overdraw;
}

template <Tab kTab>
void toggle_tab_of(App& app, int) {
  toggle_tab(app.view, kTab);
}

void show_file(App& app, int) {
  const bool saved = !app.notice.to_copy.empty();
  if (!saved && app.document->path == kStandardInputName) {
    return show_notice(app.notice, "Standard input is in no folder");
  }
  const std::filesystem::path file = saved ? path_from_utf8(app.notice.to_copy) : app.document->path;
  if (!show_in_folder(file)) show_notice(app.notice, "No file manager was found");
}

void hide_selected(App& app, int) {
  Selection& selection = app.document->selection;
  const Character& character = app.document->character();
  if (selection.mesh) {
    set_hidden(selection, character, *selection.mesh, !is_hidden(selection, *selection.mesh));
  } else if (selection.bone) {
    set_subtree_hidden(selection, character, *selection.bone,
                       !is_subtree_hidden(selection, character, *selection.bone));
  }
}

void fold_selected(App& app, int folded) {
  Selection& selection = app.document->selection;
  if (selection.bone) set_folded(selection, app.document->character(), *selection.bone, folded != 0);
}

void close_topmost(App& app, int) {
  if (app.view.presenting) {
    app.view.presenting = false;
  } else if (app.view.help) {
    app.view.help = false;
  } else if (app.exports.open) {
    leave_export(app.exports);
  } else if (!app.error.empty()) {
    app.error.clear();
  } else if (!app.notice.text.empty()) {
    app.notice = {};
  } else if (atlas_is_large(app)) {
    app.document->atlas.large = false;
    app.document->atlas.fitted = true;
  } else if (app.clip_filter.text[0] != '\0') {
    app.clip_filter.text[0] = '\0';
  } else if (app.part_filter.text[0] != '\0') {
    app.part_filter.text[0] = '\0';
  } else if (app.document && (app.document->selection.mesh || app.document->selection.bone)) {
    select_nothing(app.document->selection);
  } else if (app.document) {
    set_range(app.playback, app.document->character(), std::nullopt);
  }
}

// For keys that several modes share, the mode-specific commands come first.
// clang-format off
constexpr Command kCommands[] = {
    {"mix-from", Group::mix, "Fade from clip 1 to 9", {{{GLFW_KEY_1, kControl, 0, 9}}},
     [](App& app, int clip) { set_from(*app.playback.mix(), ClipId(clip)); }, mixing},
    {"mix-seconds", Group::mix, "Shorten or lengthen the crossfade",
     {{{GLFW_KEY_COMMA, kShift, -1}, {GLFW_KEY_PERIOD, kShift, 1}}}, change_fade, mixing, true},
    {"mix-replay", Group::mix, "Replay the crossfade", {{{GLFW_KEY_ENTER}, {GLFW_KEY_KP_ENTER}}},
     [](App& app, int) { replay(*app.playback.mix()); },
     [](const App& app) { return mixing(app) && !app.exports.open; }, false,
     "Show the first clip, then fade to the second"},
    {"layer-add", Group::mix, "Add a layer", {{{GLFW_KEY_N}}},
     [](App& app, int) { add_layer(*app.playback.mix(), app.playback.mix()->to); }, mixing},
    {"layer-remove", Group::mix, "Remove the last layer", {{{GLFW_KEY_N, kShift}}},
     [](App& app, int) { remove_layer(*app.playback.mix(), app.playback.mix()->layers.size() - 1); }, layered},
    {"layer-weight", Group::mix, "Increase or decrease the last layer's weight",
     {{{GLFW_KEY_PAGE_UP, 0, 1}, {GLFW_KEY_PAGE_DOWN, 0, -1}}},
     [](App& app, int by) {
       edit_layer(app.playback, [&](MixLayer& layer) {
         layer.weight = std::clamp(layer.weight + static_cast<float>(by) * 0.1F, 0.0F, 1.0F);
       });
     }, layered},
    {"layer-mode", Group::mix, "Switch the last layer between override and additive", {{{GLFW_KEY_M, kShift}}},
     [](App& app, int) {
       edit_layer(app.playback, [](MixLayer& layer) {
         layer.mode = layer.mode == LayerMode::additive ? LayerMode::override_below : LayerMode::additive;
       });
     }, layered},
    {"layer-bones", Group::mix, "Limit the last layer to a subtree", {{{GLFW_KEY_SEMICOLON}}},
     [](App& app, int) {
       const auto selected = app.document->selection.bone;
       edit_layer(app.playback, [&](MixLayer& layer) { layer.bone = layer.bone == selected ? std::nullopt : selected; });
     }, layered, false, "Limit the last layer to the selected bone's subtree, or remove the limit"},

    {"game-note", Group::game, "Judge a note bad, good, great or fever", {{{GLFW_KEY_1, 0, 0, 4}}},
     [](App& app, int event) { trigger(*app.playback.game(), static_cast<GameEvent>(event)); }, in_game},
    {"game-rival", Group::game, "Start or stop the rival's ojama attack or dance", {{{GLFW_KEY_5, 0, 4, 2}}},
     [](App& app, int event) { trigger(*app.playback.game(), static_cast<GameEvent>(event)); }, in_game},
    {"game-song", Group::game, "Start the song, or end it cleared, failed or with a full gauge",
     {{{GLFW_KEY_7, 0, 6, 3}, {GLFW_KEY_0, 0, 9}}},
     [](App& app, int event) { trigger(*app.playback.game(), static_cast<GameEvent>(event)); }, in_game},
    {"game-gauge", Group::game, "Raise or lower the gauge", {{{GLFW_KEY_PAGE_UP, 0, 1}, {GLFW_KEY_PAGE_DOWN, 0, -1}}},
     [](App& app, int by) { change_gauge(*app.playback.game(), by * 0.1); }, in_game},
    {"game-side", Group::game, "Switch between the player's and the rival's side", {{{GLFW_KEY_N}}}, change_side, in_game},
    {"game-animation", Group::game, "Loop the previous or next animation",
     {{{GLFW_KEY_UP, 0, -1}, {GLFW_KEY_DOWN, 0, 1}}},
     [](App& app, int direction) { play_neighbor(*app.playback.game(), direction); }, in_game, true},

    {"rig", Group::rig, "Show and edit springs and other constraints", {{{GLFW_KEY_R, kShift}}}, toggle_rig, can_rig},
    {"rig-play", Group::rig, "Apply the rig, or show the plain animation", {{{GLFW_KEY_R, kControl | kShift}}},
     toggle<&View::rig_plays>, can_rig},
    {"rig-add", Group::rig, "Add a spring chain, aim, limb or foot at the selected bone",
     {{{GLFW_KEY_1, kShift, 0, 4}}}, add_constraint, can_rig},
    {"rig-remove", Group::rig, "Remove the selected constraint", {{{GLFW_KEY_DELETE}}},
     [](App& app, int) { remove_selected(app.document->rig); }, has_constraint},
    {"rig-undo", Group::rig, "Undo the last change to the rig", {{{GLFW_KEY_Z, kControl}}},
     [](App& app, int) { undo(app.document->rig); },
     [](const App& app) {
       return can_rig(app) && (!app.document->rig.undo_steps.empty() ||
                               app.document->rig.rig != app.document->rig.committed);
     }, true},
    {"rig-redo", Group::rig, "Redo the change that was undone last",
     {{{GLFW_KEY_Z, kControl | kShift}, {GLFW_KEY_Y, kControl}}}, [](App& app, int) { redo(app.document->rig); },
     [](const App& app) { return can_rig(app) && !app.document->rig.redo_steps.empty(); }, true},
    {"rig-save", Group::rig, "Save the rig next to the character", {{{GLFW_KEY_S, kControl}}},
     [](App& app, int) { save_rig(app); },
     [](const App& app) { return can_rig(app) && has_unsaved_changes(app.document->rig); }},

    {"play", Group::playing, "Play or pause", {{{GLFW_KEY_SPACE}}}, [](App& app, int) { toggle_playing(app.playback); },
     open},
    {"previous-frame", Group::playing, "Step back one frame, or ten with Shift",
     {{{GLFW_KEY_LEFT, 0, -1}, {GLFW_KEY_LEFT, kShift, -10}}},
     [](App& app, int frames) { step_frames(app.playback, app.document->character(), frames); }, open, true},
    {"next-frame", Group::playing, "Step forward one frame, or ten with Shift", {{{GLFW_KEY_RIGHT, 0, 1}, {GLFW_KEY_RIGHT, kShift, 10}}},
     [](App& app, int frames) { step_frames(app.playback, app.document->character(), frames); }, open, true},
    {"first-frame", Group::playing, "Go to the first frame", {{{GLFW_KEY_HOME}}},
     [](App& app, int) { seek_first_frame(app.playback); }, open},
    {"last-frame", Group::playing, "Go to the last frame", {{{GLFW_KEY_END}}},
     [](App& app, int) { seek_last_frame(app.playback, app.document->character()); }, open},
    {"reverse", Group::playing, "Reverse the playback direction", {{{GLFW_KEY_R}}},
     [](App& app, int) { set_speed(app.playback, -app.playback.settings.speed); }},
    {"speed", Group::playing, "Slow down or speed up", {{{GLFW_KEY_COMMA, 0, -1}, {GLFW_KEY_PERIOD, 0, 1}}},
     [](App& app, int by) { set_speed(app.playback, neighboring_speed(app.playback.settings.speed, by)); }, nullptr,
     true},
    {"normal-speed", Group::playing, "Reset the speed", {{{GLFW_KEY_BACKSPACE}}},
     [](App& app, int) { set_speed(app.playback, 1.0); }},
    {"loop-mode", Group::playing, "Cycle the loop mode", {{{GLFW_KEY_L}}}, cycle_loop_mode, nullptr, false,
     "Play as in the file, once, in a loop, ping-pong, or a number of loops"},
    {"loop-count", Group::playing, "Decrease or increase the loop count",
     {{{GLFW_KEY_MINUS, 0, -1}, {GLFW_KEY_KP_SUBTRACT, 0, -1}, {GLFW_KEY_EQUAL, 0, 1}, {GLFW_KEY_EQUAL, kShift, 1},
        {GLFW_KEY_KP_ADD, 0, 1}}}, change_times, [](const App& app) { return app.playback.settings.counted; }},
    {"smooth", Group::playing, "Interpolate between frames", {{{GLFW_KEY_M}}},
     [](App& app, int) {
       Sampling& sampling = app.playback.settings.sampling;
       sampling = sampling == Sampling::step ? Sampling::smooth : Sampling::step;
     }},
    {"hold", Group::playing, "Cycle the frame hold",
     {{{GLFW_KEY_T, 0, 1}, {GLFW_KEY_T, kShift, -1}}}, cycle_hold, nullptr, false,
     "Hold frames on ones, twos, threes and so on, or backward with Shift"},
    {"range", Group::playing, "Start or end the range at this frame", {{{GLFW_KEY_I, 0, 0}, {GLFW_KEY_O, 0, 1}}},
     set_range_end, has_clip},
    {"no-range", Group::playing, "Clear the range", {{{GLFW_KEY_I, kShift}, {GLFW_KEY_O, kShift}}},
     [](App& app, int) { set_range(app.playback, app.document->character(), std::nullopt); }, open},

    {"clip", Group::clips, "Select clip 1 to 9, or fade to it in a mix", {{{GLFW_KEY_1, 0, 0, 9}}},
     [](App& app, int clip) { choose_clip(app.playback, app.document->character(), ClipId(clip)); }, open},
    {"next-clip", Group::clips, "Select the previous or next clip", {{{GLFW_KEY_UP, 0, -1}, {GLFW_KEY_DOWN, 0, 1}}},
     [](App& app, int direction) { select_neighbor(app.playback, app.document->character(), direction); }, open, true},
    {"find-clip", Group::clips, "Find a clip by name; Enter selects it",
     {{{'/'}, {GLFW_KEY_F, kControl}}}, find_clip},
    {"mix", Group::clips, "Mix clips with crossfades and layers",
     {{{GLFW_KEY_X, 0, std::to_underlying(PlaybackMode::mix)}}}, toggle_mode},
    {"game", Group::clips, "Play a Pomyu character by its game's rules",
     {{{GLFW_KEY_X, kShift, std::to_underlying(PlaybackMode::game)}}}, toggle_mode},

    {"turn-to", Group::turntable, "View from the front, side or top, or with Ctrl from the opposite side",
     {{{GLFW_KEY_KP_1, 0, std::to_underlying(Side::front)}, {GLFW_KEY_KP_3, 0, std::to_underlying(Side::right)},
        {GLFW_KEY_KP_7, 0, std::to_underlying(Side::top)}, {GLFW_KEY_KP_1, kControl, std::to_underlying(Side::back)},
        {GLFW_KEY_KP_3, kControl, std::to_underlying(Side::left)},
        {GLFW_KEY_KP_7, kControl, std::to_underlying(Side::bottom)}}}, view_from, is_3d},
    {"turn-side", Group::turntable, "Cycle between front, side and top", {{{GLFW_KEY_V, kShift}}}, cycle_side, is_3d},
    {"turn-by", Group::turntable, "Rotate the view by 15 degrees",
     {{{GLFW_KEY_KP_6, 0, 0}, {GLFW_KEY_KP_8, 0, 1}, {GLFW_KEY_KP_4, 0, 2}, {GLFW_KEY_KP_2, 0, 3}}}, rotate_by, is_3d,
     true},
    {"turn-reset", Group::turntable, "View from the front and fit", {{{GLFW_KEY_KP_0}, {GLFW_KEY_BACKSPACE, kShift}}},
     [](App& app, int) { reset_turntable(app.view); }, is_3d},

    {"fit", Group::view, "Fit the character, or the enlarged atlas", {{{GLFW_KEY_F}}},
     [](App& app, int) { (atlas_is_large(app) ? app.document->atlas.fitted : app.view.fitted) = true; }},
    {"pixels", Group::view, "Cycle the texel filter: auto, smooth, hard", {{{GLFW_KEY_F, kShift}}},
     [](App& app, int) { set_pixels(app, static_cast<Pixels>((static_cast<int>(app.view.pixels) + 1) % 3)); }, nullptr,
     false, "Hard shows texels as squares and zooms in whole steps;\nauto does so for pixel art"},
    {"background", Group::view, "Cycle the background: checker, plain color, image", {{{GLFW_KEY_G}}},
     [](App& app, int) { cycle_background(app.view); }},
    {"tile", Group::view, "Tile the background image, or cover the canvas", {{{GLFW_KEY_G, kShift}}},
     toggle<&View::tiled>},
    {"panels", Group::view, "Show or hide the panels", {{{GLFW_KEY_TAB}}}, toggle<&View::panels>},
    {"present", Group::view, "Present the character alone: drag to move, scroll to resize", {{{GLFW_KEY_F11}}},
     toggle<&View::presenting>},

    {"skeleton", Group::overlays, "Skeleton", {{{GLFW_KEY_B}}}, toggle<&View::skeleton>, nullptr, false,
     "Show the bones, and the name of the one under the mouse"},
    {"names", Group::overlays, "Bone names", {{{GLFW_KEY_B, kShift}}}, toggle<&View::names>, nullptr, false,
     "Name the selected bone and its ancestors, or all bones that have room"},
    {"wireframe", Group::overlays, "Wireframe", {{{GLFW_KEY_W}}}, toggle<&View::wireframe>, nullptr, false,
     "Show the triangles of the selected mesh, or of all"},
    {"bounds", Group::overlays, "Bounds", {{{GLFW_KEY_E}}}, toggle<&View::bounds>, nullptr, false,
     "Show the bounds of this frame and of the clip"},
    {"weights", Group::overlays, "Weights", {{{GLFW_KEY_K}}}, toggle<&View::weights>, nullptr, false,
     "Show how much the selected bone moves each vertex"},
    {"trail", Group::overlays, "Motion trail", {{{GLFW_KEY_J}}}, toggle<&View::trail>, nullptr, false,
     "Show the selected bone's path over the clip"},
    {"draw-order", Group::overlays, "Draw order", {{{GLFW_KEY_D}}}, toggle<&View::draw_order>, nullptr, false,
     "Number the meshes in draw order, 1 at the back"},
    {"grid", Group::overlays, "Grid", {{{GLFW_KEY_Z}}}, toggle<&View::grid>, nullptr, false,
     "Show the world origin, and lines at round distances"},
    {"overdraw", Group::overlays, "Overdraw", {{{GLFW_KEY_Y}}}, toggle_overdraw, nullptr, false,
     "Show how many meshes cover each pixel"},
    {"onion", Group::overlays, "Onion skin", {{{GLFW_KEY_U}}}, toggle<&View::onion>, nullptr, false,
     "Show the frames before and after this one"},

    {"inside", Group::parts, "Show meshes and bones, or an artwork's layers", {{{GLFW_KEY_V}}},
     toggle_tab_of<Tab::inside>},
    {"atlas", Group::parts, "Show the images and the triangles that meshes use", {{{GLFW_KEY_A}}}, toggle_tab_of<Tab::atlas>},
    {"large-atlas", Group::parts, "Show the atlas in place of the character, or go back", {{{GLFW_KEY_A, kShift}}},
     [](App& app, int) { toggle_large_atlas(app); }},
    {"problems", Group::parts, "Show the file's problems", {{{GLFW_KEY_P}}}, toggle_tab_of<Tab::problems>},
    {"next-part", Group::parts, "Select the previous or next mesh, bone or problem",
     {{{GLFW_KEY_UP, kControl, -1}, {GLFW_KEY_DOWN, kControl, 1}}}, choose_neighbor, open, true},
    {"hide", Group::parts, "Hide or show the selected mesh or subtree", {{{GLFW_KEY_H}}}, hide_selected, open},
    {"show-all", Group::parts, "Show everything that is hidden", {{{GLFW_KEY_H, kShift}}},
     [](App& app, int) { show_all(app.document->selection); }, open},
    {"solo", Group::parts, "Show only the selected mesh, or everything again", {{{GLFW_KEY_S}}},
     [](App& app, int) { toggle_solo(app.document->selection, app.document->character()); }, open},
    {"solo-subtree", Group::parts, "Show only the selected bone's subtree, or everything again", {{{GLFW_KEY_S, kShift}}},
     [](App& app, int) { toggle_subtree_solo(app.document->selection, app.document->character()); }, open},
    {"divider", Group::compare, "Move the wipe's divider",
     {{{GLFW_KEY_LEFT, kControl, -1}, {GLFW_KEY_RIGHT, kControl, 1}}},
     [](App& app, int by) { move_divider(app.comparison, static_cast<float>(by) * 0.05F); }, wiping, true},
    {"fold", Group::parts, "Collapse or expand the selected bone",
     {{{GLFW_KEY_LEFT, kControl, 1}, {GLFW_KEY_RIGHT, kControl, 0}}}, fold_selected, open, true},
    {"find-part", Group::parts, "Find a mesh or bone by name", {{{GLFW_KEY_F, kControl | kShift}}}, find_part},
    {"copy-problems", Group::parts, "Copy all listed problems as text", {{{GLFW_KEY_C, kControl}}},
     [](App& app, int) { copy_problems(app.document->problems); }, lists_problems},

    {"compare", Group::compare, "Cycle the comparison: side by side, wipe, off", {{{GLFW_KEY_C}}},
     [](App& app, int) { cycle_compare_mode(app); }, open},
    {"swap", Group::compare, "Swap the sides", {{{GLFW_KEY_C, kShift}}}, [](App& app, int) { swap_sides(app); }, open},

    {"browse", Group::files, "Open a file", {{{GLFW_KEY_O, kControl}}},
     [](App& app, int) { open_browser(app.browser, app.files); }},
    {"show-in-folder", Group::files, "Show the file in the file manager, or the one that was just saved",
     {{{GLFW_KEY_O, kControl | kShift}}}, show_file, open},
    {"next-in-folder", Group::files, "Open the previous or next character in the folder", {{{'[', 0, -1}, {']', 0, 1}}},
     [](App& app, int direction) { open_in_folder(app.files, direction); }},
    {"next-in-list", Group::files, "Open the previous or next of the files opened together",
     {{{GLFW_KEY_PAGE_UP, kControl, -1}, {GLFW_KEY_PAGE_DOWN, kControl, 1}}},
     [](App& app, int direction) { open_in_list(app.files, direction); }},
    {"reload", Group::files, "Reload the file", {{{GLFW_KEY_F5}}}, [](App& app, int) { reload(app); }},
    {"auto-reload", Group::files, "Turn auto reload on or off",
     {{{GLFW_KEY_R, kControl}}}, [](App& app, int) { app.files.reload = !app.files.reload; }, nullptr, false,
     "Reload the file whenever it or one of its images is saved"},
    {"second-player", Group::files, "Switch a Pomyu character's second-player skin on or off", {{{GLFW_KEY_P, kShift}}},
     [](App& app, int) { set_second_player(app, !app.document->source.options.second_player); }, open},
    {"screenshot", Group::files, "Save a screenshot, with Shift including the background",
     {{{GLFW_KEY_F12, 0, std::to_underlying(Screenshot::character)},
        {GLFW_KEY_F12, kShift, std::to_underlying(Screenshot::with_background)}}},
     [](App& app, int kind) { app.screenshot = static_cast<Screenshot>(kind); }},
    {"export", Group::files, "Export animations and sprite sheets", {{{GLFW_KEY_E, kControl}}},
     [](App& app, int) { toggle_exports(app); }, open},
    {"start-export", Group::files, "In the export dialog, export or replace files",
     {{{GLFW_KEY_ENTER}, {GLFW_KEY_KP_ENTER}}},
     [](App& app, int) { start_export(app.exports, app.exports.existing_files > 0); },
     [](const App& app) { return app.exports.open; }},

    {"help", Group::window, "Show the keyboard shortcuts", {{{'?'}, {GLFW_KEY_F1}}}, toggle<&View::help>},
    {"close", Group::window, "Close the topmost dialog or message; clear the filter, selection or range",
     {{{GLFW_KEY_ESCAPE}}}, close_topmost},
    {"quit", Group::window, "Quit", {{{GLFW_KEY_Q}, {GLFW_KEY_Q, kControl}}}, [](App& app, int) { app.quit = true; }},
};

constexpr std::pair<int, const char*> kKeyNames[] = {
    {GLFW_KEY_SPACE, "Space"}, {GLFW_KEY_BACKSPACE, "Backspace"}, {GLFW_KEY_DELETE, "Delete"}, {GLFW_KEY_TAB, "Tab"}, {GLFW_KEY_ESCAPE, "Esc"},
    {GLFW_KEY_LEFT, "Left"}, {GLFW_KEY_RIGHT, "Right"}, {GLFW_KEY_UP, "Up"}, {GLFW_KEY_DOWN, "Down"},
    {GLFW_KEY_HOME, "Home"}, {GLFW_KEY_END, "End"}, {GLFW_KEY_PAGE_UP, "Page Up"}, {GLFW_KEY_PAGE_DOWN, "Page Down"},
    {GLFW_KEY_COMMA, "Comma"}, {GLFW_KEY_PERIOD, "Period"}, {GLFW_KEY_ENTER, "Enter"},
    {GLFW_KEY_KP_ENTER, "Numpad Enter"}, {GLFW_KEY_KP_SUBTRACT, "Numpad -"}, {GLFW_KEY_KP_ADD, "Numpad +"}};
// clang-format on

constexpr const char* kGroupNames[] = {"Playback",      "Clips",    "Mixing",     "Game",       "Rig",   "View",
                                       "Unreal meshes", "Overlays", "Inspection", "Comparison", "Files", "Window"};

std::string key_name(int key) {
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return fmt::format("F{}", key - GLFW_KEY_F1 + 1);
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return fmt::format("Numpad {}", key - GLFW_KEY_KP_0);
  const auto* found = std::ranges::find(kKeyNames, key, &std::pair<int, const char*>::first);
  return found != std::end(kKeyNames) ? found->second : std::string(1, static_cast<char>(key));
}

std::string chord_name(const Chord& chord) {
  std::string text = (chord.modifiers & kControl) != 0 ? "Ctrl+" : "";
  if ((chord.modifiers & kShift) != 0) text += "Shift+";
  text += key_name(chord.key);
  return chord.count > 1 ? text + " \u2013 " + key_name(chord.key + chord.count - 1) : text;
}

/// Handles a key in the file browser. Typed text filters.
void handle_browser_key(App& app, const KeyPress& press) {
  constexpr std::ptrdiff_t kPage = 12;
  constexpr std::ptrdiff_t kEnd = 1 << 30;
  constexpr std::pair<int, std::ptrdiff_t> kSteps[] = {{GLFW_KEY_UP, -1},          {GLFW_KEY_DOWN, 1},
                                                       {GLFW_KEY_PAGE_UP, -kPage}, {GLFW_KEY_PAGE_DOWN, kPage},
                                                       {GLFW_KEY_HOME, -kEnd},     {GLFW_KEY_END, kEnd}};
  Browser& browser = app.browser;
  for (const auto& [key, by] : kSteps) {
    if (press.key == key) move_selection(browser, by);
  }
  if (press.key == GLFW_KEY_ESCAPE) browser.open = false;
  if ((press.key == GLFW_KEY_ENTER || press.key == GLFW_KEY_KP_ENTER) && !press.repeated) {
    choose(browser, app.files, browser.selected);
  }
  if (press.key != GLFW_KEY_BACKSPACE) return;
  if (browser.filter.empty()) return go_up(browser, app.files);
  std::string shorter = browser.filter;
  while ((static_cast<unsigned char>(shorter.back()) & 0xC0) == 0x80) shorter.pop_back();
  shorter.pop_back();
  set_filter(browser, std::move(shorter));
}

}  // namespace

std::span<const Command> commands() noexcept { return kCommands; }

const Command& command(std::string_view id) noexcept {
  const auto* found = std::ranges::find(kCommands, id, [](const Command& each) { return std::string_view(each.id); });
  assert(found != std::end(kCommands));
  return *found;
}

bool is_available(const App& app, const Command& command) noexcept {
  return command.available == nullptr || command.available(app);
}

std::string keys_of(const Command& command) {
  std::string text;
  for (const Chord& chord : command.chords) {
    if (chord.key != 0) text += (text.empty() ? "" : ", ") + chord_name(chord);
  }
  return text;
}

std::string tooltip_of(std::string_view id) {
  const Command& found = command(id);
  return fmt::format("{} ({})", found.explanation != nullptr ? found.explanation : found.name, keys_of(found));
}

std::string describe_commands() {
  std::string text;
  for (std::size_t group = 0; group < std::size(kGroupNames); ++group) {
    text += fmt::format("\n### {}\n\n| Key | Action |\n|---|---|\n", kGroupNames[group]);
    for (const Command& each : kCommands) {
      if (each.group != static_cast<Group>(group)) continue;
      const char* more = each.explanation;
      std::string explanation = more != nullptr ? fmt::format(". {}", more) : std::string();
      std::ranges::replace(explanation, '\n', ' ');
      text += fmt::format("| {} | {}{} |\n", keys_of(each), each.name, explanation);
    }
  }
  return text;
}

void run_command(App& app, std::string_view id) {
  const Command& found = command(id);
  if (is_available(app, found)) found.run(app, found.chords.front().value);
}

bool quits(const KeyPress& press) noexcept { return press.key == GLFW_KEY_Q && (press.modifiers & kControl) != 0; }

void handle_key(App& app, const KeyPress& press) {
  const int modifiers = press.modifiers & (kShift | kControl | GLFW_MOD_ALT | GLFW_MOD_SUPER);
  if (app.browser.open && (modifiers & kControl) == 0) return handle_browser_key(app, press);
  for (const Command& each : kCommands) {
    if (press.repeated && !each.repeats) continue;
    for (const Chord& chord : each.chords) {
      const int number = press.key - chord.key;
      if (chord.key == 0 || number < 0 || number >= chord.count || modifiers != chord.modifiers) continue;
      if (is_available(app, each)) return each.run(app, chord.value + number);
    }
  }
}

}  // namespace pchr::player
