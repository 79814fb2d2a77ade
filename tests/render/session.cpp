// SPDX-License-Identifier: MIT
// An OpenGL context for one test that fails on any GL message.
#include "session.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

namespace pchr::test {
namespace {

// Notifications are not errors: some drivers report where they place each buffer.
void GLAD_API_PTR collect(GLenum, GLenum, GLuint, GLenum severity, GLsizei, const GLchar* message,
                          const void* messages) {
  if (severity == GL_DEBUG_SEVERITY_NOTIFICATION) return;
  static_cast<std::vector<std::string>*>(const_cast<void*>(messages))->emplace_back(message);
}

}  // namespace

HeadlessOptions headless_options(bool debug) {
  const char* const api = std::getenv("PCHR_GL");
  const bool is_es = api != nullptr && std::string_view(api) == "es3";
  return {is_es ? GlApi::es : GlApi::desktop, debug};
}

Session::Session() : context_(require_value(HeadlessContext::create(headless_options(true)))) {
  gl = require_value(load_gl(get_proc_address()));
  REQUIRE(gl->KHR_debug != 0);
  gl->Enable(GL_DEBUG_OUTPUT);
  gl->Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  const auto control = gl->is_es ? gl->DebugMessageControlKHR : gl->DebugMessageControl;
  control(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_TRUE);
  set_debug_callback(collect);
}

Session::~Session() {
  make_current();
  CHECK(gl->GetError() == GL_NO_ERROR);
  CHECK(messages_ == std::vector<std::string>{});
  set_debug_callback(nullptr);
}

void Session::set_debug_callback(GLDEBUGPROC callback) {
  (gl->is_es ? gl->DebugMessageCallbackKHR : gl->DebugMessageCallback)(callback, &messages_);
}

void Session::make_current() { REQUIRE(context_->make_current()); }

std::vector<std::string> Session::take_messages() { return std::exchange(messages_, {}); }

Renderer Session::renderer(const RendererOptions& options) const {
  return require_value(Renderer::create(get_proc_address(), options));
}

}  // namespace pchr::test
