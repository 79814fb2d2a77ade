// SPDX-License-Identifier: MIT
// The board behind the character.
#pragma once

#include "gl/gl.hpp"
#include "overlays/grid.hpp"

#include <span>

namespace pchr::player {

using Color = std::array<float, 3>;

/// Draws the canvas background.
class BackgroundPainter {
 public:
  [[nodiscard]] static std::expected<BackgroundPainter, RenderError> create();

  /// Fills `area` (framebuffer pixels, y down) of a framebuffer of `framebuffer` pixels with tiles of two
  /// colors and the lines of `grid`, and leaves the viewport on that area.
  void draw(Vec2 framebuffer, const Rect& area, const Color& light, const Color& dark, float tile_pixels,
            const GridLines& grid = {});

  /// Draws lines over it; the viewport is on its area.
  void draw_lines(std::span<const SeenLine> lines, Vec2 viewport);

  /// Empties the framebuffer: nothing but what is drawn then will show on the desktop.
  void clear();
  /// Gives all of the framebuffer an alpha of 1, so that the desktop does not shine through.
  void make_opaque();

  /// Takes an image to be drawn. False, and without an image, where it is larger than this context's textures.
  bool set_image(const Bitmap& premultiplied);
  [[nodiscard]] bool has_image() const noexcept;
  /// As draw(), with the image over `behind`: tiles of `tile_scale` framebuffer pixels per pixel of it, or where that
  /// is 0 once, as large as covers the area.
  void draw_image(Vec2 framebuffer, const Rect& area, const Color& behind, float tile_scale);

  /// Puts the viewport on `area`, of which only what lies in `shown` will be drawn, until end_parts().
  void begin_part(Vec2 framebuffer, const Rect& area, const Rect& shown);
  void end_parts();

 private:
  GlProgram checker_, image_program_, line_program_;
  GlVertexArray vertex_array_ = make_gl<GlVertexArray>(gl().GenVertexArrays);
  GlVertexArray line_array_ = make_gl<GlVertexArray>(gl().GenVertexArrays);
  GlBuffer line_buffer_ = make_gl<GlBuffer>(gl().GenBuffers);
  GlTexture texture_{};
  Vec2 image_size_{0.0F};  ///< Pixels; 0 where there is none.
};

}  // namespace pchr::player
