// SPDX-License-Identifier: MIT
// An image that is drawn aside and then laid over the canvas: as a ghost, or as counts.
#pragma once

#include "gl/background_painter.hpp"

namespace pchr::player {

/// The alpha of the black in which things are drawn on white for lay_counts().
inline constexpr float kCountedAlpha = 32.0F / 255.0F;
inline constexpr std::size_t kMaxCountColors = 16;

class OffscreenLayer {
 public:
  [[nodiscard]] static std::expected<OffscreenLayer, RenderError> create();

  /// Draws into an image of the viewport's size from now on, until one of the calls below; `clear` is premultiplied.
  /// False, and nothing changed, where the GPU has no room for it.
  bool begin(const std::array<float, 4>& clear);
  /// Lays the image into the viewport, `strength` (0..1) opaque and tinted.
  void lay_ghost(const Color& hue, float strength);
  /// Lays colors into the viewport where things were drawn: the first for one, the last for as many as there are colors
  /// or more. At most kMaxCountColors.
  void lay_counts(std::span<const Color> colors);

 private:
  bool resize();
  void end();
  /// Covers the viewport, with the layer as the texture.
  void cover(const GlProgram& program);

  GlProgram ghost_, counts_;
  GlVertexArray vertex_array_ = GlVertexArray::make();
  GlTexture texture_ = GlTexture::make();
  GlRenderbuffer depth_ = GlRenderbuffer::make();
  GlFramebuffer framebuffer_ = GlFramebuffer::make();
  std::array<GLint, 4> viewport_{};  ///< What it is laid into.
  GLint target_ = 0;                 ///< The framebuffer of that.
  GLsizei width_ = 0, height_ = 0;   ///< Of the texture.
};

}  // namespace pchr::player
