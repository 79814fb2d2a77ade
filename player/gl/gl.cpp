// SPDX-License-Identifier: MIT
#include "gl/gl.hpp"

namespace pchr::player {
namespace {

GladGLContext functions{};

GLuint compile(GLenum stage, const char* source) {
  const GLuint shader = gl().CreateShader(stage);
  gl().ShaderSource(shader, 1, &source, nullptr);
  gl().CompileShader(shader);
  return shader;
}

}  // namespace

Expected<void, RenderError> load_gl(GetProcAddress get_proc_address) {
  if (gladLoadGLContext(&functions, get_proc_address) != 0) return {};
  return Unexpected(RenderError{"cannot load the OpenGL functions"});
}

const GladGLContext& gl() noexcept { return functions; }

Expected<void, RenderError> link_programs(std::initializer_list<ProgramSource> sources) {
  for (const auto& [program, vertex, fragment] : sources) {
    program = GlProgram(gl().CreateProgram());
    const GLuint shaders[] = {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)};
    for (const GLuint shader : shaders) gl().AttachShader(program.get(), shader);
    gl().LinkProgram(program.get());
    for (const GLuint shader : shaders) gl().DeleteShader(shader);
    GLint linked = GL_FALSE;
    gl().GetProgramiv(program.get(), GL_LINK_STATUS, &linked);
    if (linked != GL_TRUE) return Unexpected(RenderError{"cannot build the player's shaders"});
  }
  return {};
}

void draw_covering(const GlVertexArray& empty) {
  gl().BindVertexArray(empty.get());
  gl().DrawArrays(GL_TRIANGLES, 0, 3);
}

void begin_blending() {
  gl().Enable(GL_BLEND);
  gl().BlendEquation(GL_FUNC_ADD);
  gl().BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

}  // namespace pchr::player
