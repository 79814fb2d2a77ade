// SPDX-License-Identifier: MIT
#include "gl/msaa_target.hpp"

#include <algorithm>

namespace pchr::player {
namespace {

GlRenderbuffer attach(const GlFramebuffer& framebuffer, GLenum attachment) {
  auto buffer = make_gl<GlRenderbuffer>(gl().GenRenderbuffers);
  gl().BindFramebuffer(GL_FRAMEBUFFER, framebuffer.get());
  gl().BindRenderbuffer(GL_RENDERBUFFER, buffer.get());
  gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer.get());
  gl().BindFramebuffer(GL_FRAMEBUFFER, 0);
  return buffer;
}

}  // namespace

MsaaTarget::MsaaTarget() {
  for (Surface* surface : {&samples_, &resolved_}) {
    surface->framebuffer = make_gl<GlFramebuffer>(gl().GenFramebuffers);
    surface->color = attach(surface->framebuffer, GL_COLOR_ATTACHMENT0);
  }
  samples_.depth = attach(samples_.framebuffer, GL_DEPTH_ATTACHMENT);  // 3D characters need it.
  GLint most = 0;
  gl().GetIntegerv(GL_MAX_SAMPLES, &most);
  max_samples_ = std::min(most, static_cast<GLint>(kCanvasSamples));
}

void MsaaTarget::begin(Vec2 framebuffer) {
  const auto width = static_cast<GLsizei>(std::max(framebuffer.x, 1.0F));
  const auto height = static_cast<GLsizei>(std::max(framebuffer.y, 1.0F));
  if (width != width_ || height != height_) {
    width_ = width;
    height_ = height;
    const auto allocate = [&](const GlRenderbuffer& buffer, GLsizei samples, GLenum format) {
      gl().BindRenderbuffer(GL_RENDERBUFFER, buffer.get());
      gl().RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    };
    allocate(samples_.color, max_samples_, GL_RGBA8);
    allocate(samples_.depth, max_samples_, GL_DEPTH_COMPONENT24);
    allocate(resolved_.color, 0, GL_RGBA8);
  }
  gl().BindFramebuffer(GL_FRAMEBUFFER, samples_.framebuffer.get());
}

void MsaaTarget::end() {
  const auto copy = [&](GLuint from, GLuint to) {
    gl().BindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl().BindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    gl().BlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  };
  gl().Disable(GL_SCISSOR_TEST);
  copy(samples_.framebuffer.get(), resolved_.framebuffer.get());
  copy(resolved_.framebuffer.get(), 0);
  gl().BindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace pchr::player
