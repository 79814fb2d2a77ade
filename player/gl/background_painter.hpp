// SPDX-License-Identifier: MIT
// What is behind the character.
#pragma once

#include "gl/gl.hpp"
#include "overlays/grid.hpp"

#include <span>

namespace pchr::player {

using Color = std::array<float, 3>;

class BackgroundPainter {
 public:
  [[nodiscard]] static std::expected<BackgroundPainter, RenderError> create();

  /// Fills `area` (framebuffer pixels, y down) of a framebuffer of `framebuffer` pixels with tiles of two colors and
  /// the lines of `grid`, and leaves the viewport there.
  void draw(Vec2 framebuffer, const Rect& area, const Color& light, const Color& dark, float tile_pixels,
            const GridLines& grid = {});

  /// Draws lines over it.
  void draw_lines(std::span<const SeenLine> lines, Vec2 viewport);

  /// Makes all of the framebuffer transparent.
  static void clear();
  /// Gives all of the framebuffer an alpha of 1, so that the desktop does not shine through.
  static void make_opaque();

  /// Takes an image for draw_image(). False, and without an image, where it is larger than a texture can be.
  bool set_image(const Bitmap& premultiplied);
  [[nodiscard]] bool has_image() const noexcept { return image_size_.x > 0.0F; }
  /// As draw(), with the image over `behind`: tiles of `tile_scale` framebuffer pixels per pixel of it, or where that
  /// is 0 once, as large as covers the area.
  void draw_image(Vec2 framebuffer, const Rect& area, const Color& behind, float tile_scale);

  /// Puts the viewport on `area`, of which only what lies in `shown` will be drawn, until GL_SCISSOR_TEST is disabled.
  static void begin_part(Vec2 framebuffer, const Rect& area, const Rect& shown);

 private:
  GlProgram checker_, image_program_, line_program_;
  GlVertexArray vertex_array_ = GlVertexArray::make();
  GlVertexArray line_array_ = GlVertexArray::make();
  GlBuffer line_buffer_ = GlBuffer::make();
  GlTexture texture_{};
  Vec2 image_size_{0.0F};  ///< Pixels; 0 where there is none.
};

}  // namespace pchr::player
