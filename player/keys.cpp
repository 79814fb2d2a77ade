// SPDX-License-Identifier: MIT
// What each key does.
#include "keys.hpp"

#include "background_image.hpp"
#include "branch.hpp"
#include "panels/panels.hpp"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <string>
#include <utility>

namespace pchr::player {
namespace {

constexpr Shortcut kShortcuts[] = {
    {"Space", "Play or pause"},
    {"Left, Right", "One frame back, forward (Shift: ten)"},
    {"Home, End", "First, last frame"},
    {"Up, Down", "Previous, next clip"},
    {"1 \u2013 9", "Clip of that number; in a mix, fade to it"},
    {"/, Ctrl+F", "Find a clip by its name (Enter: show it, Esc: leave)"},
    {"X, Shift+X", "Mix clips; play a Pomyu character's game; or one clip"},
    {"Enter", "Replay the crossfade"},
    {"Ctrl+1 \u2013 9", "In a mix: the clip that it fades from"},
    {"Shift+, and .", "In a mix: a shorter, longer crossfade"},
    {"N, Shift+N", "In a mix: add a layer, remove the last one"},
    {"Page Up, Down", "Of the last layer: more, less weight"},
    {"Shift+M, ;", "Of the last layer: override or add; the selected branch or all"},
    {"1 \u2013 4", "In a game: a note is bad, good, great, fever"},
    {"5, 6", "In a game: the rival disturbs, dances, or stops"},
    {"7 \u2013 9, 0", "In a game: begins, is cleared, failed, full"},
    {"Page Up, Down; N", "In a game: more, less gauge; the other side"},
    {"Up, Down", "In a game: another animation, again and again"},
    {"R", "Reverse"},
    {", and .", "Slower, faster"},
    {"Backspace", "Normal speed"},
    {"L", "Loop as in the file, once, loop, ping-pong, counted"},
    {"-, +", "Fewer, more loops where they are counted"},
    {"M", "Smooth between frames"},
    {"T", "Hold frames: on ones, twos, threes ... (Shift: back)"},
    {"I, O", "The range begins, ends at this frame (Shift: no range)"},
    {"F", "Fit the character, or the atlas while it is large"},
    {"Shift+F", "Pixels: automatic, smooth, hard"},
    {"Wheel, drag", "Zoom at the cursor, move (right, Alt: turn an Unreal mesh)"},
    {"Numpad 1, 3, 7, 0", "See a mesh from the front, side, top (Ctrl: opposite); reset"},
    {"Shift+V, Backspace", "The next of these sides; reset. Numpad 2 \u2013 8: a little around"},
    {"Click", "Select the part under the mouse; again: the one below"},
    {"H, S", "Hide the selected mesh or branch, show it alone (Shift+H: all)"},
    {"Shift+S", "Show the branch of the selected bone alone"},
    {"Ctrl+Left, Right", "Fold, unfold the selected bone; move the divider of a wipe"},
    {"Ctrl+Shift+F", "Find a mesh or bone by its name"},
    {"B, W, E", "Skeleton, wireframe, bounds"},
    {"Shift+B, K, J", "The selected bone: names, weights, motion trail"},
    {"D, Z, Y", "Draw order, grid, overdraw"},
    {"U", "Onion skin: frames before and after"},
    {"G", "Background: checker, plain, image (Shift: tile the image)"},
    {"C", "Compare: side by side, wipe, off (Shift: swap the sides)"},
    {"V, A, P", "Look inside, at the atlas, list the file's problems, or show facts"},
    {"Shift+P", "Dress a Pomyu character for the other player"},
    {"Shift+A", "The atlas large; a double click on it does the same"},
    {"Ctrl+Up, Down", "Previous, next mesh, bone or problem"},
    {"Ctrl+C", "Copy the problems, while they are listed"},
    {"Ctrl+O", "Browse for a file"},
    {"[ , ]", "Previous, next character in the folder"},
    {"Ctrl+Page Up, Down", "Previous, next of the files opened together"},
    {"F5, Ctrl+R", "Read the file again; do so whenever it is saved, or not"},
    {"F12", "Save a picture of the character (Shift: with the background)"},
    {"Ctrl+E", "Export films and sheets (Enter: do it, Esc: stop, close)"},
    {"F11", "Present the character alone: drag to move, wheel to resize"},
    {"Tab", "Hide or show the panels"},
    {"?, F1", "This help"},
    {"Esc", "Close help, a message, the atlas; clear the selection, the range"},
    {"Q, Ctrl+Q", "Quit"},
};

constexpr float kDividerStep = 0.05F;

/// Holding a key goes on stepping, but does not toggle things on and off.
bool repeats(int key) {
  const bool turns = key == GLFW_KEY_KP_2 || key == GLFW_KEY_KP_4 || key == GLFW_KEY_KP_6 || key == GLFW_KEY_KP_8;
  return turns || (key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP) || key == GLFW_KEY_COMMA || key == GLFW_KEY_PERIOD;
}

/// As in the file, once, loop, ping-pong, and the loop that is counted.
void cycle_loop_mode(Session& session) {
  Playback playback = session.playback;
  if (playback.counted) {
    playback.counted = false;
    playback.mode = LoopMode::from_file;
  } else if (playback.mode == LoopMode::ping_pong) {
    playback.counted = true;
    playback.mode = LoopMode::loop;
  } else {
    playback.mode = static_cast<LoopMode>(static_cast<int>(playback.mode) + 1);
  }
  set_playback(session, playback);
}

void change_times(Session& session, bool more) {
  Playback playback = session.playback;
  if (!playback.counted) return;
  playback.times += more ? 1U : playback.times > 1 ? -1U : 0U;
  set_playback(session, playback);
}

void cycle_hold(Session& session, bool back) {
  Playback playback = session.playback;
  playback.hold = (playback.hold - 1 + (back ? kLongestHold - 1 : 1)) % kLongestHold + 1;
  set_playback(session, playback);
}

/// The numpad while a spatial character is open. Returns whether this is one of its keys.
bool handle_turntable_key(Session& session, int key, bool control) {
  constexpr float kStepDegrees = 15.0F;
  Turntable turntable = session.view.turntable;
  switch (key) {
    case GLFW_KEY_KP_0:
      reset_turntable(session);
      return true;
    case GLFW_KEY_KP_1:
      turntable = seen_from(turntable, control ? Side::back : Side::front);
      break;
    case GLFW_KEY_KP_3:
      turntable = seen_from(turntable, control ? Side::left : Side::right);
      break;
    case GLFW_KEY_KP_7:
      turntable = seen_from(turntable, control ? Side::bottom : Side::top);
      break;
    case GLFW_KEY_KP_4:
    case GLFW_KEY_KP_6:
      turntable.yaw_degrees += key == GLFW_KEY_KP_6 ? kStepDegrees : -kStepDegrees;
      session.view.fitted = false;
      break;
    case GLFW_KEY_KP_8:
    case GLFW_KEY_KP_2:
      turntable.pitch_degrees += key == GLFW_KEY_KP_8 ? kStepDegrees : -kStepDegrees;
      session.view.fitted = false;
      break;
    default:
      return false;
  }
  set_turntable(session, turntable);
  return true;
}

/// From the front to the side, the top and the front again.
void cycle_side(Session& session) {
  if (!shows_spatial(session)) return;
  const Turntable& turntable = session.view.turntable;
  const Side next = is_seen_from(turntable, Side::front)   ? Side::right
                    : is_seen_from(turntable, Side::right) ? Side::top
                                                           : Side::front;
  set_turntable(session, seen_from(turntable, next));
}

/// Keys that mean something only while clips are mixed. Returns whether this is one.
bool handle_mix_key(Session& session, int key, bool shift, bool control) {
  Mix& mix = session.mix;
  if (control) {
    if (key < GLFW_KEY_1 || key > GLFW_KEY_9) return false;
    set_from(mix, static_cast<std::uint32_t>(key - GLFW_KEY_1));
    return true;
  }
  const auto last = mix.layers.size() - 1;
  const bool layered = !mix.layers.empty();
  if (shift && (key == GLFW_KEY_COMMA || key == GLFW_KEY_PERIOD)) {
    constexpr double kStep = 0.1;
    constexpr double kLongest = 2.0;
    mix.fade_seconds = std::clamp(mix.fade_seconds + (key == GLFW_KEY_COMMA ? -kStep : kStep), 0.0, kLongest);
    replay(mix);
  } else if (key == GLFW_KEY_N) {
    shift ? remove_layer(mix, last) : add_layer(mix, mix.to);
  } else if (layered && (key == GLFW_KEY_PAGE_UP || key == GLFW_KEY_PAGE_DOWN)) {
    float& weight = mix.layers[last].weight;
    weight = std::clamp(weight + (key == GLFW_KEY_PAGE_UP ? 0.1F : -0.1F), 0.0F, 1.0F);
    update_layer(mix, last);
  } else if (layered && shift && key == GLFW_KEY_M) {
    LayerMode& mode = mix.layers[last].mode;
    mode = mode == LayerMode::additive ? LayerMode::override_below : LayerMode::additive;
    update_layer(mix, last);
  } else if (layered && key == GLFW_KEY_SEMICOLON) {
    auto& bone = mix.layers[last].bone;
    bone = bone == session.selection.bone ? std::nullopt : session.selection.bone;
    update_layer(mix, last);
  } else {
    return false;
  }
  return true;
}

/// Keys that mean something else, or anything, only in a game. Returns whether this is one.
bool handle_game_key(Session& session, int key, bool shift, bool control) {
  if (shift || control) return false;
  constexpr double kGaugeStep = 0.1;
  Game& game = session.game;
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) {
    happen(game, static_cast<GameEvent>((key - GLFW_KEY_0 + 9) % 10));
  } else if (key == GLFW_KEY_PAGE_UP || key == GLFW_KEY_PAGE_DOWN) {
    change_gauge(game, key == GLFW_KEY_PAGE_UP ? kGaugeStep : -kGaugeStep);
  } else if (key == GLFW_KEY_UP || key == GLFW_KEY_DOWN) {
    play_neighbour(game, key == GLFW_KEY_UP ? -1 : 1);
  } else if (key == GLFW_KEY_N) {
    CharaRules rules = game.state->rules();
    rules.side = rules.side == CharaSide::player ? CharaSide::rival : CharaSide::player;
    set_rules(game, rules);
  } else {
    return false;
  }
  return true;
}

void toggle_drive(Session& session, Drive drive) { set_drive(session, session.drive == drive ? Drive::clip : drive); }

void find_clip(Session& session) {
  set_drive(session, Drive::clip);
  session.view.panels = true;
  session.clip_filter.focus = true;
}

void hide_selected(Session& session, bool all) {
  if (!session.document) return;
  const Character& character = session.document->character();
  Selection& selection = session.selection;
  if (all) {
    show_all(selection);
  } else if (selection.mesh) {
    set_hidden(selection, character, *selection.mesh, !is_hidden(selection, *selection.mesh));
  } else if (selection.bone) {
    set_branch_hidden(selection, character, *selection.bone, !is_branch_hidden(selection, character, *selection.bone));
  }
  refresh(session);
}

void show_alone(Session& session, bool branch) {
  if (!session.document) return;
  branch ? toggle_branch_solo(session.selection, session.document->character())
         : toggle_solo(session.selection, session.document->character());
  refresh(session);
}

void fold_selected(Session& session, bool folded) {
  if (!session.document || !session.selection.bone) return;
  set_folded(session.selection, session.document->character(), *session.selection.bone, folded);
}

void toggle_second_player(Session& session) {
  if (session.document) set_second_player(session, !session.document->source.options.second_player);
}

void find_part(Session& session) {
  session.view.panels = true;
  session.view.tab = Tab::inside;
  session.part_filter.focus = true;
}

/// Moves one end of the range to the frame that is shown.
void set_range_end(Session& session, bool last, bool clear) {
  const Clip* clip = session.document ? session.document->current_clip() : nullptr;
  if (clip == nullptr) return;
  if (clear) return set_range(session, std::nullopt);
  const Transport& clock = session.document->clock;
  FrameRange range = clock.range().value_or(FrameRange{0, clip->frame_count - 1});
  (last ? range.last : range.first) = clock.frame();
  set_range(session, range);
}

void close_topmost(Session& session) {
  if (session.view.presenting) {
    session.view.presenting = false;
  } else if (session.view.help) {
    session.view.help = false;
  } else if (session.exports.open) {
    leave_export(session);
  } else if (!session.error.empty()) {
    session.error.clear();
  } else if (!session.notice.text.empty()) {
    session.notice = {};
  } else if (atlas_is_large(session)) {
    session.atlas.large = false;
    session.atlas.fitted = true;
  } else if (session.clip_filter.text[0] != '\0') {
    session.clip_filter.text[0] = '\0';
  } else if (session.part_filter.text[0] != '\0') {
    session.part_filter.text[0] = '\0';
  } else if (session.selection.mesh || session.selection.bone) {
    select_nothing(session.selection);
  } else {
    set_range(session, std::nullopt);
  }
}

/// While the browser is open the keyboard is its own; what is typed filters.
void handle_browser_key(Session& session, const KeyPress& press) {
  constexpr std::ptrdiff_t kPage = 12;
  constexpr std::ptrdiff_t kEnd = 1 << 30;
  Browser& browser = session.browser;
  switch (press.key) {
    case GLFW_KEY_ESCAPE:
      browser.open = false;
      return;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      if (!press.repeated) choose(browser, session.files, browser.selected);
      return;
    case GLFW_KEY_BACKSPACE: {
      if (browser.filter.empty()) return go_up(browser, session.files);
      std::string shorter = browser.filter;
      while ((static_cast<unsigned char>(shorter.back()) & 0xC0) == 0x80) shorter.pop_back();
      shorter.pop_back();
      return set_filter(browser, std::move(shorter));
    }
    case GLFW_KEY_UP:
      return move_selection(browser, -1);
    case GLFW_KEY_DOWN:
      return move_selection(browser, 1);
    case GLFW_KEY_PAGE_UP:
      return move_selection(browser, -kPage);
    case GLFW_KEY_PAGE_DOWN:
      return move_selection(browser, kPage);
    case GLFW_KEY_HOME:
      return move_selection(browser, -kEnd);
    case GLFW_KEY_END:
      return move_selection(browser, kEnd);
    default:
      return;
  }
}

}  // namespace

