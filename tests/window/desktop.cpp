// SPDX-License-Identifier: MIT
// Implementation with Xvfb, Xlib and the XTest extension.
#include "desktop.hpp"

#include "support/files.hpp"
#include "support/png.hpp"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <stdexcept>

namespace pchr::test {
namespace {

/// Reads the display number that Xvfb chose.
std::string read_display(int descriptor) {
  std::string number;
  char character = 0;
  while (read(descriptor, &character, 1) == 1 && character != '\n') number += character;
  return ":" + number;
}

/// A missing window must fail its own test, not all following ones.
int print_error(Display* display, XErrorEvent* event) {
  std::array<char, 128> text{};
  XGetErrorText(display, event->error_code, text.data(), static_cast<int>(text.size()));
  std::fprintf(stderr, "X error: %s, in request %d\n", text.data(), static_cast<int>(event->request_code));
  return 0;
}

struct PixelRange {
  int left, top, right, bottom;
};

PixelRange within(const Screenshot& screenshot, const Rect& area) {
  return {std::max(0, static_cast<int>(std::ceil(area.min.x))), std::max(0, static_cast<int>(std::ceil(area.min.y))),
          std::min(screenshot.width, static_cast<int>(area.max.x)),
          std::min(screenshot.height, static_cast<int>(area.max.y))};
}

const std::uint8_t* pixel(const Screenshot& screenshot, int x, int y) {
  return &screenshot.rgb[(static_cast<std::size_t>(y) * screenshot.width + x) * 3];
}

}  // namespace

std::size_t difference(const Screenshot& a, const Screenshot& b, const Rect& area) {
  constexpr int kVisible = 8;
  const PixelRange range = within(a, area);
  std::size_t count = 0;
  for (int y = range.top; y < range.bottom; ++y) {
    const auto row_bytes = static_cast<std::size_t>(std::max(0, range.right - range.left)) * 3;
    if (std::memcmp(pixel(a, range.left, y), pixel(b, range.left, y), row_bytes) == 0) continue;
    for (int x = range.left; x < range.right; ++x) {
      const std::uint8_t* p = pixel(a, x, y);
      const std::uint8_t* q = pixel(b, x, y);
      if (std::abs(p[0] - q[0]) > kVisible || std::abs(p[1] - q[1]) > kVisible || std::abs(p[2] - q[2]) > kVisible) {
        ++count;
      }
    }
  }
  return count;
}

std::size_t color_count(const Screenshot& screenshot, const Rect& area) {
  const PixelRange range = within(screenshot, area);
  std::set<std::uint32_t> colors;
  for (int y = range.top; y < range.bottom; ++y) {
    for (int x = range.left; x < range.right; ++x) {
      const std::uint8_t* p = pixel(screenshot, x, y);
      colors.insert(static_cast<std::uint32_t>(p[0] << 16 | p[1] << 8 | p[2]));
    }
  }
  return colors.size();
}

Desktop::Desktop(int width, int height, int dots_per_inch) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const std::string screen = std::to_string(width) + "x" + std::to_string(height) + "x24";
  server_ = std::make_unique<ChildProcess>(
      std::vector<std::string>{PCHR_XVFB_PROGRAM, "-displayfd", "3", "-screen", "0", screen, "-noreset", "-nolisten",
                               "tcp", "+extension", "GLX"},
      std::vector<Variable>{}, output("window/xvfb.log"), Inherited{ends[1]});
  close(ends[1]);
  name_ = read_display(ends[0]);
  close(ends[0]);
  connect();
  const std::string resources = "Xft.dpi:\t" + std::to_string(dots_per_inch) + "\n";
  XChangeProperty(connection_, root(), XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                  reinterpret_cast<const unsigned char*>(resources.data()), static_cast<int>(resources.size()));
  XSync(connection_, False);
}

Desktop::Desktop(const std::string& name) : name_(name) { connect(); }

void Desktop::connect() {
  XSetErrorHandler(print_error);
  connection_ = XOpenDisplay(name_.c_str());
  if (connection_ == nullptr) throw std::runtime_error("cannot connect to Xvfb at " + name_);
  // A key stays down until a frame has seen it, however long that takes.
  XAutoRepeatOff(connection_);
  XSync(connection_, False);
}

Desktop::~Desktop() {
  if (connection_ != nullptr) XCloseDisplay(connection_);
}

WindowId Desktop::root() const { return DefaultRootWindow(connection_); }

WindowId Desktop::find_window(const std::string& text) const {
  Window root_window = 0;
  Window parent = 0;
  Window* children = nullptr;
  unsigned count = 0;
  if (XQueryTree(connection_, root(), &root_window, &parent, &children, &count) == 0) return 0;
  WindowId found = 0;
  for (unsigned i = 0; i < count; ++i) {
    XWindowAttributes attributes{};
    XGetWindowAttributes(connection_, children[i], &attributes);
    if (attributes.map_state == IsViewable && title(children[i]).find(text) != std::string::npos) found = children[i];
  }
  if (children != nullptr) XFree(children);
  return found;
}

