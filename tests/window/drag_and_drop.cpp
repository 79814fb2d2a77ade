// SPDX-License-Identifier: MIT
// The source side of the XDND protocol, version 5.
#include "drag_and_drop.hpp"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <array>

namespace pchr::test {
namespace {

struct Source {
  Display* display;
  Window window;
  Window target;

  [[nodiscard]] Atom atom(const char* name) const { return XInternAtom(display, name, False); }

  void send(const char* type, long b, long c, long d, long e) const {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target;
    event.xclient.message_type = atom(type);
    event.xclient.format = 32;
    const std::array<long, 5> values{static_cast<long>(window), b, c, d, e};
    for (std::size_t i = 0; i < values.size(); ++i) event.xclient.data.l[i] = values[i];
    XSendEvent(display, target, False, NoEventMask, &event);
    XFlush(display);
  }

  void answer(const XSelectionRequestEvent& request, const std::string& list) const {
    XChangeProperty(display, request.requestor, request.property, request.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(list.data()), static_cast<int>(list.size()));
    XEvent event{};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request.requestor;
    event.xselection.selection = request.selection;
    event.xselection.target = request.target;
    event.xselection.property = request.property;
    event.xselection.time = request.time;
    XSendEvent(display, request.requestor, False, NoEventMask, &event);
    XFlush(display);
  }

  /// Handles events until the target sends the message `type`. Returns whether the target accepts.
  [[nodiscard]] bool await(const char* type, const std::string& list) const {
    bool agreed = false;
    return eventually([&] {
             while (XPending(display) > 0) {
               XEvent event{};
               XNextEvent(display, &event);
               if (event.type == SelectionRequest) answer(event.xselectionrequest, list);
               if (event.type != ClientMessage || event.xclient.message_type != atom(type)) continue;
               // By the protocol only the lowest bit counts, but GLFW sends the length of the data.
               agreed = event.xclient.data.l[1] != 0;
               return true;
             }
             return false;
           }) &&
           agreed;
  }
};

}  // namespace

bool drop_file(Desktop& desktop, WindowId window, Vec2 at, const std::filesystem::path& file) {
  Display* display = desktop.connection();
  const Source source{display, XCreateSimpleWindow(display, desktop.root(), -10, -10, 1, 1, 0, 0, 0), window};
  const Atom uri_list = source.atom("text/uri-list");
  const std::string list = "file://" + file.string() + "\r\n";
  XSetSelectionOwner(display, source.atom("XdndSelection"), source.window, CurrentTime);

  constexpr long kVersion = 5L << 24;
  const long position = (static_cast<long>(at.x) << 16) | static_cast<long>(at.y);
  source.send("XdndEnter", kVersion, static_cast<long>(uri_list), 0, 0);
  source.send("XdndPosition", 0, position, CurrentTime, static_cast<long>(source.atom("XdndActionCopy")));
  bool dropped = source.await("XdndStatus", list);
  if (dropped) {
    source.send("XdndDrop", 0, CurrentTime, 0, 0);
    dropped = source.await("XdndFinished", list);
  }
  XDestroyWindow(display, source.window);
  return dropped;
}

}  // namespace pchr::test
