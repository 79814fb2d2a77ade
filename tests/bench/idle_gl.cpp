// SPDX-License-Identifier: MIT
// An OpenGL that does nothing.
#include "idle_gl.hpp"

#include <glad/gl.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string_view>

namespace pchr::bench {
namespace {

GLuint next_name = 1;
std::map<GLenum, GLuint> bound;
std::map<GLuint, std::unique_ptr<std::byte[]>> memory;

// Named like the software renderer, so that work which only that needs is counted.
const GLubyte* GLAD_API_PTR get_string(GLenum name) {
  return reinterpret_cast<const GLubyte*>(name == GL_RENDERER ? "llvmpipe, idle" : "4.5 (Core Profile) idle");
}

const GLubyte* GLAD_API_PTR get_extension(GLenum, GLuint) { return reinterpret_cast<const GLubyte*>("GL_PCHR_idle"); }

void GLAD_API_PTR get_integer(GLenum name, GLint* value) {
  switch (name) {
    case GL_MAX_TEXTURE_SIZE:
      *value = 16384;
      break;
    case GL_MAX_TEXTURE_BUFFER_SIZE:
      *value = 1 << 27;
      break;
    case GL_NUM_EXTENSIONS:
      *value = 1;  // The loader treats 0 as a failure.
      break;
    default:
      *value = 0;
  }
}

void GLAD_API_PTR get_status(GLuint, GLenum, GLint* value) { *value = GL_TRUE; }
GLuint GLAD_API_PTR create(GLenum) { return next_name++; }
void GLAD_API_PTR generate(GLsizei count, GLuint* names) {
  for (GLsizei i = 0; i < count; ++i) names[i] = next_name++;
}
void GLAD_API_PTR bind_buffer(GLenum target, GLuint name) { bound[target] = name; }
void GLAD_API_PTR buffer_data(GLenum target, GLsizeiptr bytes, const void*, GLenum) {
  memory[bound[target]] = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
}
void GLAD_API_PTR buffer_storage(GLenum target, GLsizeiptr bytes, const void*, GLbitfield) {
  memory[bound[target]] = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
}
void* GLAD_API_PTR map(GLenum target, GLintptr offset, GLsizeiptr, GLbitfield) {
  return memory[bound[target]].get() + offset;
}
GLboolean GLAD_API_PTR unmap(GLenum) { return GL_TRUE; }
void GLAD_API_PTR delete_buffers(GLsizei count, const GLuint* names) {
  for (GLsizei i = 0; i < count; ++i) memory.erase(names[i]);
}
GLsync GLAD_API_PTR fence(GLenum, GLbitfield) {
  static int any = 0;
  return reinterpret_cast<GLsync>(&any);
}
GLenum GLAD_API_PTR wait(GLsync, GLbitfield, GLuint64) { return GL_ALREADY_SIGNALED; }
void nothing() {}

template <typename Function>
void (*as_plain(Function* function))() {
  return reinterpret_cast<void (*)()>(function);
}

}  // namespace

void (*idle_get_proc_address(const char* name))() {
  static const std::map<std::string_view, void (*)()> functions{
      {"glGetString", as_plain(get_string)},         {"glGetStringi", as_plain(get_extension)},
      {"glGetIntegerv", as_plain(get_integer)},      {"glGetShaderiv", as_plain(get_status)},
      {"glGetProgramiv", as_plain(get_status)},      {"glCreateShader", as_plain(create)},
      {"glCreateProgram", as_plain(create)},         {"glGenBuffers", as_plain(generate)},
      {"glGenTextures", as_plain(generate)},         {"glGenSamplers", as_plain(generate)},
      {"glGenVertexArrays", as_plain(generate)},     {"glBindBuffer", as_plain(bind_buffer)},
      {"glBufferData", as_plain(buffer_data)},       {"glBufferStorage", as_plain(buffer_storage)},
      {"glMapBufferRange", as_plain(map)},           {"glUnmapBuffer", as_plain(unmap)},
      {"glDeleteBuffers", as_plain(delete_buffers)}, {"glFenceSync", as_plain(fence)},
      {"glClientWaitSync", as_plain(wait)},
  };
  const auto found = functions.find(name);
  return found != functions.end() ? found->second : nothing;
}

}  // namespace pchr::bench
