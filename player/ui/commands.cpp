// SPDX-License-Identifier: MIT
#include "ui/commands.hpp"

#include "platform/desktop.hpp"
#include "platform/utf8_path.hpp"
#include "ui/app.hpp"
#include "ui/panels.hpp"

#include <GLFW/glfw3.h>

#include <cassert>

namespace pchr::player {
namespace {

constexpr int kShift = GLFW_MOD_SHIFT;
constexpr int kControl = GLFW_MOD_CONTROL;

bool open(const App& app) { return app.document() != nullptr; }
bool has_clip(const App& app) { return app.document() && app.playback.clip; }
bool mixing(const App& app) { return app.playback.mix() != nullptr; }
bool layered(const App& app) { return mixing(app) && !app.playback.mix()->layers.empty(); }
bool in_game(const App& app) { return app.playback.game() != nullptr; }
bool is_3d(const App& app) { return app.shows_3d(); }
bool is_chara(const App& app) { return app.shows_chara(); }
bool has_range(const App& app) { return has_clip(app) && app.playback.clock.range(); }
bool counts_loops(const App& app) { return app.playback.settings.counted; }
bool has_bone(const App& app) { return app.document() && app.document()->selection.bone; }
bool has_part(const App& app) { return has_bone(app) || (app.document() && app.document()->selection.mesh); }
bool has_skeleton(const App& app) { return can_rig(app); }
bool compares(const App& app) { return comparing(app); }
bool lines_up(const App& app) { return lining_up(app); }
bool wiping(const App& app) { return comparing(app) && app.comparison.mode == CompareMode::wipe; }
bool has_constraint(const App& app) { return is_rigging(app) && app.document()->rig.selected; }
bool has_state_part(const App& app) { return edits_states(app) && app.document()->rig.selected_state; }
bool has_member(const App& app) { return lining_up(app) && app.lineup.selected != nullptr; }
bool offers_rig(const App& app) {
  return !app.unsaved_rig.empty() || (app.document() && app.document()->rig.recovered);
}
bool lists_problems(const App& app) { return app.document() && app.view.tab == Tab::problems; }

template <bool View::* kSwitch>
bool is_on(const App& app) {
  return app.view.*kSwitch;
}

template <Tab kTab>
bool shows_tab(const App& app) {
  return app.view.tab == kTab;
}

bool hides_selected(const App& app) {
  if (!has_part(app)) return false;
  const Selection& selection = app.document()->selection;
  return selection.mesh ? is_hidden(selection, *selection.mesh)
                        : is_subtree_hidden(selection, app.document()->character(), *selection.bone);
}

void step(App& app, int frames) { step_frames(app.playback, app.document()->character(), frames); }

void select_clip_beside(App& app, int direction) {
  select_neighbor(app.playback, app.document()->character(), direction);
}

void change_speed(App& app, int by) { set_speed(app.playback, neighboring_speed(app.playback.settings.speed, by)); }

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

void bind_frame(App& app, int) {
  choose_bind_pose(app, ClipBindPose{app.current_clip()->name, shown_time(app.playback).frame});
}

template <typename Choice>
bool has_bind_pose(const App& app) {
  return can_choose_bind_pose(app) && std::holds_alternative<Choice>(chosen_bind_pose(app));
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

void change_weight(App& app, int by) {
  edit_layer(app.playback, [&](MixLayer& layer) {
    layer.weight = std::clamp(layer.weight + static_cast<float>(by) * 0.1F, 0.0F, 1.0F);
  });
}

void toggle_mode(App& app, int mode) {
  const auto wanted = static_cast<PlaybackMode>(mode);
  app.view.rig = false;
  set_mode(app, app.playback.mode() == wanted ? PlaybackMode::clip : wanted);
}

void find_clip(App& app, int) {
  set_mode(app, PlaybackMode::clip);
  app.view.rig = false;
  open_dock(app, Dock::left);
  app.clip_filter.focus = true;
}

void find_part(App& app, int) {
  open_dock(app, Dock::right);
  app.view.tab = Tab::inside;
  app.part_filter.focus = true;
}

/// Moves one end of the range to the current frame. If that is beyond the other end, the range reaches to the clip's
/// end.
void set_range_end(App& app, int last) {
  const Transport& clock = app.playback.clock;
  const FrameRange all{0, app.current_clip()->frame_count - 1};
  FrameRange range = clock.range().value_or(all);
  (last != 0 ? range.last : range.first) = clock.frame();
  if (range.first > range.last) (last != 0 ? range.first = all.first : range.last = all.last);
  set_range(app.playback, app.document()->character(), range);
}

void change_side(App& app, int) {
  Game& game = *app.playback.game();
  CharaRules rules = game.state.rules();
  rules.side = rules.side == CharaSide::player ? CharaSide::rival : CharaSide::player;
  set_rules(game, rules);
}

void toggle_rig(App& app, int) {
  app.view.rig = !app.view.rig;
  if (app.view.rig) open_dock(app, Dock::left);
}

void add_constraint(App& app, int kind) {
  app.view.rig = true;
  const BoneId bone = app.document()->selection.bone.value_or(BoneId::none);
  const auto wanted = static_cast<ConstraintKind>(kind);
  if (can_add(app.document()->rig.rig, wanted, app.document()->character(), bone)) {
    return add(app.document()->rig, wanted, app.document()->character(), bone);
  }
  show_notice(app.notice, bone == BoneId::none               ? "Select a bone first"
                          : wanted == ConstraintKind::spring ? "This bone is already in a spring chain"
                                                             : "A limb ends at a bone with two above it");
}

/// Returns the index of the selected layer, or of the first one.
std::size_t selected_layer(const RigEditor& editor) {
  const auto& part = editor.selected_state;
  if (!part || part->kind == StateRef::Kind::parameter) return 0;
  return part->kind == StateRef::Kind::layer ? part->index : part->layer;
}

/// Returns the index of the selected state in its layer, or of that which the selected transition leaves, or 0.
std::size_t selected_state(const RigEditor& editor) {
  const auto& part = editor.selected_state;
  if (!part || part->kind < StateRef::Kind::state) return 0;
  if (part->kind == StateRef::Kind::state) return part->index;
  const StateLayer& layer = editor.rig.states.layers[part->layer];
  const auto from = std::ranges::find(layer.states, layer.transitions[part->index].from, &State::name);
  return from != layer.states.end() ? static_cast<std::size_t>(from - layer.states.begin()) : 0;
}

template <StateParameter::Kind kKind>
void new_parameter(App& app, int) {
  constexpr std::array kNames{"number", "switch", "trigger"};
  set_mode(app, PlaybackMode::states);
  RigEditor& editor = app.document()->rig;
  editor.selected_state =
      add_parameter(editor.rig.states, {.name = kNames[static_cast<std::size_t>(kKind)], .kind = kKind});
}

void new_state_layer(App& app, int) {
  set_mode(app, PlaybackMode::states);
  RigEditor& editor = app.document()->rig;
  editor.selected_state = add_layer(editor.rig.states, {.name = editor.rig.states.empty() ? "base" : "layer"});
}

/// Adds a state with the clip that was played last.
void new_state(App& app, int) {
  set_mode(app, PlaybackMode::states);
  RigEditor& editor = app.document()->rig;
  if (editor.rig.states.empty()) new_state_layer(app, 0);
  const std::string& clip = app.current_clip()->name;
  const State state{.name = clip.empty() ? "state" : clip, .kind = State::Kind::clip, .clip = clip};
  editor.selected_state = add_state(editor.rig.states, selected_layer(editor), state);
}

/// Adds a transition from the selected state to the next one.
void new_transition(App& app, int) {
  RigEditor& editor = app.document()->rig;
  const std::size_t layer = selected_layer(editor);
  const std::vector<State>& all = editor.rig.states.layers[layer].states;
  const std::size_t from = selected_state(editor);
  editor.selected_state = add_transition(
      editor.rig.states, layer,
      {.from = all[from].name, .to = all[(from + 1) % all.size()].name, .at_end = true, .fade_seconds = 0.2});
}

bool can_add_transition(const App& app) {
  if (!edits_states(app)) return false;
  const RigEditor& editor = app.document()->rig;
  const std::size_t layer = selected_layer(editor);
  return layer < editor.rig.states.layers.size() && !editor.rig.states.layers[layer].states.empty();
}

void move_state_part(App& app, int by) {
  RigEditor& editor = app.document()->rig;
  editor.selected_state = move(editor.rig.states, *editor.selected_state, by);
}

void remove_state_part(App& app, int) {
  RigEditor& editor = app.document()->rig;
  remove(editor.rig.states, *editor.selected_state);
  if (!exists(editor.rig.states, *editor.selected_state)) editor.selected_state.reset();
}

bool can_enter_state(const App& app) {
  return has_state_part(app) && app.playback.machine() != nullptr &&
         app.document()->rig.selected_state->kind == StateRef::Kind::state;
}

void enter_state(App& app, int) {
  const RigEditor& editor = app.document()->rig;
  const StateLayer& layer = editor.rig.states.layers[editor.selected_state->layer];
  enter_state(*app.playback.machine(), layer.name, layer.states[editor.selected_state->index].name);
}

void view_from(App& app, int side) {
  set_turntable(app.view, viewed_from(app.view.turntable, static_cast<Side>(side)));
}

void fit_clip(App& app, int) {
  if (atlas_is_large(app)) {
    app.document()->atlas.fitted = true;
  } else {
    app.view.fit = Fit::clip;
  }
}

void rotate_by(App& app, int direction) {
  constexpr float kStepDegrees = 15.0F;
  Turntable turntable = app.view.turntable;
  (direction % 2 == 0 ? turntable.yaw_degrees : turntable.pitch_degrees) +=
      direction < 2 ? kStepDegrees : -kStepDegrees;
  app.view.turntable = limited(turntable);
  app.view.fitted.reset();
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
  if (is_open(app, Dock::right)) return toggle_tab(app.view, kTab);
  open_dock(app, Dock::right);
  app.view.tab = kTab;
}

template <Dock kDock>
bool shows_dock(const App& app) {
  return is_open(app, kDock);
}

template <Dock kDock>
void toggle_dock(App& app, int) {
  is_open(app, kDock) ? close_dock(app, kDock) : open_dock(app, kDock);
}

void set_interface_scale(App& app, int percent) { app.interface_percent = percent; }

/// Goes to the next smaller or larger scale.
void change_interface_scale(App& app, int direction) {
  const int now = app.interface_percent > 0 ? app.interface_percent : app.monitor_percent;
  const auto* next = direction > 0 ? std::ranges::upper_bound(kInterfacePercents, now)
                                   : std::ranges::lower_bound(kInterfacePercents, now) - 1;
  if (next >= std::begin(kInterfacePercents) && next < std::end(kInterfacePercents)) app.interface_percent = *next;
}

template <int kPercent>
bool has_interface_scale(const App& app) {
  return app.interface_percent == kPercent;
}

void move_divider_by(App& app, int by) { move_divider(app.comparison, static_cast<float>(by) * 0.05F); }

template <ScreenshotFolder kFolder>
bool saves_screenshots_in(const App& app) {
  return app.screenshots_in == kFolder;
}

void toggle_second_player(App& app, int) {
  ImportOptions options = app.document()->source.options;
  options.second_player = !options.second_player;
  reload(app, std::move(options));
}

/// Switches between checker, plain color and, if there is one, the image.
void cycle_background(App& app, int) {
  View& view = app.view;
  const int count = view.image.empty() ? 2 : 3;
  view.background = static_cast<Background>((static_cast<int>(view.background) + 1) % count);
}

void take_screenshot(App& app, int kind) { app.screenshot = static_cast<Screenshot>(kind); }

void show_file(App& app, int) {
  const bool saved = !app.notice.to_copy.empty();
  if (!saved && app.document()->path == kStandardInputName) {
    return show_notice(app.notice, "Standard input is in no folder");
  }
  const std::filesystem::path file = saved ? path_from_utf8(app.notice.to_copy) : app.document()->path;
  if (!show_in_folder(file)) show_notice(app.notice, "No file manager was found");
}

void open_saved(App& app, int) {
  if (open_with_default_program(path_from_utf8(app.notice.to_copy))) return;
  show_notice(app.notice, "No program was found", NoticeKind::warning);
}

void hide_selected(App& app, int) {
  Selection& selection = app.document()->selection;
  const Character& character = app.document()->character();
  if (selection.mesh) {
    set_hidden(selection, character, *selection.mesh, !is_hidden(selection, *selection.mesh));
  } else if (selection.bone) {
    set_subtree_hidden(selection, character, *selection.bone,
                       !is_subtree_hidden(selection, character, *selection.bone));
  }
}

void fold_selected(App& app, int folded) {
  Selection& selection = app.document()->selection;
  if (selection.bone) set_folded(selection, app.document()->character(), *selection.bone, folded != 0);
}

void toggle_help(App& app, int) {
  app.view.help = !app.view.help;
  app.help_filter = {.text = {}, .focus = app.view.help};
  app.help_row = 0;
}

void close_topmost(App& app, int) {
  if (app.asks_to_quit) {
    app.asks_to_quit = false;
  } else if (app.view.presenting) {
    app.view.presenting = false;
  } else if (app.view.help) {
    app.view.help = false;
  } else if (app.exports.open) {
    leave_export(app.exports);
  } else if (!app.error.empty()) {
    app.error.clear();
  } else if (!app.notice.text.empty()) {
    app.notice = {};
  } else if (app.arrangement.over) {
    app.arrangement.over.reset();
  } else if (atlas_is_large(app)) {
    app.document()->atlas.large = false;
    app.document()->atlas.fitted = true;
  } else if (app.cast.filter.text[0] != '\0') {
    app.cast.filter.text[0] = '\0';
  } else if (app.clip_filter.text[0] != '\0') {
    app.clip_filter.text[0] = '\0';
  } else if (app.part_filter.text[0] != '\0') {
    app.part_filter.text[0] = '\0';
  } else if (app.document() && (app.document()->selection.mesh || app.document()->selection.bone)) {
    select_nothing(app.document()->selection);
  }
}

// For keys that several modes share, the mode-specific commands come first.
// clang-format off
constexpr Command kCommands[] = {
    {"mix-from", Group::mix, Menu::none, "Fade from clip 1 to 9", nullptr, {{{GLFW_KEY_1, kControl, 0, 9}}},
     [](App& app, int clip) { set_from(*app.playback.mix(), ClipId(clip)); }, mixing},
    {"mix-shorter", Group::mix, Menu::playback, "Shorter crossfade", "Shorten the crossfade",
     {{{GLFW_KEY_COMMA, kShift, -1}}}, change_fade, mixing, nullptr, true},
    {"mix-longer", Group::mix, Menu::playback, "Longer crossfade", "Lengthen the crossfade",
     {{{GLFW_KEY_PERIOD, kShift, 1}}}, change_fade, mixing, nullptr, true},
    {"mix-replay", Group::mix, Menu::playback, "Replay crossfade", "Show the first clip, then fade to the second",
     {{{GLFW_KEY_ENTER}, {GLFW_KEY_KP_ENTER}}}, [](App& app, int) { replay(*app.playback.mix()); },
     [](const App& app) { return mixing(app) && !app.exports.open; }},
    {"layer-add", Group::mix, Menu::playback, "Add layer", "Add a layer to the mix", {{{GLFW_KEY_N}}},
     [](App& app, int) { add_layer(*app.playback.mix(), app.playback.mix()->to); }, mixing},
    {"layer-remove", Group::mix, Menu::playback, "Remove layer", "Remove the last layer", {{{GLFW_KEY_N, kShift}}},
     [](App& app, int) { remove_layer(*app.playback.mix(), app.playback.mix()->layers.size() - 1); }, layered},
    {"layer-more", Group::mix, Menu::playback, "More weight", "Increase the last layer's weight",
     {{{GLFW_KEY_PAGE_UP, 0, 1}}}, change_weight, layered},
    {"layer-less", Group::mix, Menu::playback, "Less weight", "Decrease the last layer's weight",
     {{{GLFW_KEY_PAGE_DOWN, 0, -1}}}, change_weight, layered},
    {"layer-mode", Group::mix, Menu::playback, "Additive layer", "Switch the last layer between override and additive",
     {{{GLFW_KEY_M, kShift}}},
     [](App& app, int) {
       edit_layer(app.playback, [](MixLayer& layer) {
         layer.mode = layer.mode == LayerMode::additive ? LayerMode::override_below : LayerMode::additive;
       });
     }, layered,
     [](const App& app) { return layered(app) && app.playback.mix()->layers.back().mode == LayerMode::additive; }},
    {"layer-bones", Group::mix, Menu::playback, "Limit to subtree",
     "Limit the last layer to the selected bone's subtree, or remove the limit", {{{GLFW_KEY_SEMICOLON}}},
     [](App& app, int) {
       const auto selected = app.document()->selection.bone;
       edit_layer(app.playback, [&](MixLayer& layer) {
         layer.bone = layer.bone == selected ? std::nullopt : selected;
         layer.mask.reset();
       });
     }, layered, [](const App& app) { return layered(app) && app.playback.mix()->layers.back().bone.has_value(); }},

    {"game-note", Group::game, Menu::none, "Judge a note bad, good, great or fever", nullptr, {{{GLFW_KEY_1, 0, 0, 4}}},
     [](App& app, int event) { trigger(*app.playback.game(), static_cast<GameEvent>(event)); }, in_game},
    {"game-rival", Group::game, Menu::none, "Start or stop the rival's ojama attack or dance", nullptr,
     {{{GLFW_KEY_5, 0, 4, 2}}},
     [](App& app, int event) { trigger(*app.playback.game(), static_cast<GameEvent>(event)); }, in_game},
    {"game-song", Group::game, Menu::none, "Start the song, or end it cleared, failed or with a full gauge", nullptr,
     {{{GLFW_KEY_7, 0, 6, 3}, {GLFW_KEY_0, 0, 9}}},
     [](App& app, int event) { trigger(*app.playback.game(), static_cast<GameEvent>(event)); }, in_game},
    {"game-raise", Group::game, Menu::playback, "Raise gauge", "Raise the gauge", {{{GLFW_KEY_PAGE_UP, 0, 1}}},
     [](App& app, int by) { change_gauge(*app.playback.game(), by * 0.1); }, in_game},
    {"game-lower", Group::game, Menu::playback, "Lower gauge", "Lower the gauge", {{{GLFW_KEY_PAGE_DOWN, 0, -1}}},
     [](App& app, int by) { change_gauge(*app.playback.game(), by * 0.1); }, in_game},
    {"game-side", Group::game, Menu::playback, "Rival's side", "Switch between the player's and the rival's side",
     {{{GLFW_KEY_N}}}, change_side, in_game,
     [](const App& app) { return in_game(app) && app.playback.game()->state.rules().side == CharaSide::rival; }},
    {"game-previous", Group::game, Menu::playback, "Previous animation", "Loop the previous animation",
     {{{GLFW_KEY_UP, 0, -1}}},
     [](App& app, int direction) { play_neighbor(*app.playback.game(), direction); }, in_game, nullptr, true},
    {"game-next", Group::game, Menu::playback, "Next animation", "Loop the next animation", {{{GLFW_KEY_DOWN, 0, 1}}},
     [](App& app, int direction) { play_neighbor(*app.playback.game(), direction); }, in_game, nullptr, true},

    {"play", Group::playing, Menu::playback, "Play or pause", nullptr, {{{GLFW_KEY_SPACE}, {GLFW_KEY_SPACE, kShift}}},
     [](App& app, int) { toggle_playing(app.playback); }, open},
    {"previous-frame", Group::playing, Menu::playback, "Previous frame", "Step back one frame",
     {{{GLFW_KEY_LEFT, 0, -1}}}, step, open, nullptr, true},
    {"next-frame", Group::playing, Menu::playback, "Next frame", "Step forward one frame",
     {{{GLFW_KEY_RIGHT, 0, 1}}}, step, open, nullptr, true},
    {"back-ten", Group::playing, Menu::playback, "Back ten frames", "Step back ten frames",
     {{{GLFW_KEY_LEFT, kShift, -10}}}, step, open, nullptr, true},
    {"forward-ten", Group::playing, Menu::playback, "Forward ten frames", "Step forward ten frames",
     {{{GLFW_KEY_RIGHT, kShift, 10}}}, step, open, nullptr, true},
    {"first-frame", Group::playing, Menu::playback, "First frame", "Go to the first frame", {{{GLFW_KEY_HOME}}},
     [](App& app, int) { seek_first_frame(app.playback); }, open},
    {"last-frame", Group::playing, Menu::playback, "Last frame", "Go to the last frame", {{{GLFW_KEY_END}}},
     [](App& app, int) { seek_last_frame(app.playback, app.document()->character()); }, open},

    {"reverse", Group::speed, Menu::playback, "Reverse", "Reverse the playback direction", {{{GLFW_KEY_R}}},
     [](App& app, int) { set_speed(app.playback, -app.playback.settings.speed); }, nullptr,
     [](const App& app) { return app.playback.settings.speed < 0; }},
    {"slower", Group::speed, Menu::playback, "Slower", "Slow down", {{{GLFW_KEY_COMMA, 0, -1}}}, change_speed, nullptr,
     nullptr, true},
    {"faster", Group::speed, Menu::playback, "Faster", "Speed up", {{{GLFW_KEY_PERIOD, 0, 1}}}, change_speed, nullptr,
     nullptr, true},
    {"normal-speed", Group::speed, Menu::playback, "Normal speed", "Reset the speed", {{{GLFW_KEY_BACKSPACE}}},
     [](App& app, int) { set_speed(app.playback, 1.0); }},
    {"loop-mode", Group::speed, Menu::playback, "Loop mode",
     "Play as in the file, once, in a loop, ping-pong, or a number of loops", {{{GLFW_KEY_L}}}, cycle_loop_mode},
    {"fewer-loops", Group::speed, Menu::playback, "Fewer loops", "Decrease the loop count",
     {{{GLFW_KEY_MINUS, 0, -1}, {GLFW_KEY_KP_SUBTRACT, 0, -1}}}, change_times, counts_loops},
    {"more-loops", Group::speed, Menu::playback, "More loops", "Increase the loop count",
     {{{GLFW_KEY_EQUAL, 0, 1}, {GLFW_KEY_EQUAL, kShift, 1}, {GLFW_KEY_KP_ADD, 0, 1}}}, change_times, counts_loops},
    {"smooth", Group::speed, Menu::playback, "Smooth", "Interpolate between frames", {{{GLFW_KEY_M}}},
     [](App& app, int) {
       Sampling& sampling = app.playback.settings.sampling;
       sampling = sampling == Sampling::step ? Sampling::smooth : Sampling::step;
     }, nullptr, [](const App& app) { return app.playback.settings.sampling == Sampling::smooth; }},
    {"hold", Group::speed, Menu::playback, "Longer frame hold", "Hold frames on ones, twos, threes and so on",
     {{{GLFW_KEY_T, 0, 1}}}, cycle_hold},
    {"shorter-hold", Group::speed, Menu::playback, "Shorter frame hold", "Hold each frame for one frame less",
     {{{GLFW_KEY_T, kShift, -1}}}, cycle_hold},
    {"keep-playback", Group::speed, Menu::playback, "Keep these settings",
     "Keep the loop mode, speed, hold and smoothness for the next start", {},
     [](App& app, int) { app.playback.keeps_settings = !app.playback.keeps_settings; }, nullptr,
     [](const App& app) { return app.playback.keeps_settings; }},

    {"range-start", Group::range, Menu::playback, "Start range here", "Start the range at this frame",
     {{{GLFW_KEY_I, 0, 0}}}, set_range_end, has_clip},
    {"range-end", Group::range, Menu::playback, "End range here", "End the range at this frame",
     {{{GLFW_KEY_O, 0, 1}}}, set_range_end, has_clip},
    {"no-range", Group::range, Menu::playback, "Clear range", "Clear the range",
     {{{GLFW_KEY_I, kShift}, {GLFW_KEY_O, kShift}}},
     [](App& app, int) { set_range(app.playback, app.document()->character(), std::nullopt); }, has_range},

    {"clip", Group::clips, Menu::none, "Select clip 1 to 9, or fade to it in a mix", nullptr, {{{GLFW_KEY_1, 0, 0, 9}}},
     [](App& app, int clip) { choose_clip(app.playback, app.document()->character(), ClipId(clip)); }, open},
    {"previous-clip", Group::clips, Menu::playback, "Previous clip", "Select the previous clip",
     {{{GLFW_KEY_UP, 0, -1}}}, select_clip_beside, open, nullptr, true},
    {"next-clip", Group::clips, Menu::playback, "Next clip", "Select the next clip", {{{GLFW_KEY_DOWN, 0, 1}}},
     select_clip_beside, open, nullptr, true},
    {"find-clip", Group::clips, Menu::playback, "Find clip", "Find a clip by name; Enter selects it",
     {{{'/'}, {GLFW_KEY_F, kControl}}}, find_clip},
    {"mix", Group::clips, Menu::playback, "Mix clips", "Mix clips with crossfades and layers",
     {{{GLFW_KEY_X, 0, std::to_underlying(PlaybackMode::mix)}}}, toggle_mode, has_clip, mixing},
    {"game", Group::clips, Menu::playback, "Play by game rules", "Play a Pomyu character by its game's rules",
     {{{GLFW_KEY_X, kShift, std::to_underlying(PlaybackMode::game)}}}, toggle_mode, is_chara, in_game},

    {"states", Group::clips, Menu::playback, "Play states", "Play and edit the character's state machines",
     {{{GLFW_KEY_X, kControl, std::to_underlying(PlaybackMode::states)}}}, toggle_mode, has_clip,
     [](const App& app) { return app.playback.mode() == PlaybackMode::states; }},

    {"rig-undo", Group::edit, Menu::edit, "Undo", "Undo the last change to the rig or the states", {{{GLFW_KEY_Z, kControl}}},
     [](App& app, int) { undo(app.document()->rig); },
     [](const App& app) {
       return app.document() && (!app.document()->rig.undo_steps.empty() ||
                               app.document()->rig.rig != app.document()->rig.committed);
     }, nullptr, true},
    {"rig-redo", Group::edit, Menu::edit, "Redo", "Redo the change that was undone last",
     {{{GLFW_KEY_Z, kControl | kShift}, {GLFW_KEY_Y, kControl}}}, [](App& app, int) { redo(app.document()->rig); },
     [](const App& app) { return app.document() && !app.document()->rig.redo_steps.empty(); }, nullptr, true},

    {"rig", Group::rig, Menu::edit, "Edit rig", "Show and edit springs and other constraints",
     {{{GLFW_KEY_R, kShift}}}, toggle_rig, has_skeleton, is_rigging},
    {"rig-play", Group::rig, Menu::edit, "Apply rig", "Apply the rig, or show the plain animation",
     {{{GLFW_KEY_R, kControl | kShift}}}, toggle<&View::rig_plays>, has_skeleton, is_on<&View::rig_plays>},
    {"rig-add-spring", Group::rig, Menu::edit, "Add spring chain", "Add a spring chain at the selected bone",
     {{{GLFW_KEY_1, kShift, 0}}}, add_constraint, has_skeleton},
    {"rig-add-aim", Group::rig, Menu::edit, "Add aim", "Add an aim at the selected bone",
     {{{GLFW_KEY_2, kShift, 1}}}, add_constraint, has_skeleton},
    {"rig-add-limb", Group::rig, Menu::edit, "Add limb", "Add a limb that ends at the selected bone",
     {{{GLFW_KEY_3, kShift, 2}}}, add_constraint, has_skeleton},
    {"rig-add-foot", Group::rig, Menu::edit, "Add foot", "Add a planted foot at the selected bone",
     {{{GLFW_KEY_4, kShift, 3}}}, add_constraint, has_skeleton},
    {"rig-remove", Group::rig, Menu::edit, "Remove constraint", "Remove the selected constraint",
     {{{GLFW_KEY_DELETE}}}, [](App& app, int) { remove_selected(app.document()->rig); }, has_constraint},
    {"states-add-number", Group::states, Menu::edit, "Add number", "Add a number as a parameter of the states", {},
     new_parameter<StateParameter::Kind::number>, has_clip},
    {"states-add-boolean", Group::states, Menu::edit, "Add boolean", "Add a boolean as a parameter of the states", {},
     new_parameter<StateParameter::Kind::boolean>, has_clip},
    {"states-add-trigger", Group::states, Menu::edit, "Add trigger", "Add a trigger as a parameter of the states", {},
     new_parameter<StateParameter::Kind::trigger>, has_clip},
    {"states-add-layer", Group::states, Menu::edit, "Add layer of states", "Add a layer with states of its own", {},
     new_state_layer, has_clip},
    {"states-add-state", Group::states, Menu::edit, "Add state", "Add a state that plays the clip chosen last", {},
     new_state, has_clip},
    {"states-add-transition", Group::states, Menu::edit, "Add transition", "Add a transition from the selected state", {},
     new_transition, can_add_transition},
    {"states-up", Group::states, Menu::edit, "Move up", "Move the selected part of the states up in its list",
     {{{GLFW_KEY_UP, GLFW_MOD_ALT, -1}}}, move_state_part, has_state_part, nullptr, true},
    {"states-down", Group::states, Menu::edit, "Move down", "Move the selected part of the states down in its list",
     {{{GLFW_KEY_DOWN, GLFW_MOD_ALT, 1}}}, move_state_part, has_state_part, nullptr, true},
    {"states-remove", Group::states, Menu::edit, "Remove part", "Remove the selected part of the states",
     {{{GLFW_KEY_DELETE}}}, remove_state_part, has_state_part},
    {"states-enter", Group::states, Menu::edit, "Enter now", "Enter the selected state, whatever the transitions", {},
     enter_state, can_enter_state},
    {"bind-automatic", Group::bind_pose, Menu::edit, "Automatic", "Use the clip named as a bind pose, or guess one", {},
     [](App& app, int) { choose_bind_pose(app, AutomaticBindPose{}); }, can_choose_bind_pose,
     has_bind_pose<AutomaticBindPose>},
    {"bind-authored", Group::bind_pose, Menu::edit, "As authored",
     "Take the vertices as they are in the file, without a bind pose", {},
     [](App& app, int) { choose_bind_pose(app, IdentityBindPose{}); }, can_choose_bind_pose,
     has_bind_pose<IdentityBindPose>},
    {"bind-frame", Group::bind_pose, Menu::edit, "Use the frame shown", "Make the shown frame the bind pose", {}, bind_frame,
     [](const App& app) { return can_choose_bind_pose(app) && has_clip(app) && app.playback.shows_clip(); }},

    {"rig-restore", Group::rig, Menu::edit, "Restore unsaved changes",
     "Restore changes to a rig that were not saved when the player ended unexpectedly", {},
     [](App& app, int) { restore_rig(app); }, offers_rig},
    {"rig-discard", Group::rig, Menu::edit, "Discard unsaved changes",
     "Forget changes to a rig that were not saved when the player ended unexpectedly", {},
     [](App& app, int) { discard_offered_rig(app); }, offers_rig},

    {"compare", Group::compare, Menu::view, "Compare", "Cycle the comparison: side by side, wipe, difference, off",
     {{{GLFW_KEY_C}}}, [](App& app, int) { cycle_compare_mode(app); }, open, compares},
    {"compare-difference", Group::compare, Menu::view, "Difference",
     "Highlight the pixels in which the two sides of the comparison differ", {{{GLFW_KEY_D, kShift}}},
     [](App& app, int) { toggle_difference(app); }, open,
     [](const App& app) { return comparing(app) && app.comparison.mode == CompareMode::difference; }},
    {"compare-previous", Group::compare, Menu::view, "Compare with previous save",
     "Show the file as it was before it was saved last, under a wipe", {},
     [](App& app, int) { toggle_previous(app); }, [](const App& app) { return app.find(Role::previous) != nullptr; },
     [](const App& app) { return comparing(app) && app.comparison.with_previous; }},
    {"swap", Group::compare, Menu::view, "Swap sides", "Swap the sides", {{{GLFW_KEY_C, kShift}}},
     [](App& app, int) { swap_sides(app); },
     [](const App& app) { return comparing(app) && !app.comparison.with_previous; }},
    {"hide", Group::parts, Menu::edit, "Hide", "Hide or show the selected mesh or subtree", {{{GLFW_KEY_H}}},
     hide_selected, has_part, hides_selected},
    {"show-all", Group::parts, Menu::edit, "Show all", "Show everything that is hidden", {{{GLFW_KEY_H, kShift}}},
     [](App& app, int) { show_all(app.document()->selection); },
     [](const App& app) { return app.document() && !app.document()->selection.hidden.empty(); }},
    {"solo", Group::parts, Menu::edit, "Solo mesh", "Show only the selected mesh, or everything again",
     {{{GLFW_KEY_S}}},
     [](App& app, int) { toggle_solo(app.document()->selection, app.document()->character()); }, open},
    {"solo-subtree", Group::parts, Menu::edit, "Solo subtree",
     "Show only the selected bone's subtree, or everything again", {{{GLFW_KEY_S, kShift}}},
     [](App& app, int) { toggle_subtree_solo(app.document()->selection, app.document()->character()); }, open},
    {"previous-part", Group::parts, Menu::edit, "Select previous", "Select the previous mesh, bone or problem",
     {{{GLFW_KEY_UP, kControl, -1}}}, choose_neighbor, open, nullptr, true},
    {"next-part", Group::parts, Menu::edit, "Select next", "Select the next mesh, bone or problem",
     {{{GLFW_KEY_DOWN, kControl, 1}}}, choose_neighbor, open, nullptr, true},
    {"select-none", Group::parts, Menu::edit, "Deselect", "Select no mesh and no bone", {},
     [](App& app, int) { select_nothing(app.document()->selection); }, has_part},
    {"divider-left", Group::compare, Menu::view, "Divider left", "Move the wipe's divider to the left",
     {{{GLFW_KEY_LEFT, kControl, -1}}}, move_divider_by, wiping, nullptr, true},
    {"divider-right", Group::compare, Menu::view, "Divider right", "Move the wipe's divider to the right",
     {{{GLFW_KEY_RIGHT, kControl, 1}}}, move_divider_by, wiping, nullptr, true},
    {"fold", Group::parts, Menu::edit, "Collapse bone", "Collapse the selected bone in the list",
     {{{GLFW_KEY_LEFT, kControl, 1}}}, fold_selected, has_bone, nullptr, true},
    {"unfold", Group::parts, Menu::edit, "Expand bone", "Expand the selected bone in the list",
     {{{GLFW_KEY_RIGHT, kControl, 0}}}, fold_selected, has_bone, nullptr, true},
    {"find-part", Group::parts, Menu::edit, "Find part", "Find a mesh or bone by name",
     {{{GLFW_KEY_F, kControl | kShift}}}, find_part},
    {"copy-problems", Group::parts, Menu::edit, "Copy problems", "Copy all listed problems as text",
     {{{GLFW_KEY_C, kControl}}}, [](App& app, int) { copy_problems(listed_document(app)); }, lists_problems},

    {"fit", Group::view, Menu::view, "Fit clip", "Fit the clip, or the enlarged atlas", {{{GLFW_KEY_F}}}, fit_clip},
    {"fit-all", Group::view, Menu::view, "Fit all", "Fit the character in all of its clips",
     {{{GLFW_KEY_HOME, kShift}}}, [](App& app, int) { app.view.fit = Fit::all; }, open},
    {"actual-size", Group::view, Menu::view, "Actual size", "Show one texel per screen pixel", {},
     [](App& app, int) { set_zoom(app.view, 1.0F); }, [](const App& app) { return open(app) && !is_3d(app); }},
    {"follow-root", Group::view, Menu::view, "Follow root", "Keep the root bone in its place on the screen", {},
     toggle<&View::follow_root>, nullptr, is_on<&View::follow_root>},
    {"pixels", Group::view, Menu::view, "Texel filter",
     "Cycle auto, smooth and hard; hard shows texels as squares\nand zooms in whole steps, auto does so for pixel art",
     {{{GLFW_KEY_F, kShift}}},
     [](App& app, int) { set_pixels(app, static_cast<Pixels>((static_cast<int>(app.view.pixels) + 1) % 3)); }},
    {"background", Group::view, Menu::view, "Background", "Cycle the background: checker, plain color, image",
     {{{GLFW_KEY_G}}}, cycle_background},
    {"tile", Group::view, Menu::view, "Tile background", "Tile the background image, or cover the canvas",
     {{{GLFW_KEY_G, kShift}}}, toggle<&View::tiled>, nullptr, is_on<&View::tiled>},

    {"turn-front", Group::turntable, Menu::view, "Front", "View from the front",
     {{{GLFW_KEY_KP_1, 0, std::to_underlying(Side::front)}}}, view_from, is_3d},
    {"turn-right", Group::turntable, Menu::view, "Right", "View from the right",
     {{{GLFW_KEY_KP_3, 0, std::to_underlying(Side::right)}}}, view_from, is_3d},
    {"turn-top", Group::turntable, Menu::view, "Top", "View from the top",
     {{{GLFW_KEY_KP_7, 0, std::to_underlying(Side::top)}}}, view_from, is_3d},
    {"turn-back", Group::turntable, Menu::view, "Back", "View from the back",
     {{{GLFW_KEY_KP_1, kControl, std::to_underlying(Side::back)}}}, view_from, is_3d},
    {"turn-left", Group::turntable, Menu::view, "Left", "View from the left",
     {{{GLFW_KEY_KP_3, kControl, std::to_underlying(Side::left)}}}, view_from, is_3d},
    {"turn-bottom", Group::turntable, Menu::view, "Bottom", "View from the bottom",
     {{{GLFW_KEY_KP_7, kControl, std::to_underlying(Side::bottom)}}}, view_from, is_3d},
    {"turn-side", Group::turntable, Menu::view, "Next side", "Cycle between front, side and top",
     {{{GLFW_KEY_V, kShift}}}, cycle_side, is_3d},
    {"rotate-right", Group::turntable, Menu::view, "Rotate right", "Rotate right by 15 degrees",
     {{{GLFW_KEY_KP_6, 0, 0}}}, rotate_by, is_3d, nullptr, true},
    {"rotate-left", Group::turntable, Menu::view, "Rotate left", "Rotate left by 15 degrees",
     {{{GLFW_KEY_KP_4, 0, 2}}}, rotate_by, is_3d, nullptr, true},
    {"rotate-up", Group::turntable, Menu::view, "Rotate up", "Rotate up by 15 degrees",
     {{{GLFW_KEY_KP_8, 0, 1}}}, rotate_by, is_3d, nullptr, true},
    {"rotate-down", Group::turntable, Menu::view, "Rotate down", "Rotate down by 15 degrees",
     {{{GLFW_KEY_KP_2, 0, 3}}}, rotate_by, is_3d, nullptr, true},
    {"turn-reset", Group::turntable, Menu::view, "Reset rotation", "View from the front and fit",
     {{{GLFW_KEY_KP_0}, {GLFW_KEY_BACKSPACE, kShift}}}, [](App& app, int) { reset_turntable(app.view); }, is_3d},

    {"lineup-activate", Group::lineup, Menu::view, "Make active",
     "Open the selected character of the lineup in place of the open one", {},
     [](App& app, int) { activate_member(app, *app.lineup.selected); }, has_member},
    {"lineup-remove", Group::lineup, Menu::view, "Remove from lineup", "Remove the selected character from the lineup",
     {{{GLFW_KEY_DELETE}}}, [](App& app, int) { take(app, *app.lineup.selected); }, has_member},
    {"lineup-clear", Group::lineup, Menu::view, "Clear lineup", "Remove all characters but the open one", {},
     [](App& app, int) { clear_lineup(app); }, lines_up},

    {"skeleton", Group::overlays, Menu::overlays, "Skeleton", "Show the bones, and the name of the one under the mouse",
     {{{GLFW_KEY_B}}}, toggle<&View::skeleton>, nullptr, is_on<&View::skeleton>},
    {"names", Group::overlays, Menu::overlays, "Bone names",
     "Name the selected bone and its ancestors, or all bones that have room", {{{GLFW_KEY_B, kShift}}},
     toggle<&View::names>, nullptr, is_on<&View::names>},
    {"wireframe", Group::overlays, Menu::overlays, "Wireframe", "Show the triangles of the selected mesh, or of all",
     {{{GLFW_KEY_W}}}, toggle<&View::wireframe>, nullptr, is_on<&View::wireframe>},
    {"bounds", Group::overlays, Menu::overlays, "Bounds", "Show the bounds of this frame and of the clip",
     {{{GLFW_KEY_E}}}, toggle<&View::bounds>, nullptr, is_on<&View::bounds>},
    {"weights", Group::overlays, Menu::overlays, "Weights", "Show how much the selected bone moves each vertex",
     {{{GLFW_KEY_K}}}, toggle<&View::weights>, nullptr, is_on<&View::weights>},
    {"trail", Group::overlays, Menu::overlays, "Motion trail", "Show the selected bone's path over the clip",
     {{{GLFW_KEY_J}}}, toggle<&View::trail>, nullptr, is_on<&View::trail>},
    {"draw-order", Group::overlays, Menu::overlays, "Draw order", "Number the meshes in draw order, 1 at the back",
     {{{GLFW_KEY_D}}}, toggle<&View::draw_order>, nullptr, is_on<&View::draw_order>},
    {"grid", Group::overlays, Menu::overlays, "Grid", "Show the world origin, and lines at round distances",
     {{{GLFW_KEY_Z}}}, toggle<&View::grid>, nullptr, is_on<&View::grid>},
    {"overdraw", Group::overlays, Menu::overlays, "Overdraw", "Show how many meshes cover each pixel",
     {{{GLFW_KEY_Y}}}, toggle_overdraw, nullptr, is_on<&View::overdraw>},
    {"onion", Group::overlays, Menu::overlays, "Onion skin", "Show the frames before and after this one",
     {{{GLFW_KEY_U}}}, toggle<&View::onion>, nullptr, is_on<&View::onion>},

    {"panels", Group::panels, Menu::window, "Panels", "Show or hide the panels", {{{GLFW_KEY_TAB}}},
     toggle<&View::panels>, nullptr, is_on<&View::panels>},
    {"left-panels", Group::panels, Menu::window, "Left panels", "Show or hide the clips and the cast",
     {{{GLFW_KEY_F6}}}, toggle_dock<Dock::left>, nullptr, shows_dock<Dock::left>},
    {"right-panels", Group::panels, Menu::window, "Right panels", "Show or hide the view settings and the tabs below",
     {{{GLFW_KEY_F7}}}, toggle_dock<Dock::right>, nullptr, shows_dock<Dock::right>},
    {"timeline", Group::panels, Menu::window, "Timeline", "Show or hide the playback controls and the timeline",
     {{{GLFW_KEY_F8}}}, toggle_dock<Dock::bottom>, nullptr, shows_dock<Dock::bottom>},
    {"reset-panels", Group::panels, Menu::window, "Reset panels", "Show all panels at their original sizes", {},
     [](App& app, int) {
       app.arrangement = {};
       app.view.panels = true;
     }},
    {"inside", Group::panels, Menu::window, "Parts", "Show meshes and bones, or an artwork's layers", {{{GLFW_KEY_V}}},
     toggle_tab_of<Tab::inside>, nullptr, shows_tab<Tab::inside>},
    {"atlas", Group::panels, Menu::window, "Atlas", "Show the images and the triangles that meshes use",
     {{{GLFW_KEY_A}}}, toggle_tab_of<Tab::atlas>, nullptr, shows_tab<Tab::atlas>},
    {"large-atlas", Group::panels, Menu::window, "Large atlas", "Show the atlas in place of the character, or go back",
     {{{GLFW_KEY_A, kShift}}}, [](App& app, int) { toggle_large_atlas(app); }, nullptr, atlas_is_large},
    {"problems", Group::panels, Menu::window, "Problems", "Show the file's problems", {{{GLFW_KEY_P}}},
     toggle_tab_of<Tab::problems>, nullptr, shows_tab<Tab::problems>},
    {"present", Group::panels, Menu::window, "Present",
     "Present the character alone: drag to move, scroll to resize", {{{GLFW_KEY_F11}}}, toggle<&View::presenting>, open},

    {"scale-larger", Group::scale, Menu::window, "Larger", "Make the interface larger",
     {{{GLFW_KEY_EQUAL, kControl, 1}, {GLFW_KEY_EQUAL, kControl | kShift, 1}, {GLFW_KEY_KP_ADD, kControl, 1}}},
     change_interface_scale, nullptr, nullptr, true},
    {"scale-smaller", Group::scale, Menu::window, "Smaller", "Make the interface smaller",
     {{{GLFW_KEY_MINUS, kControl, -1}, {GLFW_KEY_KP_SUBTRACT, kControl, -1}}}, change_interface_scale, nullptr, nullptr,
     true},
    {"scale-automatic", Group::scale, Menu::window, "Automatic", "Use the monitor's interface scale",
     {{{GLFW_KEY_0, kControl, 0}, {GLFW_KEY_KP_0, kControl, 0}}}, set_interface_scale, nullptr, has_interface_scale<0>},
    {"scale-75", Group::scale, Menu::window, "75%", "Scale the interface to 75%", {{{0, 0, 75}}}, set_interface_scale,
     nullptr, has_interface_scale<75>},
    {"scale-100", Group::scale, Menu::window, "100%", "Scale the interface to 100%", {{{0, 0, 100}}}, set_interface_scale,
     nullptr, has_interface_scale<100>},
    {"scale-125", Group::scale, Menu::window, "125%", "Scale the interface to 125%", {{{0, 0, 125}}}, set_interface_scale,
     nullptr, has_interface_scale<125>},
    {"scale-150", Group::scale, Menu::window, "150%", "Scale the interface to 150%", {{{0, 0, 150}}}, set_interface_scale,
     nullptr, has_interface_scale<150>},
    {"scale-175", Group::scale, Menu::window, "175%", "Scale the interface to 175%", {{{0, 0, 175}}}, set_interface_scale,
     nullptr, has_interface_scale<175>},
    {"scale-200", Group::scale, Menu::window, "200%", "Scale the interface to 200%", {{{0, 0, 200}}}, set_interface_scale,
     nullptr, has_interface_scale<200>},
    {"scale-250", Group::scale, Menu::window, "250%", "Scale the interface to 250%", {{{0, 0, 250}}}, set_interface_scale,
     nullptr, has_interface_scale<250>},
    {"scale-300", Group::scale, Menu::window, "300%", "Scale the interface to 300%", {{{0, 0, 300}}}, set_interface_scale,
     nullptr, has_interface_scale<300>},

    {"browse", Group::files, Menu::file, "Open...", "Open a file", {{{GLFW_KEY_O, kControl}}},
     [](App& app, int) { open_browser(app.browser, app.requests); }},
    {"open-folder", Group::files, Menu::file, "Open folder...", "Open the characters in a folder", {},
     [](App& app, int) { open_browser(app.browser, app.requests, BrowseFor::folder); }},
    {"browse-beside", Group::files, Menu::file, "Open beside...", "Open a file beside the open one, in a lineup", {},
     [](App& app, int) { open_browser(app.browser, app.requests, BrowseFor::lineup); }, open},
    {"show-in-folder", Group::files, Menu::file, "Show in folder",
     "Show the file in the file manager, or the one that was just saved", {{{GLFW_KEY_O, kControl | kShift}}},
     show_file, open},
    {"previous-in-folder", Group::files, Menu::file, "Previous in folder",
     "List the file's folder, and open the previous character in it", {{{'[', 0, -1}}},
     [](App& app, int direction) { step_in_folder(app.cast, app.requests, direction); }},
    {"next-in-folder", Group::files, Menu::file, "Next in folder",
     "List the file's folder, and open the next character in it", {{{']', 0, 1}}},
     [](App& app, int direction) { step_in_folder(app.cast, app.requests, direction); }},
    {"previous-in-list", Group::files, Menu::file, "Previous character", "Open the previous character of the cast",
     {{{GLFW_KEY_PAGE_UP, kControl, -1}}}, [](App& app, int direction) { step(app.cast, app.requests, direction); }},
    {"next-in-list", Group::files, Menu::file, "Next character", "Open the next character of the cast",
     {{{GLFW_KEY_PAGE_DOWN, kControl, 1}}}, [](App& app, int direction) { step(app.cast, app.requests, direction); }},
    {"reload", Group::files, Menu::file, "Reload", "Reload the file", {{{GLFW_KEY_F5}}},
     [](App& app, int) { reload(app); }, open},
    {"auto-reload", Group::files, Menu::file, "Auto reload", "Reload the file whenever it or one of its images is saved",
     {{{GLFW_KEY_R, kControl}}}, [](App& app, int) { app.requests.reload = !app.requests.reload; }, nullptr,
     [](const App& app) { return app.requests.reload; }},
    {"second-player", Group::files, Menu::file, "Second-player skin",
     "Switch a Pomyu character's second-player skin on or off", {{{GLFW_KEY_P, kShift}}},
     toggle_second_player, is_chara,
     [](const App& app) { return is_chara(app) && app.document()->source.options.second_player; }},
    {"rig-save", Group::files, Menu::file, "Save rig", "Save the rig and the states next to the character",
     {{{GLFW_KEY_S, kControl}}}, [](App& app, int) { save_rig(app); },
     [](const App& app) { return app.document() && has_unsaved_changes(app.document()->rig); }},

    {"export", Group::output, Menu::file, "Export...", "Export animations and sprite sheets",
     {{{GLFW_KEY_E, kControl}}}, [](App& app, int) { toggle_exports(app); }, open,
     [](const App& app) { return app.exports.open; }},
    {"start-export", Group::output, Menu::none, "In the export dialog, export or replace files", nullptr,
     {{{GLFW_KEY_ENTER}, {GLFW_KEY_KP_ENTER}}},
     [](App& app, int) { start_export(app.exports, app.exports.existing_files > 0); },
     [](const App& app) { return app.exports.open; }},
    {"screenshot", Group::output, Menu::file, "Screenshot", "Save a screenshot without the background",
     {{{GLFW_KEY_F12, 0, std::to_underlying(Screenshot::character)}}}, take_screenshot},
    {"screenshot-background", Group::output, Menu::file, "Screenshot with background",
     "Save a screenshot with the background",
     {{{GLFW_KEY_F12, kShift, std::to_underlying(Screenshot::with_background)}}}, take_screenshot},

    {"open-saved", Group::output, Menu::file, "Open saved file", "Open the file that was just saved", {}, open_saved,
     [](const App& app) { return !app.notice.to_copy.empty(); }},
    {"copy-image", Group::output, Menu::edit, "Copy image", "Copy the image without the background to the clipboard",
     {{{GLFW_KEY_C, kControl, std::to_underlying(Screenshot::copied)}}}, take_screenshot, open},
    {"copy-image-background", Group::output, Menu::edit, "Copy image with background",
     "Copy the image with the background to the clipboard",
     {{{GLFW_KEY_C, kControl | kShift, std::to_underlying(Screenshot::copied_with_background)}}}, take_screenshot, open},

    {"screenshots-beside", Group::screenshots, Menu::file, "Beside the file", "Save screenshots beside the open file", {},
     [](App& app, int) { app.screenshots_in = ScreenshotFolder::beside_file; }, nullptr,
     saves_screenshots_in<ScreenshotFolder::beside_file>},
    {"screenshots-images", Group::screenshots, Menu::file, "Images folder", "Save screenshots in your images folder", {},
     [](App& app, int) { app.screenshots_in = ScreenshotFolder::images; }, nullptr,
     saves_screenshots_in<ScreenshotFolder::images>},
    {"screenshots-chosen", Group::screenshots, Menu::file, "Other folder...", "Choose a folder for screenshots", {},
     [](App& app, int) {
       open_folder_browser(app.browser, app.requests, BrowseFor::screenshots, app.screenshot_folder);
     }, nullptr, saves_screenshots_in<ScreenshotFolder::chosen>},

    {"help", Group::window, Menu::help, "Keyboard shortcuts", "Show the keyboard shortcuts", {{{'?'}, {GLFW_KEY_F1}}},
     toggle_help, nullptr, is_on<&View::help>},
    {"menu-bar", Group::window, Menu::none, "Open the menu bar; Left and Right go to the neighboring menu", nullptr,
     {{{GLFW_KEY_F10}, {GLFW_KEY_LEFT_ALT}}}, [](App& app, int) { app.opened_menu = 0; },
     [](const App& app) { return !app.view.presenting; }},
    {"close", Group::window, Menu::none, "Close the topmost dialog or message; clear the filter or the selection",
     nullptr, {{{GLFW_KEY_ESCAPE}}}, close_topmost},
    {"quit", Group::window, Menu::file, "Quit", nullptr, {{{GLFW_KEY_Q}, {GLFW_KEY_Q, kControl}}},
     [](App& app, int) { app.quit = true; }},
};
// clang-format on

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
    choose(browser, app.requests, browser.selected);
  }
  if (press.key != GLFW_KEY_BACKSPACE) return;
  if (browser.filter.empty()) return go_up(browser, app.requests);
  std::string shorter = browser.filter;
  while ((static_cast<unsigned char>(shorter.back()) & 0xC0) == 0x80) shorter.pop_back();
  shorter.pop_back();
  set_filter(browser, std::move(shorter));
}

/// Returns the name that a key has in a machine; empty if it cannot be one of a parameter.
std::string state_key(int key) {
  constexpr std::pair<int, const char*> kNames[] = {
      {GLFW_KEY_SPACE, "space"}, {GLFW_KEY_ENTER, "enter"},      {GLFW_KEY_KP_ENTER, "enter"},
      {GLFW_KEY_LEFT, "left"},   {GLFW_KEY_RIGHT, "right"},      {GLFW_KEY_UP, "up"},
      {GLFW_KEY_DOWN, "down"},   {GLFW_KEY_LEFT_SHIFT, "shift"}, {GLFW_KEY_RIGHT_SHIFT, "shift"}};
  if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return std::string(1, static_cast<char>(key - GLFW_KEY_A + 'a'));
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return std::string(1, static_cast<char>(key));
  const auto* found = std::ranges::find(kNames, key, &std::pair<int, const char*>::first);
  return found != std::end(kNames) ? found->second : std::string();
}

/// Gives a key to the parameter that waits for one. Delete takes its key away, and Escape leaves it.
void choose_state_key(App& app, int key) {
  const std::string name = state_key(key);
  const bool clears = key == GLFW_KEY_DELETE || key == GLFW_KEY_BACKSPACE;
  if (name.empty() && !clears && key != GLFW_KEY_ESCAPE) return;
  const std::size_t parameter = *std::exchange(app.key_for, std::nullopt);
  if (key == GLFW_KEY_ESCAPE || !app.document()) return;
  auto& parameters = app.document()->rig.rig.states.parameters;
  if (parameter < parameters.size()) parameters[parameter].key = name;
}

/// Returns whether the parameter that waits for a key is still the selected one.
bool waits_for_key(const App& app) {
  if (!app.key_for || !edits_states(app)) return false;
  return app.document()->rig.selected_state == StateRef{StateRef::Kind::parameter, 0, *app.key_for};
}

/// Returns whether a key plays the machines that are shown. Shift leads to the commands, unless it is a key of its own.
bool plays_states(const App& app, int key, int modifiers) {
  const Machine* machine = app.playback.machine();
  if (machine == nullptr || app.exports.open || app.asks_to_quit) return false;
  if (has_key(*machine, "shift")) modifiers &= ~kShift;
  return modifiers == 0 && has_key(*machine, state_key(key));
}

}  // namespace

