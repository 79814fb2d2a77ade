// SPDX-License-Identifier: MIT
// An offscreen image that is composited over the canvas as a ghost, as counts or as its difference from another one.
#pragma once

#include "gl/background_painter.hpp"

namespace pchr::player {

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

}  // namespace pchr::player
