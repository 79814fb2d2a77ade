// SPDX-License-Identifier: MIT
// A chequered board, drawn by one triangle.
#include "background.hpp"

#include <glad/gl.h>
#include <pchr_shaders.hpp>

#include <utility>

namespace pchr::player {
namespace {

GLuint compile(const GladGLContext& gl, GLenum stage, const char* source) {
  const GLuint shader = gl.CreateShader(stage);
  gl.ShaderSource(shader, 1, &source, nullptr);
  gl.CompileShader(shader);
  return shader;
}

/// As OpenGL counts pixels, from the bottom.
struct Place {
  GLint x, y;
  GLsizei width, height;
};

Place place(Vec2 framebuffer, const Rect& area) {
  const Vec2 size = area.size();
  return {static_cast<GLint>(area.min.x), static_cast<GLint>(framebuffer.y - area.max.y), static_cast<GLsizei>(size.x),
          static_cast<GLsizei>(size.y)};
}

}  // namespace

struct BackgroundPainter::Resources {
  GladGLContext gl{};
  GLuint program = 0;
  GLuint vertex_array = 0;

  ~Resources() {
    gl.DeleteProgram(program);
    gl.DeleteVertexArrays(1, &vertex_array);
  }
};

std::expected<BackgroundPainter, RenderError> BackgroundPainter::create(GetProcAddress get_proc_address) {
  GladGLContext gl{};
  if (gladLoadGLContext(&gl, get_proc_address) == 0) {
    return std::unexpected(RenderError{"the OpenGL functions cannot be loaded"});
  }
  auto resources = std::make_unique<Resources>();
  resources->gl = gl;
  resources->program = gl.CreateProgram();
  gl.GenVertexArrays(1, &resources->vertex_array);

  const GLuint vertex = compile(gl, GL_VERTEX_SHADER, shaders::background_vert);
  const GLuint fragment = compile(gl, GL_FRAGMENT_SHADER, shaders::background_frag);
  gl.AttachShader(resources->program, vertex);
  gl.AttachShader(resources->program, fragment);
  gl.LinkProgram(resources->program);
  gl.DeleteShader(vertex);
  gl.DeleteShader(fragment);
  GLint linked = GL_FALSE;
  gl.GetProgramiv(resources->program, GL_LINK_STATUS, &linked);
  if (linked == GL_FALSE) return std::unexpected(RenderError{"the background shader does not build here"});
  return BackgroundPainter(std::move(resources));
}

BackgroundPainter::BackgroundPainter(std::unique_ptr<Resources> resources) noexcept
    : resources_(std::move(resources)) {}
BackgroundPainter::BackgroundPainter(BackgroundPainter&&) noexcept = default;
BackgroundPainter& BackgroundPainter::operator=(BackgroundPainter&&) noexcept = default;
BackgroundPainter::~BackgroundPainter() = default;

void BackgroundPainter::draw(Vec2 framebuffer, const Rect& area, const Colour& light, const Colour& dark,
                             float tile_pixels) {
  const GladGLContext& gl = resources_->gl;
  const GLuint program = resources_->program;
  gl.Disable(GL_SCISSOR_TEST);
  gl.Disable(GL_BLEND);
  const auto [x, y, width, height] = place(framebuffer, area);
  gl.Viewport(x, y, width, height);
  gl.UseProgram(program);
  gl.Uniform3fv(gl.GetUniformLocation(program, "light"), 1, light.data());
  gl.Uniform3fv(gl.GetUniformLocation(program, "dark"), 1, dark.data());
  gl.Uniform2f(gl.GetUniformLocation(program, "origin"), area.min.x, framebuffer.y - area.min.y);
  gl.Uniform1f(gl.GetUniformLocation(program, "tile"), tile_pixels);
  gl.BindVertexArray(resources_->vertex_array);
  gl.DrawArrays(GL_TRIANGLES, 0, 3);
}

void BackgroundPainter::begin_part(Vec2 framebuffer, const Rect& area, const Rect& shown) {
  const GladGLContext& gl = resources_->gl;
  const Place viewport = place(framebuffer, area);
  const Place scissor = place(framebuffer, shown);
  gl.Viewport(viewport.x, viewport.y, viewport.width, viewport.height);
  gl.Scissor(scissor.x, scissor.y, scissor.width, scissor.height);
  gl.Enable(GL_SCISSOR_TEST);
}

void BackgroundPainter::end_parts() { resources_->gl.Disable(GL_SCISSOR_TEST); }

}  // namespace pchr::player
