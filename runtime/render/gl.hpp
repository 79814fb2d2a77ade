// SPDX-License-Identifier: MIT
// The OpenGL functions of one context.
#pragma once

#include <pchr/renderer.hpp>

#include <glad/gl.h>

#include <bit>
#include <utility>

namespace pchr {

/// Functions and version of one context, shared by the owners of GL objects. The versions of desktop OpenGL are all 0
/// on OpenGL ES.
struct Gl : GladGLContext {
  bool is_es = false;
  /// Whether GL_FRAMEBUFFER_SRGB exists. Without it, sRGB framebuffers always encode.
  bool has_srgb_switch = true;
  /// Whether this is Mesa's software renderer, which compiles programs for 0.1 s before it makes its first mipmaps.
  bool is_llvmpipe = false;
  ProgramCache program_cache{};
};

/// Loads the functions of the current context. Fails below OpenGL 3.3 and OpenGL ES 3.0.
/// @{
[[nodiscard]] Expected<std::shared_ptr<Gl>, RenderError> load_gl(GetProcAddress get_proc_address);
[[nodiscard]] Expected<std::shared_ptr<Gl>, RenderError> load_gl(GetProcAddressPointer get_proc_address);
/// @}

[[nodiscard]] inline GLint get_integer(const Gl& gl, GLenum name) {
  GLint value = 0;
  gl.GetIntegerv(name, &value);
  return value;
}

[[nodiscard]] inline GLuint get_name(const Gl& gl, GLenum binding) {
  return static_cast<GLuint>(get_integer(gl, binding));
}

[[nodiscard]] inline const void* buffer_offset(std::size_t bytes) { return std::bit_cast<const void*>(bytes); }

[[nodiscard]] inline Unexpected<RenderError> fail(std::string message) {
  return Unexpected(RenderError{std::move(message)});
}

inline void set_enabled(const Gl& gl, GLenum capability, bool enabled) {
  enabled ? gl.Enable(capability) : gl.Disable(capability);
}

}  // namespace pchr
