// SPDX-License-Identifier: MIT
#include "gl_program.hpp"

namespace pchr::player {
namespace {

GLuint compile(const GladGLContext& gl, GLenum stage, const char* source) {
  const GLuint shader = gl.CreateShader(stage);
  gl.ShaderSource(shader, 1, &source, nullptr);
  gl.CompileShader(shader);
  return shader;
}

}  // namespace

GLuint link_program(const GladGLContext& gl, const char* vertex_source, const char* fragment_source) {
  const GLuint program = gl.CreateProgram();
  const GLuint vertex = compile(gl, GL_VERTEX_SHADER, vertex_source);
  const GLuint fragment = compile(gl, GL_FRAGMENT_SHADER, fragment_source);
  gl.AttachShader(program, vertex);
  gl.AttachShader(program, fragment);
  gl.LinkProgram(program);
  gl.DeleteShader(vertex);
  gl.DeleteShader(fragment);
  GLint linked = GL_FALSE;
  gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return program;
  gl.DeleteProgram(program);
  return 0;
}

}  // namespace pchr::player
