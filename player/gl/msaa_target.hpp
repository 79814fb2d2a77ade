// SPDX-License-Identifier: MIT
#pragma once

#include "gl/gl.hpp"

namespace pchr::player {

inline constexpr GLsizei kCanvasSamples = 4;

/// A multisampled framebuffer as large as the window's: few desktops offer transparent windows with multisampling.
///
/// It is copied by programs, which software renderers keep on disk. Those of glBlitFramebuffer they would compile again
/// at every start.
class MsaaTarget {
 public:
  [[nodiscard]] static Expected<MsaaTarget, RenderError> create();

  /// Redirects drawing to this framebuffer, of which only `area` is used, in pixels, y down. `with_depth`: it has a
  /// depth buffer.
  void begin(Vec2 framebuffer, const Rect& area, bool with_depth);
  /// Ends drawing to this framebuffer. Changes the viewport.
  void end();
  /// Clears the window to black with `alpha` and copies the last result to it. Changes the viewport.
  void show(float alpha) const;

 private:
  MsaaTarget() = default;
  void copy(const GlProgram& program, GLenum target, const GlTexture& from, const GlFramebuffer& to) const;

  GlProgram average_, copy_;
  GlVertexArray vertex_array_ = GlVertexArray::make();
  GlFramebuffer samples_ = GlFramebuffer::make();
  GlTexture samples_color_ = GlTexture::make();
  GlRenderbuffer samples_depth_{};
  GlFramebuffer resolved_ = GlFramebuffer::make();
  GlTexture resolved_color_ = GlTexture::make();
  GLsizei max_samples_ = 1;
  GLsizei width_ = 0, height_ = 0;
  GLint left_ = 0, bottom_ = 0, right_ = 0, top_ = 0;  ///< The area, y up.
};

}  // namespace pchr::player
