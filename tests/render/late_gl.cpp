// SPDX-License-Identifier: MIT
// A GPU that never catches up.
#include "late_gl.hpp"

#include <span>
#include <vector>

namespace pchr::test {
namespace {

// Drivers reuse names early, late or never, so these names are not the driver's. Smaller names are: a test's own
// buffers, and the bindings that glGetIntegerv returns.
constexpr GLuint kFirstName = 0x40000000;

const Gl* real_gl = nullptr;
std::map<GLuint, GLuint> real_names;
std::vector<GLuint> free_names;
unsigned reused = 0;

GLuint real_name(GLuint name) {
  if (name < kFirstName) return name;
  const auto found = real_names.find(name);
  return found != real_names.end() ? found->second : name;
}

void GLAD_API_PTR gen_buffers(GLsizei count, GLuint* names) {
  for (GLuint& name : std::span(names, static_cast<std::size_t>(count))) {
    if (free_names.empty()) {
      name = kFirstName + static_cast<GLuint>(real_names.size());
    } else {
      name = free_names.back();
      free_names.pop_back();
      ++reused;
    }
    real_gl->GenBuffers(1, &real_names[name]);
  }
}

void GLAD_API_PTR delete_buffers(GLsizei count, const GLuint* names) {
  for (const GLuint name : std::span(names, static_cast<std::size_t>(count))) {
    const GLuint real = real_name(name);
    real_gl->DeleteBuffers(1, &real);
    if (name >= kFirstName) free_names.push_back(name);
  }
}

GLboolean GLAD_API_PTR is_buffer(GLuint name) { return real_gl->IsBuffer(real_name(name)); }
void GLAD_API_PTR bind_buffer(GLenum target, GLuint name) { real_gl->BindBuffer(target, real_name(name)); }
void GLAD_API_PTR tex_buffer(GLenum target, GLenum format, GLuint name) {
  real_gl->TexBuffer(target, format, real_name(name));
}
GLenum GLAD_API_PTR time_out(GLsync, GLbitfield, GLuint64) { return GL_TIMEOUT_EXPIRED; }

}  // namespace

std::map<std::string, Hooks::Function> late_gl(const Gl& gl) {
  real_gl = &gl;
  real_names.clear();
  free_names.clear();
  reused = 0;
  return {{"glGenBuffers", as_hook(gen_buffers)}, {"glDeleteBuffers", as_hook(delete_buffers)},
          {"glIsBuffer", as_hook(is_buffer)},     {"glBindBuffer", as_hook(bind_buffer)},
          {"glTexBuffer", as_hook(tex_buffer)},   {"glClientWaitSync", as_hook(time_out)}};
}

unsigned reused_names() { return reused; }

}  // namespace pchr::test
