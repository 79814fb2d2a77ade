// SPDX-License-Identifier: MIT
// An OpenGL context for one test that fails on any GL message.
#pragma once

#include "render/gl.hpp"
#include "support/catch.hpp"

#include <pchr/offscreen.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pchr::test {

/// Returns options for the kind of context that the tests run on: OpenGL ES if the environment has PCHR_GL=es3.
[[nodiscard]] HeadlessOptions headless_options(bool debug = false);

/// Makes a debug context current. Collects the driver's messages, and fails the test at the end if there are any.
class Session {
 public:
  Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  void make_current();
  [[nodiscard]] GetProcAddress get_proc_address() const { return context_->get_proc_address(); }
  [[nodiscard]] std::string description() const { return context_->description(); }
  /// Returns the messages so far and forgets them.
  std::vector<std::string> take_messages();
  /// Creates a renderer on this context.
  [[nodiscard]] Renderer renderer(const RendererOptions& options = {}) const;

  std::shared_ptr<const Gl> gl;

 private:
  void set_debug_callback(GLDEBUGPROC callback);

  std::optional<HeadlessContext> context_;
  std::vector<std::string> messages_;
};

/// Returns the value of `expected`, or fails the test with its error message.
template <typename T>
T require_value(Expected<T, RenderError> expected) {
  if (!expected) FAIL(expected.error().message);
  return std::move(*expected);
}
template <typename T>
T require_value(Expected<T, Diagnostic> expected) {
  if (!expected) FAIL(describe(expected.error(), "the file"));
  return std::move(*expected);
}

}  // namespace pchr::test
