// SPDX-License-Identifier: MIT
// A chequered board with a grid, or an image, drawn by one triangle.
#include "background.hpp"

#include "gl_program.hpp"

#include <glad/gl.h>
#include <pchr_shaders.hpp>

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace pchr::player {
namespace {

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

struct LineVertex {
  Vec2 place;  ///< In clip space.
  std::array<float, 4> colour;
};

/// A line as two triangles; nothing where it is seen from its end.
void add_line(const SeenLine& line, Vec2 viewport, std::vector<LineVertex>& out) {
  const Vec2 along = line.to - line.from;
  const float length = glm::length(along);
  if (!(length > 0.0F)) return;
  const Vec2 aside = Vec2{-along.y, along.x} * (line.thickness * 0.5F / length);
  const auto vertex = [&](Vec2 pixel) {
    const Vec2 part = pixel / viewport * 2.0F - Vec2{1.0F};
    return LineVertex{{part.x, -part.y}, line.colour};
  };
  const LineVertex corners[] = {vertex(line.from - aside), vertex(line.from + aside), vertex(line.to - aside),
                                vertex(line.to + aside)};
  for (const std::size_t corner : {0, 1, 2, 2, 1, 3}) out.push_back(corners[corner]);
}

/// Makes ready to fill `area` with `program`.
void cover(const GladGLContext& gl, Vec2 framebuffer, const Rect& area, GLuint program) {
  gl.Disable(GL_SCISSOR_TEST);
  gl.Disable(GL_BLEND);
  const auto [x, y, width, height] = place(framebuffer, area);
  gl.Viewport(x, y, width, height);
  gl.UseProgram(program);
}

}  // namespace

struct BackgroundPainter::Resources {
  GladGLContext gl{};
  GLuint program = 0;
  GLuint image_program = 0;
  GLuint line_program = 0;
  GLuint vertex_array = 0;
  GLuint line_array = 0;
  GLuint line_buffer = 0;
  std::vector<LineVertex> line_vertices{};
  GLuint texture = 0;
  Vec2 image_size{0.0F};  ///< Pixels; 0 where there is none.

  ~Resources() {
    gl.DeleteProgram(program);
    gl.DeleteProgram(image_program);
    gl.DeleteProgram(line_program);
    gl.DeleteBuffers(1, &line_buffer);
    gl.DeleteVertexArrays(1, &line_array);
    gl.DeleteTextures(1, &texture);
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
  gl.GenVertexArrays(1, &resources->vertex_array);
  resources->program = link_program(gl, shaders::background_vert, shaders::background_frag);
  resources->image_program = link_program(gl, shaders::background_vert, shaders::image_frag);
  resources->line_program = link_program(gl, shaders::line_vert, shaders::line_frag);
  gl.GenVertexArrays(1, &resources->line_array);
  gl.GenBuffers(1, &resources->line_buffer);
  gl.BindVertexArray(resources->line_array);
  gl.BindBuffer(GL_ARRAY_BUFFER, resources->line_buffer);
  gl.EnableVertexAttribArray(0);
  gl.EnableVertexAttribArray(1);
  gl.VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(LineVertex), nullptr);
  gl.VertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(LineVertex), reinterpret_cast<const void*>(sizeof(Vec2)));
  if (resources->program == 0 || resources->image_program == 0 || resources->line_program == 0) {
    return std::unexpected(RenderError{"the background shader does not build here"});
  }
  return BackgroundPainter(std::move(resources));
}

BackgroundPainter::BackgroundPainter(std::unique_ptr<Resources> resources) noexcept
    : resources_(std::move(resources)) {}
BackgroundPainter::BackgroundPainter(BackgroundPainter&&) noexcept = default;
BackgroundPainter& BackgroundPainter::operator=(BackgroundPainter&&) noexcept = default;
BackgroundPainter::~BackgroundPainter() = default;

