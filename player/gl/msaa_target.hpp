// SPDX-License-Identifier: MIT
#pragma once

#include "gl/gl.hpp"

#include <span>

namespace pchr::player {

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
