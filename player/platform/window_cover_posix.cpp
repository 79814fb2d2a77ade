// SPDX-License-Identifier: MIT
// Implementation for X11. Wayland's compositors hold back the frames of hidden windows themselves.
#include "platform/desktop.hpp"

#ifdef PCHR_PLAYER_X11
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

// Missing from a GLFW without X11.
#pragma weak glfwGetX11Window
extern "C" unsigned long glfwGetX11Window(GLFWwindow* window);
#endif

namespace pchr::player {

#ifdef PCHR_PLAYER_X11

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kInterval{250};
constexpr unsigned long kAllDesktops = 0xFFFFFFFF;

std::vector<unsigned long> property(Display* display, ::Window window, const char* name, Atom type) {
  Atom found = 0;
  int format = 0;
  unsigned long count = 0, rest = 0;
  unsigned char* data = nullptr;
  constexpr long kMaxLength = 4096;
  XGetWindowProperty(display, window, XInternAtom(display, name, False), 0, kMaxLength, False, type, &found, &format,
                     &count, &rest, &data);
  std::vector<unsigned long> values;
  // Xlib returns 32-bit values as longs.
  const auto* longs = reinterpret_cast<const unsigned long*>(data);
  if (found == type && format == 32) values.assign(longs, longs + count);
  if (data != nullptr) XFree(data);
  return values;
}

bool is_on_other_desktop(Display* display, ::Window window) {
  const auto current = property(display, DefaultRootWindow(display), "_NET_CURRENT_DESKTOP", XA_CARDINAL);
  const auto own = property(display, window, "_NET_WM_DESKTOP", XA_CARDINAL);
  return !current.empty() && !own.empty() && own[0] != kAllDesktops && own[0] != current[0];
}

/// Returns the place of a window on the screen if it can be seen.
std::optional<XRectangle> place_of(Display* display, ::Window window, const XWindowAttributes& attributes) {
  int x = 0, y = 0;
  ::Window child = 0;
  if (XTranslateCoordinates(display, window, DefaultRootWindow(display), 0, 0, &x, &y, &child) == 0) return {};
  const int screen = DefaultScreen(display);
  const int right = std::min(x + attributes.width, DisplayWidth(display, screen));
  const int bottom = std::min(y + attributes.height, DisplayHeight(display, screen));
  x = std::max(x, 0);
  y = std::max(y, 0);
  if (x >= right || y >= bottom) return {};
  return XRectangle{static_cast<short>(x), static_cast<short>(y), static_cast<unsigned short>(right - x),
                    static_cast<unsigned short>(bottom - y)};
}

/// Adds the place of a window to `covered`, unless what is behind it can be seen.
void add_opaque(Display* display, ::Window window, Region covered) {
  constexpr int kDepthWithAlpha = 32;
  XWindowAttributes attributes{};
  if (XGetWindowAttributes(display, window, &attributes) == 0) return;
  if (attributes.map_state != IsViewable || attributes.depth == kDepthWithAlpha) return;
  if (!property(display, window, "_NET_WM_WINDOW_OPACITY", XA_CARDINAL).empty()) return;
  if (is_on_other_desktop(display, window)) return;
  if (auto place = place_of(display, window, attributes)) XUnionRectWithRegion(&*place, covered, covered);
}

/// Asks the window manager, because X reports windows with alpha as visible even if others cover them.
bool is_covered(Display* display, ::Window window) {
  if (is_on_other_desktop(display, window)) return true;
  const auto stack = property(display, DefaultRootWindow(display), "_NET_CLIENT_LIST_STACKING", XA_WINDOW);
  auto above = std::ranges::find(stack, window);
  XWindowAttributes attributes{};
  if (above == stack.end() || XGetWindowAttributes(display, window, &attributes) == 0) return false;
  const auto place = place_of(display, window, attributes);
  if (!place) return true;
  Region covered = XCreateRegion();
  for (++above; above != stack.end(); ++above) add_opaque(display, *above, covered);
  const bool inside = XRectInRegion(covered, place->x, place->y, place->width, place->height) == RectangleIn;
  XDestroyRegion(covered);
  return inside;
}

}  // namespace

struct WindowCover::System {
  Display* display = nullptr;
  ::Window window = 0;
  Clock::time_point looked{};
  bool covered = false;
};

WindowCover::WindowCover(GLFWwindow* window) {
  const ::Window id = glfwGetX11Window != nullptr ? glfwGetX11Window(window) : 0;
  Display* display = id != 0 ? XOpenDisplay(nullptr) : nullptr;
  if (display != nullptr) system_ = std::make_unique<System>(display, id);
}

WindowCover::~WindowCover() {
  if (system_) XCloseDisplay(system_->display);
}

bool WindowCover::covered() {
  if (!system_ || Clock::now() - system_->looked < kInterval) return system_ && system_->covered;
  system_->looked = Clock::now();
  // Other windows can close at any time.
  XErrorHandler before = XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });
  system_->covered = is_covered(system_->display, system_->window);
  XSetErrorHandler(before);
  return system_->covered;
}

#else

struct WindowCover::System {};
WindowCover::WindowCover(GLFWwindow*) {}
WindowCover::~WindowCover() = default;
bool WindowCover::covered() { return false; }

#endif

}  // namespace pchr::player
