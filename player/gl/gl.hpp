// SPDX-License-Identifier: MIT
// The player's own OpenGL: one table of functions, and objects that delete themselves.
#pragma once

#include <pchr/renderer.hpp>

#include <glad/gl.h>

#include <expected>
#include <utility>

namespace pchr::player {

/// Loads the functions of the current context. The player has one; what it makes must go before that does.
[[nodiscard]] std::expected<void, RenderError> load_gl(GetProcAddress get_proc_address);
/// Returns the functions that were loaded.
[[nodiscard]] const GladGLContext& gl() noexcept;

/// The number of an OpenGL object, 0 for none.
template <void (*kDelete)(GLuint)>
class GlObject {
 public:
  GlObject() = default;
  explicit GlObject(GLuint name) noexcept : name_(name) {}
  GlObject(GlObject&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlObject() {
    if (name_ != 0) kDelete(name_);
  }
  [[nodiscard]] GLuint get() const noexcept { return name_; }
  [[nodiscard]] explicit operator bool() const noexcept { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

inline void delete_buffer(GLuint name) { gl().DeleteBuffers(1, &name); }
inline void delete_framebuffer(GLuint name) { gl().DeleteFramebuffers(1, &name); }
inline void delete_query(GLuint name) { gl().DeleteQueries(1, &name); }
inline void delete_renderbuffer(GLuint name) { gl().DeleteRenderbuffers(1, &name); }
inline void delete_texture(GLuint name) { gl().DeleteTextures(1, &name); }
inline void delete_vertex_array(GLuint name) { gl().DeleteVertexArrays(1, &name); }
inline void delete_program(GLuint name) { gl().DeleteProgram(name); }

using GlBuffer = GlObject<delete_buffer>;
using GlFramebuffer = GlObject<delete_framebuffer>;
using GlQuery = GlObject<delete_query>;
using GlRenderbuffer = GlObject<delete_renderbuffer>;
using GlTexture = GlObject<delete_texture>;
using GlVertexArray = GlObject<delete_vertex_array>;
using GlProgram = GlObject<delete_program>;

/// Makes one object: `make_gl<GlTexture>(gl().GenTextures)`.
template <class Object>
[[nodiscard]] Object make_gl(void (*generate)(GLsizei, GLuint*)) {
  GLuint name = 0;
  generate(1, &name);
  return Object(name);
}

/// Compiles and links a program; fails where it does not build.
[[nodiscard]] std::expected<GlProgram, RenderError> link_program(const char* vertex_source,
                                                                 const char* fragment_source);
/// Returns the place of a uniform.
[[nodiscard]] GLint uniform(const GlProgram& program, const char* name);
/// Draws one triangle that covers the viewport.
void draw_covering(const GlVertexArray& empty);
/// Blends premultiplied colors over what is there, until end_blending().
void begin_blending();
void end_blending();

}  // namespace pchr::player
