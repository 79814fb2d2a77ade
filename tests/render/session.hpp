// SPDX-License-Identifier: MIT
// An OpenGL context for one test, in which every GL message is a failure.
#pragma once

#include "render/gl.hpp"
#include "support/catch.hpp"

#include <pchr/offscreen.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pchr::test {

/// Makes a debug context current. What the driver has to say is collected, and fails the test at the end.
class Session {
 public:
  Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  void make_current();
  [[nodiscard]] GetProcAddress get_proc_address() const { return context_->get_proc_address(); }
  [[nodiscard]] std::string description() const { return context_->description(); }
  /// The messages so far, which are forgotten.
  std::vector<std::string> take_messages();
  /// A renderer of this context.
  [[nodiscard]] Renderer renderer() const;

  std::shared_ptr<const Gl> gl;

 private:
  std::optional<HeadlessContext> context_;
  void* egl_display_ = nullptr;
  void* egl_context_ = nullptr;
  std::vector<std::string> messages_;
};

/// The value of `expected`; fails the test with its error's message where there is none.
template <typename T>
T require_value(std::expected<T, RenderError> expected) {
  if (!expected) FAIL(expected.error().message);
  return std::move(*expected);
}
template <typename T>
T require_value(std::expected<T, Diagnostic> expected) {
  if (!expected) FAIL(describe(expected.error(), "the file"));
  return std::move(*expected);
}

}  // namespace pchr::test
