// SPDX-License-Identifier: MIT
// A GPU that never catches up.
#include "late_gl.hpp"

#include <span>
#include <vector>

namespace pchr::test {
namespace {

// Drivers reuse names early, late or never, so these names are not the driver's. Smaller names are: a test's own
// objects, and the bindings that glGetIntegerv returns.
constexpr GLuint kFirstName = 0x40000000;

const Gl* real_gl = nullptr;
unsigned reused = 0;

/// Names of buffers or textures.
struct Names {
  std::map<GLuint, GLuint> real;
  std::vector<GLuint> free;

  [[nodiscard]] GLuint real_name(GLuint name) const {
    const auto found = real.find(name);
    return name < kFirstName || found == real.end() ? name : found->second;
  }
  void generate(GLsizei count, GLuint* names, const auto& gen) {
    for (GLuint& name : std::span(names, static_cast<std::size_t>(count))) {
      if (free.empty()) {
        name = kFirstName + static_cast<GLuint>(real.size());
      } else {
        name = free.back();
        free.pop_back();
        ++reused;
      }
      gen(1, &real[name]);
    }
  }
  void remove(GLsizei count, const GLuint* names, const auto& remove_real) {
    for (const GLuint name : std::span(names, static_cast<std::size_t>(count))) {
      const GLuint found = real_name(name);
      remove_real(1, &found);
      if (name >= kFirstName) free.push_back(name);
    }
  }
};
Names buffers, textures;

void GLAD_API_PTR gen_buffers(GLsizei count, GLuint* names) { buffers.generate(count, names, real_gl->GenBuffers); }
void GLAD_API_PTR delete_buffers(GLsizei count, const GLuint* names) {
  buffers.remove(count, names, real_gl->DeleteBuffers);
}
GLboolean GLAD_API_PTR is_buffer(GLuint name) { return real_gl->IsBuffer(buffers.real_name(name)); }
void GLAD_API_PTR bind_buffer(GLenum target, GLuint name) { real_gl->BindBuffer(target, buffers.real_name(name)); }
void GLAD_API_PTR tex_buffer(GLenum target, GLenum format, GLuint name) {
  real_gl->TexBuffer(target, format, buffers.real_name(name));
}
void GLAD_API_PTR gen_textures(GLsizei count, GLuint* names) { textures.generate(count, names, real_gl->GenTextures); }
void GLAD_API_PTR delete_textures(GLsizei count, const GLuint* names) {
  textures.remove(count, names, real_gl->DeleteTextures);
}
void GLAD_API_PTR bind_texture(GLenum target, GLuint name) { real_gl->BindTexture(target, textures.real_name(name)); }
GLenum GLAD_API_PTR time_out(GLsync, GLbitfield, GLuint64) { return GL_TIMEOUT_EXPIRED; }

}  // namespace

std::map<std::string, Hooks::Function> late_gl(const Gl& gl) {
  real_gl = &gl;
  buffers = {};
  textures = {};
  reused = 0;
  return {{"glGenBuffers", as_hook(gen_buffers)},
          {"glDeleteBuffers", as_hook(delete_buffers)},
          {"glIsBuffer", as_hook(is_buffer)},
          {"glBindBuffer", as_hook(bind_buffer)},
          {"glTexBuffer", as_hook(tex_buffer)},
          {"glGenTextures", as_hook(gen_textures)},
          {"glDeleteTextures", as_hook(delete_textures)},
          {"glBindTexture", as_hook(bind_texture)},
          {"glClientWaitSync", as_hook(time_out)}};
}

unsigned reused_names() { return reused; }

}  // namespace pchr::test
