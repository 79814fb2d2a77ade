// SPDX-License-Identifier: MIT
// An OpenGL context for one test that fails on any GL message.
#include "session.hpp"

#include <utility>

namespace pchr::test {
namespace {

// Notifications are not errors: some drivers report where they place each buffer.
void GLAD_API_PTR collect(GLenum, GLenum, GLuint, GLenum severity, GLsizei, const GLchar* message,
                          const void* messages) {
  if (severity == GL_DEBUG_SEVERITY_NOTIFICATION) return;
  static_cast<std::vector<std::string>*>(const_cast<void*>(messages))->emplace_back(message);
}

template <typename Function>
Function egl_function(GetProcAddress get_proc_address, const char* name) {
  const auto function = reinterpret_cast<Function>(get_proc_address(name));
  REQUIRE(function != nullptr);
  return function;
}

}  // namespace

Session::Session() : context_(require_value(HeadlessContext::create(true))) {
  gl = require_value(load_gl(get_proc_address()));
  egl_display_ = egl_function<void* (*)()>(get_proc_address(), "eglGetCurrentDisplay")();
  egl_context_ = egl_function<void* (*)()>(get_proc_address(), "eglGetCurrentContext")();
  REQUIRE(gl->KHR_debug != 0);
  gl->Enable(GL_DEBUG_OUTPUT);
  gl->Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  gl->DebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_TRUE);
  gl->DebugMessageCallback(collect, &messages_);
}

Session::~Session() {
  make_current();
  CHECK(gl->GetError() == GL_NO_ERROR);
  CHECK(messages_ == std::vector<std::string>{});
  gl->DebugMessageCallback(nullptr, nullptr);
}

void Session::make_current() {
  const auto make = egl_function<unsigned (*)(void*, void*, void*, void*)>(get_proc_address(), "eglMakeCurrent");
  REQUIRE(make(egl_display_, nullptr, nullptr, egl_context_) == 1);
}

std::vector<std::string> Session::take_messages() { return std::exchange(messages_, {}); }

Renderer Session::renderer() const { return require_value(Renderer::create(get_proc_address())); }

}  // namespace pchr::test
