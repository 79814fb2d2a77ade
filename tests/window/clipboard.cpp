// SPDX-License-Identifier: MIT
// What other programs get from the clipboard.
#include "clipboard.hpp"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace pchr::test {

std::vector<std::byte> read_clipboard(const Desktop& desktop, const char* format) {
  Display* display = desktop.connection();
  const Window window = XCreateSimpleWindow(display, desktop.root(), -10, -10, 1, 1, 0, 0, 0);
  const Atom property = XInternAtom(display, "PCHR_TEST", False);
  XConvertSelection(display, XInternAtom(display, "CLIPBOARD", False), XInternAtom(display, format, False), property,
                    window, CurrentTime);
  XFlush(display);
  XEvent event{};
  std::vector<std::byte> bytes;
  const bool answered =
      eventually([&] { return XCheckTypedWindowEvent(display, window, SelectionNotify, &event) != False; });
  if (answered && event.xselection.property == property) {
    Atom type = 0;
    int bits = 0;
    unsigned long count = 0, left = 0;
    unsigned char* data = nullptr;
    constexpr long kAll = 1L << 24;
    XGetWindowProperty(display, window, property, 0, kAll, False, AnyPropertyType, &type, &bits, &count, &left, &data);
    const auto* begin = reinterpret_cast<const std::byte*>(data);
    if (bits == 8) bytes.assign(begin, begin + count);
    XFree(data);
  }
  XDestroyWindow(display, window);
  return bytes;
}

}  // namespace pchr::test
