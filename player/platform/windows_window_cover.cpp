// SPDX-License-Identifier: MIT
#include "platform/window_cover.hpp"

#include <windows.h>

#include <dwmapi.h>

#define GLFW_EXPOSE_NATIVE_WIN32
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>

namespace pchr::player {

struct WindowCover::System {
  HWND window = nullptr;
};

WindowCover::WindowCover(GLFWwindow* window) : system_(new System{glfwGetWin32Window(window)}) {}
WindowCover::~WindowCover() = default;

bool WindowCover::covered() {
  // Cloaked: on another virtual desktop.
  DWORD cloaked = 0;
  const HRESULT known = DwmGetWindowAttribute(system_->window, DWMWA_CLOAKED, &cloaked, sizeof(cloaked));
  return SUCCEEDED(known) && cloaked != 0;
}

}  // namespace pchr::player