void release_key(App& app, int key) {
  if (app.playback.last_machine) press_key(*app.playback.last_machine, state_key(key), false);
}

std::span<const Command> commands() noexcept { return kCommands; }

const Command& command(std::string_view id) noexcept {
  const auto* found = std::ranges::find(kCommands, id, [](const Command& each) { return std::string_view(each.id); });
  assert(found != std::end(kCommands));
  return *found;
}

bool is_available(const App& app, const Command& command) noexcept {
  return command.available == nullptr || command.available(app);
}

void run_command(App& app, std::string_view id) {
  const Command& found = command(id);
  if (is_available(app, found)) found.run(app, found.chords.front().value);
}

bool types_nothing(const KeyPress& press) noexcept {
  const bool quits = press.key == GLFW_KEY_Q && (press.modifiers & kControl) != 0;
  return quits || (press.key >= GLFW_KEY_F1 && press.key <= GLFW_KEY_F12) || press.key == GLFW_KEY_LEFT_ALT;
}

void handle_key(App& app, const KeyPress& press) {
  const int modifiers = press.modifiers & (kShift | kControl | GLFW_MOD_ALT | GLFW_MOD_SUPER);
  if (app.browser.open && (modifiers & kControl) == 0) return handle_browser_key(app, press);
  // With a modifier, a key is a command.
  if (!waits_for_key(app) || (modifiers & ~kShift) != 0) app.key_for.reset();
  if (app.key_for) return choose_state_key(app, press.key);
  if (plays_states(app, press.key, modifiers)) {
    if (!press.repeated) press_key(*app.playback.machine(), state_key(press.key), true);
    return;
  }
  for (const Command& each : kCommands) {
    if (press.repeated && !each.repeats) continue;
    for (const Chord& chord : each.chords) {
      const int number = press.key - chord.key;
      if (chord.key == 0 || number < 0 || number >= chord.count || modifiers != chord.modifiers) continue;
      if (is_available(app, each)) return each.run(app, chord.value + number);
    }
  }
}

