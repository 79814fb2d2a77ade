// SPDX-License-Identifier: MIT
#pragma once

#include "gl/gl.hpp"

#include <algorithm>

namespace pchr::player {

inline constexpr GLsizei kCanvasSamples = 4;

/// A multisampled framebuffer as large as the window's: few desktops offer transparent windows with multisampling.
class MsaaTarget {
 public:
  MsaaTarget() {
    attach(samples_, samples_color_, GL_COLOR_ATTACHMENT0);
    attach(samples_, samples_depth_, GL_DEPTH_ATTACHMENT);  // For 3D characters.
    attach(resolved_, resolved_color_, GL_COLOR_ATTACHMENT0);
    gl().BindFramebuffer(GL_FRAMEBUFFER, 0);
    GLint max = 0;
    gl().GetIntegerv(GL_MAX_SAMPLES, &max);
    max_samples_ = std::min(max, kCanvasSamples);
  }

  /// Redirects drawing to this framebuffer, of which only `area` is used, in pixels, y down.
  void begin(Vec2 framebuffer, const Rect& area) {
    const auto width = static_cast<GLsizei>(std::max(framebuffer.x, 1.0F));
    const auto height = static_cast<GLsizei>(std::max(framebuffer.y, 1.0F));
    if (width != width_ || height != height_) {
      width_ = width;
      height_ = height;
      allocate(samples_color_, max_samples_, GL_RGBA8);
      allocate(samples_depth_, max_samples_, GL_DEPTH_COMPONENT24);
      allocate(resolved_color_, 0, GL_RGBA8);
    }
    left_ = static_cast<GLint>(area.min.x);
    right_ = static_cast<GLint>(area.max.x);
    bottom_ = height_ - static_cast<GLint>(area.max.y);
    top_ = height_ - static_cast<GLint>(area.min.y);
    gl().BindFramebuffer(GL_FRAMEBUFFER, samples_.get());
  }

  /// Ends drawing to this framebuffer.
  void end() {
    gl().Disable(GL_SCISSOR_TEST);
    copy(samples_.get(), resolved_.get());
    gl().BindFramebuffer(GL_FRAMEBUFFER, 0);
  }

  /// Clears the window to black with `alpha` and copies the last result to it.
  void show(float alpha) const {
    const float clear[] = {0.0F, 0.0F, 0.0F, alpha};
    gl().Disable(GL_SCISSOR_TEST);
    gl().ClearBufferfv(GL_COLOR, 0, clear);
    copy(resolved_.get(), 0);
    gl().BindFramebuffer(GL_FRAMEBUFFER, 0);
  }

 private:
  static void attach(const GlFramebuffer& framebuffer, const GlRenderbuffer& buffer, GLenum attachment) {
    gl().BindFramebuffer(GL_FRAMEBUFFER, framebuffer.get());
    gl().BindRenderbuffer(GL_RENDERBUFFER, buffer.get());
    gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer.get());
  }
  void allocate(const GlRenderbuffer& buffer, GLsizei samples, GLenum format) const {
    gl().BindRenderbuffer(GL_RENDERBUFFER, buffer.get());
    gl().RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width_, height_);
  }
  void copy(GLuint from, GLuint to) const {
    gl().BindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl().BindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    gl().BlitFramebuffer(left_, bottom_, right_, top_, left_, bottom_, right_, top_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }

  GlFramebuffer samples_ = GlFramebuffer::make();
  GlRenderbuffer samples_color_ = GlRenderbuffer::make();
  GlRenderbuffer samples_depth_ = GlRenderbuffer::make();
  GlFramebuffer resolved_ = GlFramebuffer::make();  ///< Not every driver can resolve into a window of another format.
  GlRenderbuffer resolved_color_ = GlRenderbuffer::make();
  GLsizei max_samples_ = 0;
  GLsizei width_ = 0, height_ = 0;
  GLint left_ = 0, bottom_ = 0, right_ = 0, top_ = 0;  ///< The area, y up.
};

}  // namespace pchr::player
