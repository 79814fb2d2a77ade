// SPDX-License-Identifier: MIT
// An image of its own that is then laid over the canvas: as a ghost, or as counts.
#pragma once

#include "gl/background_painter.hpp"
#include "gl/gl.hpp"

namespace pchr::player {

/// What `lay_counts` multiplies each pixel of a layer by for each thing that covers it: draw in black with
/// `kCountedAlpha` on white.
inline constexpr float kCountedAlpha = 32.0F / 255.0F;
inline constexpr std::size_t kMaxCountColors = 16;

/// Draws aside. Needs no OpenGL state but what the player itself sets.
class OffscreenLayer {
 public:
  [[nodiscard]] static std::expected<OffscreenLayer, RenderError> create();

  /// Until one of the calls below what is drawn goes to an image of the viewport's size, which is `clear` at first
  /// (premultiplied RGBA). False, and nothing changed, where the GPU has no room for it.
  bool begin(const std::array<float, 4>& clear);
  /// Lays the image into the viewport, `strength` (0..1) opaque and drawn towards one hue.
  void lay_ghost(const Color& hue, float strength);
  /// Lays colors into the viewport where something was counted: the first for one, the last for as many as there are
  /// colors or more. At most kMaxCountColors.
  void lay_counts(std::span<const Color> colors);

 private:
  bool resize();
  void end();
  void cover(const GlProgram& program);

  GlProgram ghost_, counts_;
  GlVertexArray vertex_array_ = make_gl<GlVertexArray>(gl().GenVertexArrays);
  GlTexture texture_ = make_gl<GlTexture>(gl().GenTextures);
  GlRenderbuffer depth_ = make_gl<GlRenderbuffer>(gl().GenRenderbuffers);
  GlFramebuffer framebuffer_ = make_gl<GlFramebuffer>(gl().GenFramebuffers);
  std::array<GLint, 4> viewport_{};  ///< What it is laid into.
  GLint target_ = 0;                 ///< The framebuffer of that.
  GLsizei width_ = 0, height_ = 0;   ///< Of the texture.
};

}  // namespace pchr::player