namespace {

// clang-format off
constexpr std::pair<int, const char*> kKeyNames[] = {
    {GLFW_KEY_SPACE, "Space"}, {GLFW_KEY_BACKSPACE, "Backspace"}, {GLFW_KEY_DELETE, "Delete"}, {GLFW_KEY_TAB, "Tab"},
    {GLFW_KEY_ESCAPE, "Esc"}, {GLFW_KEY_LEFT, "Left"}, {GLFW_KEY_RIGHT, "Right"}, {GLFW_KEY_UP, "Up"},
    {GLFW_KEY_DOWN, "Down"}, {GLFW_KEY_HOME, "Home"}, {GLFW_KEY_END, "End"}, {GLFW_KEY_PAGE_UP, "Page Up"},
    {GLFW_KEY_PAGE_DOWN, "Page Down"}, {GLFW_KEY_COMMA, "Comma"}, {GLFW_KEY_PERIOD, "Period"},
    {GLFW_KEY_LEFT_ALT, "Alt"}, {GLFW_KEY_ENTER, "Enter"}, {GLFW_KEY_KP_ENTER, "Numpad Enter"}, {GLFW_KEY_KP_SUBTRACT, "Numpad -"},
    {GLFW_KEY_KP_ADD, "Numpad +"}};
// clang-format on

std::string key_name(int key) {
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return fmt::format("F{}", key - GLFW_KEY_F1 + 1);
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return fmt::format("Numpad {}", key - GLFW_KEY_KP_0);
  const auto* found = std::ranges::find(kKeyNames, key, &std::pair<int, const char*>::first);
  return found != std::end(kKeyNames) ? found->second : std::string(1, static_cast<char>(key));
}

std::string chord_name(const Chord& chord) {
  std::string text = (chord.modifiers & GLFW_MOD_CONTROL) != 0 ? "Ctrl+" : "";
  if ((chord.modifiers & GLFW_MOD_ALT) != 0) text += "Alt+";
  if ((chord.modifiers & GLFW_MOD_SHIFT) != 0) text += "Shift+";
  text += key_name(chord.key);
  return chord.count > 1 ? text + " \u2013 " + key_name(chord.key + chord.count - 1) : text;
}

}  // namespace

