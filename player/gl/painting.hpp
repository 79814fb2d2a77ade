// SPDX-License-Identifier: MIT
// The images that make up the canvas: its background, layers composited over it, and the window's image.
#pragma once

#include "gl/gl.hpp"

#include <span>

namespace pchr::player {

/// A grid in viewport pixels, origin at the top left, y down.
struct GridLines {
  float minor = 0;    ///< Line distance; 0 for no grid.
  float major = 0;    ///< Distance of bold lines.
  Vec2 phase{0.0F};   ///< Position of a bold line, in [0, major).
  Vec2 origin{0.0F};  ///< Position of the axes.
  float thickness = 1;
};

/// A line in viewport pixels, origin at the top left, y down.
struct SeenLine {
  Vec2 from{0.0F}, to{0.0F};
  std::array<float, 4> color{};  ///< Straight RGBA.
  float thickness = 1;
};

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

/// Alpha of the black that things are drawn in, on white, for composite_counts().
inline constexpr float kCountedAlpha = 32.0F / 255.0F;
inline constexpr std::size_t kMaxCountColors = 16;

class OffscreenLayer {
 public:
  [[nodiscard]] static Expected<OffscreenLayer, RenderError> create();

  /// Redirects drawing to an image of the viewport's size, cleared to `clear` (premultiplied), until one of the calls
  /// below. Returns false and changes nothing if the GPU is out of memory.
  bool begin(const std::array<float, 4>& clear);
  /// Composites the image over the viewport with opacity `strength` (0..1), tinted.
  void composite_ghost(const Color& hue, float strength);
  /// Composites colors that show how often each pixel was drawn: the first color for once, the last one for as many
  /// times as there are colors or more. At most kMaxCountColors.
  void composite_counts(std::span<const Color> colors);
  /// Keeps the image for composite_difference(), and composites nothing.
  void keep();
  /// Composites a color where the image differs from the one that was kept, and the kept one in faint gray elsewhere.
  void composite_difference(const Color& highlight);

 private:
  struct Image {
    GlTexture texture = GlTexture::make();
    GLsizei width = 0, height = 0;
  };

  /// Makes the framebuffer draw to `image_`, at the size of the viewport.
  bool attach();
  void end();
  /// Covers the viewport using the layer as the texture.
  void cover(const GlProgram& program);

  GlProgram ghost_, counts_, difference_;
  GlVertexArray vertex_array_ = GlVertexArray::make();
  Image image_{}, kept_{};
  GlRenderbuffer depth_ = GlRenderbuffer::make();
  GlFramebuffer framebuffer_ = GlFramebuffer::make();
  std::array<GLint, 4> viewport_{};  ///< Viewport to composite into.
  GLint target_ = 0;                 ///< Framebuffer to composite into.
};

inline constexpr GLsizei kCanvasSamples = 4;

/// The window's image, which lies below its interface. Few desktops offer transparent windows with multisampling, and
/// the parts of a window that did not change need not be drawn again.
///
/// It is copied by programs, which software renderers keep on disk. Those of glBlitFramebuffer they would compile again
/// at every start.
class MsaaTarget {
 public:
  [[nodiscard]] static Expected<MsaaTarget, RenderError> create();

  /// Sets the size of the window's framebuffer and where the canvas is in it, in pixels, y down. Returns whether that
  /// changed, so that all must be drawn.
  [[nodiscard]] bool resize(Vec2 framebuffer, const Rect& canvas);
  /// Redirects drawing to the canvas, which is multisampled. `with_depth`: it has a depth buffer.
  void begin_canvas(bool with_depth);
  /// Redirects drawing to the window's image. Resets `areas` of it, in pixels, y down, to the canvas on black or, if
  /// `transparent`, on nothing. Changes the viewport.
  void begin_interface(std::span<const Rect> areas, bool transparent);
  /// Copies the image to the window. Changes the viewport.
  void show();

 private:
  MsaaTarget() = default;
  void copy(const GlProgram& program, GLenum target, const GlTexture& from) const;

  GlProgram average_, copy_;
  GlVertexArray vertex_array_ = GlVertexArray::make();
  GlFramebuffer samples_ = GlFramebuffer::make();
  GlTexture samples_color_ = GlTexture::make();
  GlRenderbuffer samples_depth_{};
  GlFramebuffer image_ = GlFramebuffer::make();
  GlTexture image_color_ = GlTexture::make();
  GLsizei max_samples_ = 1;
  Vec2 size_{0.0F};
  Rect canvas_{};
};

}  // namespace pchr::player
