// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

struct GLFWwindow;

namespace pchr::player {

/// Knows whether other windows, or another desktop, hide a window completely. On systems that do not tell, it is
/// never covered.
class WindowCover {
 public:
  explicit WindowCover(GLFWwindow* window);
  ~WindowCover();
  WindowCover(const WindowCover&) = delete;
  WindowCover& operator=(const WindowCover&) = delete;

  [[nodiscard]] bool covered();

 private:
  struct System;
  std::unique_ptr<System> system_;  ///< Null where nothing is known.
};

}  // namespace pchr::player
