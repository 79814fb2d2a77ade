// SPDX-License-Identifier: MIT
#include "gl/background_painter.hpp"

#include <glm/geometric.hpp>
#include <pchr_shaders.hpp>

#include <algorithm>

namespace pchr::player {
namespace {

/// Calls `set` (glViewport or glScissor) with `area`, converted to y up.
void set_area(PFNGLVIEWPORTPROC set, Vec2 framebuffer, const Rect& area) {
  const glm::ivec2 size(area.size());
  set(static_cast<GLint>(area.min.x), static_cast<GLint>(framebuffer.y - area.max.y), size.x, size.y);
}

struct LineVertex {
  Vec2 place;  ///< In clip space.
  std::array<float, 4> color;
};

/// Adds a line as two triangles; adds nothing if it is viewed end-on.
void add_line(const SeenLine& line, Vec2 viewport, std::vector<LineVertex>& out) {
  const Vec2 along = line.to - line.from;
  const float length = glm::length(along);
  if (!(length > 0.0F)) return;
  const Vec2 aside = Vec2{-along.y, along.x} * (line.thickness * 0.5F / length);
  const auto vertex = [&](Vec2 pixel) {
    const Vec2 part = pixel / viewport * 2.0F - Vec2{1.0F};
    return LineVertex{{part.x, -part.y}, line.color};
  };
  const LineVertex corners[] = {vertex(line.from - aside), vertex(line.from + aside), vertex(line.to - aside),
                                vertex(line.to + aside)};
  for (const std::size_t corner : {0, 1, 2, 2, 1, 3}) out.push_back(corners[corner]);
}

/// Prepares to fill `area` with `program`.
void cover(Vec2 framebuffer, const Rect& area, const GlProgram& program) {
  gl().Disable(GL_BLEND);
  set_area(gl().Viewport, framebuffer, area);
  gl().UseProgram(program.get());
}

}  // namespace

Expected<BackgroundPainter, RenderError> BackgroundPainter::create() {
  BackgroundPainter painter;
  auto linked = link_programs({{painter.checker_, shaders::background_vert, shaders::background_frag},
                               {painter.image_program_, shaders::background_vert, shaders::image_frag},
                               {painter.line_program_, shaders::line_vert, shaders::line_frag}});
  if (!linked) return Unexpected(linked.error());
  gl().BindVertexArray(painter.line_array_.get());
  gl().BindBuffer(GL_ARRAY_BUFFER, painter.line_buffer_.get());
  gl().EnableVertexAttribArray(0);
  gl().EnableVertexAttribArray(1);
  gl().VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(LineVertex), nullptr);
  gl().VertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(LineVertex), reinterpret_cast<const void*>(sizeof(Vec2)));
  return painter;
}

void BackgroundPainter::draw(Vec2 framebuffer, const Rect& area, const Color& light, const Color& dark,
                             float tile_pixels, const GridLines& grid) {
  const GlProgram& program = checker_;
  cover(framebuffer, area, program);
  gl().Uniform3fv(uniform(program, "light"), 1, light.data());
  gl().Uniform3fv(uniform(program, "dark"), 1, dark.data());
  gl().Uniform2f(uniform(program, "origin"), area.min.x, framebuffer.y - area.min.y);
  gl().Uniform1f(uniform(program, "tile"), tile_pixels);
  gl().Uniform1f(uniform(program, "minor"), grid.minor);
  gl().Uniform1f(uniform(program, "major"), grid.major);
  gl().Uniform2f(uniform(program, "phase"), grid.phase.x, grid.phase.y);
  gl().Uniform2f(uniform(program, "axes"), grid.origin.x, grid.origin.y);
  gl().Uniform1f(uniform(program, "thickness"), grid.thickness);
  draw_covering(vertex_array_);
}

void BackgroundPainter::draw_lines(std::span<const SeenLine> lines, Vec2 viewport) {
  std::vector<LineVertex> vertices;
  for (const SeenLine& line : lines) add_line(line, viewport, vertices);
  gl().BindBuffer(GL_ARRAY_BUFFER, line_buffer_.get());
  gl().BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(LineVertex)), vertices.data(),
                  GL_STREAM_DRAW);
  gl().UseProgram(line_program_.get());
  begin_blending();
  gl().BindVertexArray(line_array_.get());
  gl().DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices.size()));
  gl().Disable(GL_BLEND);
}

void BackgroundPainter::clear() {
  constexpr float kNothing[] = {0.0F, 0.0F, 0.0F, 0.0F};
  gl().Disable(GL_SCISSOR_TEST);
  gl().ClearBufferfv(GL_COLOR, 0, kNothing);
}

bool BackgroundPainter::set_image(const Bitmap& premultiplied) {
  GLint largest = 0;
  gl().GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const auto width = static_cast<GLsizei>(premultiplied.width);
  const auto height = static_cast<GLsizei>(premultiplied.height);
  image_size_ = Vec2{0.0F};
  if (std::max(width, height) > largest) return false;
  if (!texture_) texture_ = GlTexture::make();
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindTexture(GL_TEXTURE_2D, texture_.get());
  gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, premultiplied.rgba.data());
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl().GenerateMipmap(GL_TEXTURE_2D);
  image_size_ = Vec2{premultiplied.width, premultiplied.height};
  return true;
}

void BackgroundPainter::draw_image(Vec2 framebuffer, const Rect& area, const Color& behind, float tile_scale) {
  const Vec2 ratio = area.size() / image_size_;
  const bool tiled = tile_scale > 0.0F;
  const Vec2 size = image_size_ * (tiled ? tile_scale : std::max(ratio.x, ratio.y));
  const Vec2 corner = tiled ? area.min : area.center() - size * 0.5F;
  const GlProgram& program = image_program_;
  cover(framebuffer, area, program);
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindTexture(GL_TEXTURE_2D, texture_.get());
  gl().BindSampler(0, 0);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    gl().TexParameteri(GL_TEXTURE_2D, axis, tiled ? GL_REPEAT : GL_CLAMP_TO_EDGE);
  }
  gl().Uniform1i(uniform(program, "image"), 0);
  gl().Uniform3fv(uniform(program, "behind"), 1, behind.data());
  gl().Uniform2f(uniform(program, "corner"), corner.x, framebuffer.y - corner.y);
  gl().Uniform2f(uniform(program, "size"), size.x, size.y);
  draw_covering(vertex_array_);
}

void BackgroundPainter::begin_part(Vec2 framebuffer, const Rect& area, const Rect& shown) {
  set_area(gl().Viewport, framebuffer, area);
  set_area(gl().Scissor, framebuffer, shown);
  gl().Enable(GL_SCISSOR_TEST);
}

}  // namespace pchr::player