std::span<const Shortcut> shortcuts() noexcept { return kShortcuts; }

bool quits(const KeyPress& press) noexcept {
  return press.key == GLFW_KEY_Q && (press.modifiers & GLFW_MOD_CONTROL) != 0;
}

void handle_key(Session& session, const KeyPress& press) {
  const bool control = (press.modifiers & GLFW_MOD_CONTROL) != 0;
  const bool shift = (press.modifiers & GLFW_MOD_SHIFT) != 0;
  if (session.browser.open && !control) return handle_browser_key(session, press);
  if (press.repeated && !repeats(press.key)) return;
  View& view = session.view;
  if (mixing(session) && handle_mix_key(session, press.key, shift, control)) return;
  if (in_game(session) && handle_game_key(session, press.key, shift, control)) return;
  if (shows_spatial(session) && handle_turntable_key(session, press.key, control)) return;
  if (control) {
    if (quits(press)) session.quit = true;
    if (press.key == GLFW_KEY_O) open_browser(session.browser, session.files);
    if (press.key == GLFW_KEY_E) toggle_exports(session);
    if (press.key == GLFW_KEY_R) session.files.reload = !session.files.reload;
    if (press.key == GLFW_KEY_PAGE_UP) open_in_list(session.files, -1);
    if (press.key == GLFW_KEY_PAGE_DOWN) open_in_list(session.files, 1);
    if (press.key == GLFW_KEY_F) shift ? find_part(session) : find_clip(session);
    if (press.key == GLFW_KEY_LEFT || press.key == GLFW_KEY_RIGHT) {
      const bool left = press.key == GLFW_KEY_LEFT;
      const bool wiping = comparing(session) && session.comparison.mode == CompareMode::wipe;
      wiping ? move_divider(session, left ? -kDividerStep : kDividerStep) : fold_selected(session, left);
    }
    if (press.key == GLFW_KEY_UP) choose_neighbour(session, -1);
    if (press.key == GLFW_KEY_DOWN) choose_neighbour(session, 1);
    if (press.key == GLFW_KEY_C && view.tab == Tab::problems) copy_problems(session.problems);
    return;
  }
  if ((press.modifiers & (GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0) return;
  // Some keyboards have '/' on a digit with Shift.
  if (!shift && press.key >= GLFW_KEY_1 && press.key <= GLFW_KEY_9) {
    return choose_clip(session, static_cast<std::uint32_t>(press.key - GLFW_KEY_1));
  }
  const std::int64_t stride = shift ? 10 : 1;
  switch (press.key) {
    case GLFW_KEY_SPACE:
      return toggle_playing(session);
    case GLFW_KEY_LEFT:
      return step_frames(session, -stride);
    case GLFW_KEY_RIGHT:
      return step_frames(session, stride);
    case GLFW_KEY_HOME:
      return seek_first_frame(session);
    case GLFW_KEY_END:
      return seek_last_frame(session);
    case GLFW_KEY_UP:
      return select_neighbour(session, -1);
    case GLFW_KEY_DOWN:
      return select_neighbour(session, 1);
    case GLFW_KEY_L:
      return cycle_loop_mode(session);
    case '/':
      if (!shift) find_clip(session);
      return;
    case GLFW_KEY_X:
      return toggle_drive(session, shift ? Drive::game : Drive::mix);
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      if (session.exports.open) return start_export(session, session.exports.in_the_way > 0);
      return replay(session.mix);
    case GLFW_KEY_R:
      return set_speed(session, -session.playback.speed);
    case GLFW_KEY_COMMA:
    case GLFW_KEY_PERIOD:
      return set_speed(session, neighbouring_speed(session.playback.speed, press.key == GLFW_KEY_PERIOD ? 1 : -1));
    case GLFW_KEY_BACKSPACE:
      if (!shift) return set_speed(session, 1.0);
      if (shows_spatial(session)) reset_turntable(session);
      return;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      return change_times(session, false);
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
      return change_times(session, true);
    case GLFW_KEY_T:
      return cycle_hold(session, shift);
    case GLFW_KEY_I:
    case GLFW_KEY_O:
      return set_range_end(session, press.key == GLFW_KEY_O, shift);
    case GLFW_KEY_ESCAPE:
      return close_topmost(session);
    case GLFW_KEY_M:
      session.playback.sampling = session.playback.sampling == Sampling::step ? Sampling::smooth : Sampling::step;
      return;
    case GLFW_KEY_G:
      if (shift) {
        view.tiled = !view.tiled;
      } else {
        cycle_background(view);
      }
      return;
    case GLFW_KEY_F:
      if (shift) return set_pixels(session, static_cast<Pixels>((static_cast<int>(view.pixels) + 1) % 3));
      (atlas_is_large(session) ? session.atlas.fitted : view.fitted) = true;
      return;
    case GLFW_KEY_B:
      (shift ? view.names : view.skeleton) ^= true;
      return;
    case GLFW_KEY_K:
      view.weights = !view.weights;
      return;
    case GLFW_KEY_D:
      view.draw_order = !view.draw_order;
      return;
    case GLFW_KEY_Z:
      view.grid = !view.grid;
      return;
    case GLFW_KEY_J:
      view.trail = !view.trail;
      return;
    case GLFW_KEY_U:
      view.onion = !view.onion;
      return;
    case GLFW_KEY_Y:
      if (shows_spatial(session)) return show_notice(session.notice, "Of an Unreal mesh there is no overdraw to show");
      view.overdraw = !view.overdraw;
      return;
    case GLFW_KEY_W:
      view.wireframe = !view.wireframe;
      return;
    case GLFW_KEY_E:
      view.bounds = !view.bounds;
      return;
    case GLFW_KEY_V:
      return shift ? cycle_side(session) : toggle_tab(view, Tab::inside);
    case GLFW_KEY_A:
      return shift ? toggle_large_atlas(session) : toggle_tab(view, Tab::atlas);
    case GLFW_KEY_C:
      return shift ? swap_sides(session) : cycle_compare_mode(session);
    case GLFW_KEY_P:
      return shift ? toggle_second_player(session) : toggle_tab(view, Tab::problems);
    case GLFW_KEY_H:
      return hide_selected(session, shift);
    case GLFW_KEY_S:
      return show_alone(session, shift);
    case '[':
      return open_in_folder(session.files, -1);
    case ']':
      return open_in_folder(session.files, 1);
    case GLFW_KEY_F5:
      return open_again(session);
    case GLFW_KEY_F11:
      view.presenting = !view.presenting;
      return;
    case GLFW_KEY_F12:
      session.screenshot = shift ? Screenshot::with_background : Screenshot::character;
      return;
    case GLFW_KEY_TAB:
      view.panels = !view.panels;
      return;
    case GLFW_KEY_F1:
    case '?':
      view.help = !view.help;
      return;
    case GLFW_KEY_Q:
      session.quit = true;
      return;
    default:
      return;
  }
}

}  // namespace pchr::player
