// SPDX-License-Identifier: MIT
// Draws the background of the canvas.
#pragma once

#include "gl/gl.hpp"
#include "overlays/grid.hpp"

#include <span>

namespace pchr::player {

using Color = std::array<float, 3>;

class BackgroundPainter {
 public:
  [[nodiscard]] static Expected<BackgroundPainter, RenderError> create();

  /// Fills `area` (framebuffer pixels, y down) with tiles of two colors and the lines of `grid`. `framebuffer` is the
  /// framebuffer's size. Leaves the viewport at `area`.
  void draw(Vec2 framebuffer, const Rect& area, const Color& light, const Color& dark, float tile_pixels,
            const GridLines& grid = {});

  /// Draws lines over the background.
  void draw_lines(std::span<const SeenLine> lines, Vec2 viewport);

  /// Makes the framebuffer transparent.
  static void clear();

  /// Sets the image for draw_image(). Returns false and clears the image if it exceeds the max texture size.
  bool set_image(const Bitmap& premultiplied);
  [[nodiscard]] bool has_image() const noexcept { return image_size_.x > 0.0F; }
  /// Like draw(), with the image over `behind`. Tiles it at `tile_scale` framebuffer pixels per image pixel, or if that
  /// is 0, draws it once, scaled to cover the area.
  void draw_image(Vec2 framebuffer, const Rect& area, const Color& behind, float tile_scale);

  /// Moves the viewport to `area` and clips drawing to `shown`, until GL_SCISSOR_TEST is disabled.
  static void begin_part(Vec2 framebuffer, const Rect& area, const Rect& shown);

 private:
  GlProgram checker_, image_program_, line_program_;
  GlVertexArray vertex_array_ = GlVertexArray::make();
  GlVertexArray line_array_ = GlVertexArray::make();
  GlBuffer line_buffer_ = GlBuffer::make();
  GlTexture texture_{};
  Vec2 image_size_{0.0F};  ///< Pixels; 0 without an image.
};

}  // namespace pchr::player
