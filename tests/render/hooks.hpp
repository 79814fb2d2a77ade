// SPDX-License-Identifier: MIT
// A loader of OpenGL functions that gives out a test's functions for some names.
#pragma once

#include "render/gl.hpp"

#include <pchr/renderer.hpp>

#include <map>
#include <string>

namespace pchr::test {

/// While it lives, `hooked_get_proc_address` gives `functions` (null where a name has none) and otherwise what
/// `get_proc_address` gives. One at a time.
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

/// A glGetString of a context of exactly OpenGL 3.3, which otherwise says what `gl` says. One at a time.
[[nodiscard]] Hooks::Function claim_3_3(const Gl& gl);

}  // namespace pchr::test
