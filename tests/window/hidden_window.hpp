// SPDX-License-Identifier: MIT
// Ways to hide a window, as a window manager and other programs do.
#pragma once

#include "desktop.hpp"

namespace pchr::test {

void minimize(Desktop& desktop, WindowId window);
void restore(Desktop& desktop, WindowId window);

/// A window above `window` that covers the display.
class Cover {
 public:
  Cover(Desktop& desktop, WindowId window);
  Cover(const Cover&) = delete;
  Cover& operator=(const Cover&) = delete;
  ~Cover();

 private:
  Desktop& desktop_;
  WindowId window_;
};

}  // namespace pchr::test
