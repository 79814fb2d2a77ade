// SPDX-License-Identifier: MIT
// An OpenGL function loader that returns a test's own functions for some names.
#pragma once

#include "render/gl.hpp"

#include <pchr/renderer.hpp>

#include <map>
#include <string>

namespace pchr::test {

/// During its lifetime, `hooked_get_proc_address` returns `functions` by name (which can be null), and otherwise calls
/// `get_proc_address`. Only one can exist at a time.
class Hooks {
 public:
  using Function = void (*)();
  Hooks(GetProcAddress get_proc_address, std::map<std::string, Function> functions);
  Hooks(const Hooks&) = delete;
  Hooks& operator=(const Hooks&) = delete;
  ~Hooks();
};

void (*hooked_get_proc_address(const char* name))();

template <typename Function>
Hooks::Function as_hook(Function* function) {
  return reinterpret_cast<Hooks::Function>(function);
}

/// Returns a glGetString that reports exactly OpenGL 3.3 and otherwise forwards to `gl`. Only one can be in use at a
/// time.
[[nodiscard]] Hooks::Function claim_3_3(const Gl& gl);

}  // namespace pchr::test
