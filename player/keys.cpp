// SPDX-License-Identifier: MIT
// What each key does.
#include "keys.hpp"

#include <GLFW/glfw3.h>

namespace pchr::player {
namespace {

constexpr Shortcut kShortcuts[] = {
    {"Space", "Play or pause"},
    {"Left, Right", "One frame back, forward (Shift: ten)"},
    {"Home, End", "First, last frame"},
    {"Up, Down", "Previous, next clip"},
    {"1 \u2013 9", "Clip of that number"},
    {"L", "Loop mode: as in the file, once, loop, ping-pong"},
    {"M", "Smooth between frames"},
    {"F", "Fit the character"},
    {"Wheel, drag", "Zoom at the cursor, move"},
    {"B", "Skeleton"},
    {"G", "Checker or plain background"},
    {"[ , ]", "Previous, next character in the folder"},
    {"Ctrl+Page Up, Down", "Previous, next of the files opened together"},
    {"F5, Ctrl+R", "Read the file again; do so whenever it is saved, or not"},
    {"Tab", "Hide or show the panels"},
    {"?, F1", "This help"},
    {"Esc", "Close this help or a message"},
    {"Q, Ctrl+Q", "Quit"},
};

/// Holding a key goes on stepping, but does not toggle things on and off.
bool repeats(int key) { return key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP; }

void cycle_loop_mode(Session& session) {
  constexpr int kModes = 4;
  set_loop_mode(session, static_cast<LoopMode>((static_cast<int>(session.playback.mode) + 1) % kModes));
}

void close_topmost(Session& session) {
  if (session.view.help) {
    session.view.help = false;
  } else {
    session.error.clear();
  }
}

}  // namespace

std::span<const Shortcut> shortcuts() noexcept { return kShortcuts; }

void handle_key(Session& session, const KeyPress& press) {
  if (press.repeated && !repeats(press.key)) return;
  View& view = session.view;
  if ((press.modifiers & GLFW_MOD_CONTROL) != 0) {
    if (press.key == GLFW_KEY_Q) session.quit = true;
    if (press.key == GLFW_KEY_R) session.files.reload = !session.files.reload;
    if (press.key == GLFW_KEY_PAGE_UP) open_in_list(session.files, -1);
    if (press.key == GLFW_KEY_PAGE_DOWN) open_in_list(session.files, 1);
    return;
  }
  if ((press.modifiers & (GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0) return;
  if (press.key >= GLFW_KEY_1 && press.key <= GLFW_KEY_9) {
    return select_clip(session, static_cast<std::uint32_t>(press.key - GLFW_KEY_1));
  }
  const std::int64_t stride = (press.modifiers & GLFW_MOD_SHIFT) != 0 ? 10 : 1;
  switch (press.key) {
    case GLFW_KEY_SPACE:
      return toggle_playing(session);
    case GLFW_KEY_LEFT:
      return step_frames(session, -stride);
    case GLFW_KEY_RIGHT:
      return step_frames(session, stride);
    case GLFW_KEY_HOME:
      return seek_frame(session, 0);
    case GLFW_KEY_END:
      return seek_last_frame(session);
    case GLFW_KEY_UP:
      return select_neighbour(session, -1);
    case GLFW_KEY_DOWN:
      return select_neighbour(session, 1);
    case GLFW_KEY_L:
      return cycle_loop_mode(session);
    case GLFW_KEY_ESCAPE:
      return close_topmost(session);
    case GLFW_KEY_M:
      session.playback.sampling = session.playback.sampling == Sampling::step ? Sampling::smooth : Sampling::step;
      return;
    case GLFW_KEY_G:
      view.background = view.background == Background::checker ? Background::colour : Background::checker;
      return;
    case GLFW_KEY_F:
      view.fitted = true;
      return;
    case GLFW_KEY_B:
      view.skeleton = !view.skeleton;
      return;
    case '[':
      return open_in_folder(session.files, -1);
    case ']':
      return open_in_folder(session.files, 1);
    case GLFW_KEY_F5:
      return open_again(session);
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