std::string Desktop::title(WindowId window) const {
  const Atom name = XInternAtom(connection_, "_NET_WM_NAME", False);
  const Atom utf8 = XInternAtom(connection_, "UTF8_STRING", False);
  Atom type = 0;
  int format = 0;
  unsigned long count = 0;
  unsigned long rest = 0;
  unsigned char* data = nullptr;
  XGetWindowProperty(connection_, window, name, 0, 1024, False, utf8, &type, &format, &count, &rest, &data);
  std::string text;
  if (data != nullptr) {
    text.assign(reinterpret_cast<char*>(data), count);
    XFree(data);
  }
  return text;
}

Vec2 Desktop::size(WindowId window) const {
  XWindowAttributes attributes{};
  XGetWindowAttributes(connection_, window, &attributes);
  return {static_cast<float>(attributes.width), static_cast<float>(attributes.height)};
}

void Desktop::resize(WindowId window, int width, int height) {
  XResizeWindow(connection_, window, static_cast<unsigned>(width), static_cast<unsigned>(height));
  XSync(connection_, False);
}

void Desktop::focus(WindowId window) {
  XSetInputFocus(connection_, window, RevertToPointerRoot, CurrentTime);
  XSync(connection_, False);
}

void Desktop::deliver() const {
  // The server replies and delivers in rounds: the second reply follows everything that the first round delivered.
  XSync(connection_, False);
  XSync(connection_, False);
}

void Desktop::sent() const {
  deliver();
  if (after_input) return after_input();
  // GLFW merges two presses of a key within one millisecond.
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void Desktop::hold_key(const std::string& name) {
  XTestFakeKeyEvent(connection_, XKeysymToKeycode(connection_, XStringToKeysym(name.c_str())), True, CurrentTime);
  sent();
}

void Desktop::release_key(const std::string& name) {
  XTestFakeKeyEvent(connection_, XKeysymToKeycode(connection_, XStringToKeysym(name.c_str())), False, CurrentTime);
  sent();
}

void Desktop::key(const std::string& name, const std::string& held) {
  if (!held.empty()) hold_key(held);
  // Together: on a busy machine, a key that is held until the next call could repeat.
  const KeyCode code = XKeysymToKeycode(connection_, XStringToKeysym(name.c_str()));
  for (const int is_press : {True, False}) XTestFakeKeyEvent(connection_, code, is_press, CurrentTime);
  sent();
  if (!held.empty()) release_key(held);
}

void Desktop::move(Vec2 to) {
  XTestFakeMotionEvent(connection_, -1, static_cast<int>(to.x), static_cast<int>(to.y), CurrentTime);
  sent();
}

void Desktop::press(unsigned button) {
  XTestFakeButtonEvent(connection_, button, True, CurrentTime);
  sent();
}

void Desktop::release(unsigned button) {
  XTestFakeButtonEvent(connection_, button, False, CurrentTime);
  sent();
}

void Desktop::click(Vec2 at) {
  move(at);
  press(1);
  release(1);
}

void Desktop::double_click(Vec2 at) {
  move(at);
  // Together: on a busy machine, a second click by another call could come too late.
  for (const int is_press : {True, False, True, False}) XTestFakeButtonEvent(connection_, 1, is_press, CurrentTime);
  sent();
}

void Desktop::wheel(bool up) {
  press(up ? 4 : 5);
  release(up ? 4 : 5);
}

void Desktop::drag(Vec2 from, Vec2 to, unsigned button) {
  constexpr int kSteps = 10;
  move(from);
  press(button);
  for (int i = 1; i <= kSteps; ++i) move(from + (to - from) * (static_cast<float>(i) / kSteps));
}

Screenshot Desktop::capture() const {
  const int screen = DefaultScreen(connection_);
  Screenshot screenshot{
      .width = DisplayWidth(connection_, screen), .height = DisplayHeight(connection_, screen), .rgb = {}};
  XImage* image = XGetImage(connection_, root(), 0, 0, static_cast<unsigned>(screenshot.width),
                            static_cast<unsigned>(screenshot.height), AllPlanes, ZPixmap);
  if (image == nullptr) throw std::runtime_error("cannot capture the display");
  screenshot.rgb.resize(static_cast<std::size_t>(screenshot.width) * screenshot.height * 3);
  std::uint8_t* rgb = screenshot.rgb.data();
  for (int y = 0; y < screenshot.height; ++y) {
    const auto* row =
        reinterpret_cast<const std::uint8_t*>(image->data) + static_cast<std::ptrdiff_t>(y) * image->bytes_per_line;
    for (int x = 0; x < screenshot.width; ++x, rgb += 3) {
      rgb[0] = row[x * 4 + 2];
      rgb[1] = row[x * 4 + 1];
      rgb[2] = row[x * 4];
    }
  }
  XDestroyImage(image);
  return screenshot;
}

void Desktop::keep_screenshot(const std::string& file_name) const {
  const Screenshot screenshot = capture();
  write_file(output("window/" + file_name), png_of_rgb(static_cast<std::uint32_t>(screenshot.width),
                                                       static_cast<std::uint32_t>(screenshot.height), screenshot.rgb));
}

}  // namespace pchr::test
