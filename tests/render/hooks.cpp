// SPDX-License-Identifier: MIT
// An OpenGL function loader that returns a test's own functions for some names.
#include "hooks.hpp"

#include <utility>

namespace pchr::test {
namespace {

GetProcAddress next_loader = nullptr;
std::map<std::string, Hooks::Function> hooks;

}  // namespace

Hooks::Hooks(GetProcAddress get_proc_address, std::map<std::string, Function> functions) {
  next_loader = get_proc_address;
  hooks = std::move(functions);
}

Hooks::~Hooks() {
  next_loader = nullptr;
  hooks.clear();
}

void (*hooked_get_proc_address(const char* name))() {
  const auto hook = hooks.find(name);
  return hook != hooks.end() ? hook->second : next_loader(name);
}

Hooks::Function claim_3_3(const Gl& gl) {
  static decltype(gl.GetString) get_string;
  get_string = gl.GetString;
  if (gl.is_es) return as_hook(get_string);
  const auto claim = [](GLenum name) -> const GLubyte* {
    return name == GL_VERSION ? reinterpret_cast<const GLubyte*>("3.3 (Core Profile)") : get_string(name);
  };
  return as_hook(+claim);
}

}  // namespace pchr::test
