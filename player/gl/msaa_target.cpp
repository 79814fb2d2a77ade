// SPDX-License-Identifier: MIT
#include "gl/msaa_target.hpp"

#include "gl/background_painter.hpp"

#include <glm/common.hpp>
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

bool MsaaTarget::resize(Vec2 framebuffer, const Rect& canvas) {
  framebuffer = glm::max(framebuffer, Vec2{1.0F});
  if (framebuffer == size_ && canvas.min == canvas_.min && canvas.max == canvas_.max) return false;
  canvas_ = canvas;
  if (framebuffer == size_) return true;
  size_ = framebuffer;
  samples_depth_ = {};
  const glm::ivec2 size(size_);
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindTexture(GL_TEXTURE_2D_MULTISAMPLE, samples_color_.get());
  gl().TexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, max_samples_, GL_RGBA8, size.x, size.y, GL_TRUE);
  gl().BindFramebuffer(GL_FRAMEBUFFER, samples_.get());
  gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, samples_color_.get(), 0);
  gl().BindTexture(GL_TEXTURE_2D, image_color_.get());
  gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size.x, size.y, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  gl().BindFramebuffer(GL_FRAMEBUFFER, image_.get());
  gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image_color_.get(), 0);
  return true;
}

void MsaaTarget::begin_canvas(bool with_depth) {
  gl().BindFramebuffer(GL_FRAMEBUFFER, samples_.get());
  if (!with_depth || samples_depth_) return;
  const glm::ivec2 size(size_);
  samples_depth_ = GlRenderbuffer::make();
  gl().BindRenderbuffer(GL_RENDERBUFFER, samples_depth_.get());
  gl().RenderbufferStorageMultisample(GL_RENDERBUFFER, max_samples_, GL_DEPTH_COMPONENT24, size.x, size.y);
  gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, samples_depth_.get());
}

void MsaaTarget::begin_interface(std::span<const Rect> areas, bool transparent) {
  const float clear[] = {0.0F, 0.0F, 0.0F, transparent ? 0.0F : 1.0F};
  gl().BindFramebuffer(GL_FRAMEBUFFER, image_.get());
  for (const Rect& area : areas) {
    BackgroundPainter::begin_part(size_, canvas_, area);
    gl().ClearBufferfv(GL_COLOR, 0, clear);
    // The desktop does not show through the edges on the canvas.
    if (!transparent) gl().ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    copy(average_, GL_TEXTURE_2D_MULTISAMPLE, samples_color_);
    gl().ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  }
  gl().Disable(GL_SCISSOR_TEST);
}

void MsaaTarget::show() {
  gl().BindFramebuffer(GL_FRAMEBUFFER, 0);
  gl().Disable(GL_SCISSOR_TEST);
  gl().Viewport(0, 0, static_cast<GLsizei>(size_.x), static_cast<GLsizei>(size_.y));
  copy(copy_, GL_TEXTURE_2D, image_color_);
}

void MsaaTarget::copy(const GlProgram& program, GLenum target, const GlTexture& from) const {
  gl().Disable(GL_BLEND);
  gl().UseProgram(program.get());
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindSampler(0, 0);
  gl().BindTexture(target, from.get());
  draw_covering(vertex_array_);
}

}  // namespace pchr::player