void BackgroundPainter::draw(Vec2 framebuffer, const Rect& area, const Colour& light, const Colour& dark,
                             float tile_pixels, const GridLines& grid) {
  const GladGLContext& gl = resources_->gl;
  const GLuint program = resources_->program;
  cover(gl, framebuffer, area, program);
  gl.Uniform3fv(gl.GetUniformLocation(program, "light"), 1, light.data());
  gl.Uniform3fv(gl.GetUniformLocation(program, "dark"), 1, dark.data());
  gl.Uniform2f(gl.GetUniformLocation(program, "origin"), area.min.x, framebuffer.y - area.min.y);
  gl.Uniform1f(gl.GetUniformLocation(program, "tile"), tile_pixels);
  gl.Uniform1f(gl.GetUniformLocation(program, "minor"), grid.minor);
  gl.Uniform1f(gl.GetUniformLocation(program, "major"), grid.major);
  gl.Uniform2f(gl.GetUniformLocation(program, "phase"), grid.phase.x, grid.phase.y);
  gl.Uniform2f(gl.GetUniformLocation(program, "axes"), grid.origin.x, grid.origin.y);
  gl.Uniform1f(gl.GetUniformLocation(program, "thickness"), grid.thickness);
  gl.BindVertexArray(resources_->vertex_array);
  gl.DrawArrays(GL_TRIANGLES, 0, 3);
}

void BackgroundPainter::draw_lines(std::span<const SeenLine> lines, Vec2 viewport) {
  const GladGLContext& gl = resources_->gl;
  std::vector<LineVertex>& vertices = resources_->line_vertices;
  vertices.clear();
  for (const SeenLine& line : lines) add_line(line, viewport, vertices);
  gl.BindBuffer(GL_ARRAY_BUFFER, resources_->line_buffer);
  gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(LineVertex)), vertices.data(),
                GL_STREAM_DRAW);
  gl.UseProgram(resources_->line_program);
  gl.Enable(GL_BLEND);
  gl.BlendEquation(GL_FUNC_ADD);
  gl.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  gl.BindVertexArray(resources_->line_array);
  gl.DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices.size()));
  gl.Disable(GL_BLEND);
}

void BackgroundPainter::clear() {
  const GladGLContext& gl = resources_->gl;
  constexpr float kNothing[] = {0.0F, 0.0F, 0.0F, 0.0F};
  gl.Disable(GL_SCISSOR_TEST);
  gl.ClearBufferfv(GL_COLOR, 0, kNothing);
}

void BackgroundPainter::make_opaque() {
  const GladGLContext& gl = resources_->gl;
  constexpr float kOpaque[] = {0.0F, 0.0F, 0.0F, 1.0F};
  gl.Disable(GL_SCISSOR_TEST);
  gl.ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  gl.ClearBufferfv(GL_COLOR, 0, kOpaque);
  gl.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

bool BackgroundPainter::set_image(const Bitmap& premultiplied) {
  const GladGLContext& gl = resources_->gl;
  GLint largest = 0;
  gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const auto width = static_cast<GLsizei>(premultiplied.width);
  const auto height = static_cast<GLsizei>(premultiplied.height);
  resources_->image_size = Vec2{0.0F};
  if (std::max(width, height) > largest) return false;
  if (resources_->texture == 0) gl.GenTextures(1, &resources_->texture);
  gl.ActiveTexture(GL_TEXTURE0);
  gl.BindTexture(GL_TEXTURE_2D, resources_->texture);
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, premultiplied.rgba.data());
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl.GenerateMipmap(GL_TEXTURE_2D);
  resources_->image_size = Vec2{premultiplied.width, premultiplied.height};
  return true;
}

bool BackgroundPainter::has_image() const noexcept { return resources_->image_size.x > 0.0F; }

void BackgroundPainter::draw_image(Vec2 framebuffer, const Rect& area, const Colour& behind, float tile_scale) {
  const GladGLContext& gl = resources_->gl;
  const GLuint program = resources_->image_program;
  const Vec2 ratio = area.size() / resources_->image_size;
  const bool tiled = tile_scale > 0.0F;
  const Vec2 size = resources_->image_size * (tiled ? tile_scale : std::max(ratio.x, ratio.y));
  const Vec2 corner = tiled ? area.min : area.centre() - size * 0.5F;
  cover(gl, framebuffer, area, program);
  gl.ActiveTexture(GL_TEXTURE0);
  gl.BindTexture(GL_TEXTURE_2D, resources_->texture);
  gl.BindSampler(0, 0);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    gl.TexParameteri(GL_TEXTURE_2D, axis, tiled ? GL_REPEAT : GL_CLAMP_TO_EDGE);
  }
  gl.Uniform1i(gl.GetUniformLocation(program, "image"), 0);
  gl.Uniform3fv(gl.GetUniformLocation(program, "behind"), 1, behind.data());
  gl.Uniform2f(gl.GetUniformLocation(program, "corner"), corner.x, framebuffer.y - corner.y);
  gl.Uniform2f(gl.GetUniformLocation(program, "size"), size.x, size.y);
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
