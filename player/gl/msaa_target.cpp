// SPDX-License-Identifier: MIT
#include "gl/msaa_target.hpp"

#include <pchr_shaders.hpp>

#include <algorithm>

namespace pchr::player {

Expected<MsaaTarget, RenderError> MsaaTarget::create() {
  MsaaTarget target;
  auto linked = link_programs({{target.average_, shaders::background_vert, shaders::resolve_frag},
                               {target.copy_, shaders::background_vert, shaders::copy_frag}});
  if (!linked) return Unexpected(linked.error());
  GLint max = 0, max_in_textures = 0;
  gl().GetIntegerv(GL_MAX_SAMPLES, &max);
  gl().GetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &max_in_textures);
  target.max_samples_ = std::min({max, max_in_textures, kCanvasSamples});
  gl().UseProgram(target.average_.get());
  gl().Uniform1i(uniform(target.average_, "samples"), target.max_samples_);
  return target;
}

void MsaaTarget::begin(Vec2 framebuffer, const Rect& area, bool with_depth) {
  const auto width = static_cast<GLsizei>(std::max(framebuffer.x, 1.0F));
  const auto height = static_cast<GLsizei>(std::max(framebuffer.y, 1.0F));
  gl().ActiveTexture(GL_TEXTURE0);
  if (width != width_ || height != height_) {
    width_ = width;
    height_ = height;
    samples_depth_ = {};
    gl().BindTexture(GL_TEXTURE_2D_MULTISAMPLE, samples_color_.get());
    gl().TexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, max_samples_, GL_RGBA8, width, height, GL_TRUE);
    gl().BindFramebuffer(GL_FRAMEBUFFER, samples_.get());
    gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, samples_color_.get(), 0);
    gl().BindTexture(GL_TEXTURE_2D, resolved_color_.get());
    gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl().BindFramebuffer(GL_FRAMEBUFFER, resolved_.get());
    gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, resolved_color_.get(), 0);
  }
  left_ = static_cast<GLint>(area.min.x);
  right_ = static_cast<GLint>(area.max.x);
  bottom_ = height_ - static_cast<GLint>(area.max.y);
  top_ = height_ - static_cast<GLint>(area.min.y);
  gl().BindFramebuffer(GL_FRAMEBUFFER, samples_.get());
  if (!with_depth || samples_depth_) return;
  samples_depth_ = GlRenderbuffer::make();
  gl().BindRenderbuffer(GL_RENDERBUFFER, samples_depth_.get());
  gl().RenderbufferStorageMultisample(GL_RENDERBUFFER, max_samples_, GL_DEPTH_COMPONENT24, width_, height_);
  gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, samples_depth_.get());
}

void MsaaTarget::end() {
  copy(average_, GL_TEXTURE_2D_MULTISAMPLE, samples_color_, resolved_);
  gl().BindFramebuffer(GL_FRAMEBUFFER, 0);
}

void MsaaTarget::show(float alpha) const {
  const float clear[] = {0.0F, 0.0F, 0.0F, alpha};
  gl().Disable(GL_SCISSOR_TEST);
  gl().ClearBufferfv(GL_COLOR, 0, clear);
  copy(copy_, GL_TEXTURE_2D, resolved_color_, {});
}

void MsaaTarget::copy(const GlProgram& program, GLenum target, const GlTexture& from, const GlFramebuffer& to) const {
  gl().BindFramebuffer(GL_FRAMEBUFFER, to.get());
  gl().Viewport(left_, bottom_, right_ - left_, top_ - bottom_);
  gl().Disable(GL_SCISSOR_TEST);
  gl().Disable(GL_BLEND);
  gl().UseProgram(program.get());
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindSampler(0, 0);
  gl().BindTexture(target, from.get());
  draw_covering(vertex_array_);
}

}  // namespace pchr::player
