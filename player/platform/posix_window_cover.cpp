// SPDX-License-Identifier: MIT
// Implementation for X11. Wayland's compositors hold back the frames of hidden windows themselves.
#include "platform/window_cover.hpp"

#ifdef PCHR_PLAYER_X11
#include <X11/Xlib.h>

/// Missing from a GLFW without X11.
extern "C" __attribute__((weak)) unsigned long glfwGetX11Window(GLFWwindow* window);
#endif

namespace pchr::player {

#ifdef PCHR_PLAYER_X11

/// A connection of its own, since GLFW drops these events.
struct WindowCover::System {
  Display* display = nullptr;
  bool covered = false;
};

WindowCover::WindowCover(GLFWwindow* window) {
  const ::Window id = glfwGetX11Window != nullptr ? glfwGetX11Window(window) : 0;
  Display* display = id != 0 ? XOpenDisplay(nullptr) : nullptr;
  if (display == nullptr) return;
  XSelectInput(display, id, VisibilityChangeMask);
  XFlush(display);
  system_ = std::make_unique<System>(display);
}

WindowCover::~WindowCover() {
  if (system_) XCloseDisplay(system_->display);
}

bool WindowCover::covered() {
  if (!system_) return false;
  while (XPending(system_->display) > 0) {
    XEvent event;
    XNextEvent(system_->display, &event);
    if (event.type == VisibilityNotify) system_->covered = event.xvisibility.state == VisibilityFullyObscured;
  }
  return system_->covered;
}

#else

struct WindowCover::System {};
WindowCover::WindowCover(GLFWwindow*) {}
WindowCover::~WindowCover() = default;
bool WindowCover::covered() { return false; }

#endif

}  // namespace pchr::player
