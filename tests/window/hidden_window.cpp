// SPDX-License-Identifier: MIT
#include "hidden_window.hpp"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

namespace pchr::test {
namespace {

void set_state(Desktop& desktop, WindowId window, long state) {
  const Atom name = XInternAtom(desktop.connection(), "WM_STATE", False);
  const long values[] = {state, None};
  XChangeProperty(desktop.connection(), window, name, name, 32, PropModeReplace,
                  reinterpret_cast<const unsigned char*>(values), 2);
  XSync(desktop.connection(), False);
}

/// Lists the windows from bottom to top.
void set_stack(Desktop& desktop, const std::vector<WindowId>& windows) {
  Display* display = desktop.connection();
  XChangeProperty(display, desktop.root(), XInternAtom(display, "_NET_CLIENT_LIST_STACKING", False), XA_WINDOW, 32,
                  PropModeReplace, reinterpret_cast<const unsigned char*>(windows.data()),
                  static_cast<int>(windows.size()));
  XSync(display, False);
}

}  // namespace

void minimize(Desktop& desktop, WindowId window) {
  XUnmapWindow(desktop.connection(), window);
  set_state(desktop, window, IconicState);
}

void restore(Desktop& desktop, WindowId window) {
  XMapWindow(desktop.connection(), window);
  set_state(desktop, window, NormalState);
}

Cover::Cover(Desktop& desktop, WindowId window) : desktop_(desktop) {
  Display* display = desktop.connection();
  const int screen = DefaultScreen(display);
  XSetWindowAttributes attributes{};
  attributes.override_redirect = True;
  window_ = XCreateWindow(display, desktop.root(), 0, 0, static_cast<unsigned>(DisplayWidth(display, screen)),
                          static_cast<unsigned>(DisplayHeight(display, screen)), 0, CopyFromParent, InputOutput,
                          nullptr, CWOverrideRedirect, &attributes);
  XMapRaised(display, window_);
  set_stack(desktop, {window, window_});
}

Cover::~Cover() {
  set_stack(desktop_, {});
  XDestroyWindow(desktop_.connection(), window_);
  XSync(desktop_.connection(), False);
}

}  // namespace pchr::test