std::string keys_of(const Command& command) {
  std::string text;
  for (const Chord& chord : command.chords) {
    if (chord.key != 0) text += (text.empty() ? "" : ", ") + chord_name(chord);
  }
  return text;
}

std::string first_key_of(const Command& command) {
  const Chord& first = command.chords.front();
  return first.key != 0 ? chord_name(first) : std::string();
}

std::string tooltip_of(std::string_view id) {
  const Command& found = command(id);
  const std::string keys = keys_of(found);
  const std::string text = found.explanation != nullptr ? found.explanation : found.name;
  return keys.empty() ? text : fmt::format("{} ({})", text, keys);
}

std::string menu_path_of(const Command& command) {
  if (command.menu == Menu::none) return {};
  const GroupInfo& group = kGroups[std::to_underlying(command.group)];
  const std::string submenu = group.submenu ? fmt::format("{} > ", group.name) : std::string();
  return fmt::format("{} > {}{}", kMenuNames[std::to_underlying(command.menu)], submenu, command.name);
}

std::string describe_commands() {
  std::string text;
  for (std::size_t group = 0; group < std::size(kGroups); ++group) {
    text += fmt::format("\n### {}\n\n| Key | Action | Menu |\n|---|---|---|\n", kGroups[group].name);
    for (const Command& each : commands()) {
      if (std::to_underlying(each.group) != group) continue;
      std::string action = each.explanation != nullptr ? each.explanation : each.name;
      std::ranges::replace(action, '\n', ' ');
      text += fmt::format("| {} | {} | {} |\n", keys_of(each), action, menu_path_of(each));
    }
  }
  return text;
}

}  // namespace pchr::player
