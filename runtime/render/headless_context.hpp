// SPDX-License-Identifier: MIT
// What HeadlessContext shares between systems. Each system has its own headless_context_*.cpp.
#pragma once

#include "character/format.hpp"
#include "render/gl.hpp"

#include <pchr/offscreen.hpp>

namespace pchr {

/// Returns what is asked for, as errors call it.
[[nodiscard]] inline const char* name_of(GlApi api) { return api == GlApi::es ? "OpenGL ES 3.0" : "OpenGL 3.3"; }

/// Returns the error that no context could be created.
[[nodiscard]] inline Unexpected<RenderError> fail_without_context(GlApi api, std::string_view reasons,
                                                                  std::string_view hint) {
  return fail(format_text("cannot create an {} context without a window ({}); {}", name_of(api), reasons, hint));
}

/// Returns renderer and version of the current context.
[[nodiscard]] inline Expected<std::string, RenderError> describe_context(GetProcAddress get_proc_address) {
  const auto get_string = reinterpret_cast<PFNGLGETSTRINGPROC>(get_proc_address("glGetString"));
  const auto* renderer = reinterpret_cast<const char*>(get_string != nullptr ? get_string(GL_RENDERER) : nullptr);
  const auto* version = reinterpret_cast<const char*>(get_string != nullptr ? get_string(GL_VERSION) : nullptr);
  if (renderer == nullptr || version == nullptr) return fail("the context reports neither renderer nor version");
  const bool is_es = std::string_view(version).starts_with("OpenGL ES");
  return format_text("{}, {}{}", renderer, is_es ? "" : "OpenGL ", version);
}

}  // namespace pchr
