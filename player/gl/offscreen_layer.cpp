// SPDX-License-Identifier: MIT
#include "gl/offscreen_layer.hpp"

#include <pchr_shaders.hpp>

#include <algorithm>
#include <cmath>

namespace pchr::player {

Expected<OffscreenLayer, RenderError> OffscreenLayer::create() {
  OffscreenLayer layer;
  auto linked = link_programs({{layer.ghost_, shaders::background_vert, shaders::ghost_frag},
                               {layer.counts_, shaders::background_vert, shaders::counts_frag},
                               {layer.difference_, shaders::background_vert, shaders::difference_frag}});
  if (!linked) return Unexpected(linked.error());
  return layer;
}

bool OffscreenLayer::attach() {
  const auto [x, y, width, height] = viewport_;
  const bool fits = image_.width == width && image_.height == height;
  gl().BindTexture(GL_TEXTURE_2D, image_.texture.get());
  if (!fits) {
    // Half floats keep counts exact far beyond the color ramp.
    gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, width, height, 0, GL_RGBA, GL_HALF_FLOAT, nullptr);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl().BindRenderbuffer(GL_RENDERBUFFER, depth_.get());
    gl().RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.get());
  }
  gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image_.texture.get(), 0);
  if (fits) return true;
  const bool whole = gl().CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  image_.width = whole ? width : 0;
  image_.height = whole ? height : 0;
  return whole;
}

bool OffscreenLayer::begin(const std::array<float, 4>& clear) {
  gl().GetIntegerv(GL_VIEWPORT, viewport_.data());
  gl().GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target_);
  gl().BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  if (!attach()) {
    end();
    return false;
  }
  gl().Viewport(0, 0, image_.width, image_.height);
  gl().ClearBufferfv(GL_COLOR, 0, clear.data());
  return true;
}

void OffscreenLayer::end() {
  gl().BindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(target_));
  gl().Viewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
}

void OffscreenLayer::cover(const GlProgram& program) {
  gl().Uniform2i(uniform(program, "corner"), viewport_[0], viewport_[1]);
  begin_blending();
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindTexture(GL_TEXTURE_2D, image_.texture.get());
  draw_covering(vertex_array_);
  gl().Disable(GL_BLEND);
}

void OffscreenLayer::composite_ghost(const Color& hue, float strength) {
  end();
  gl().UseProgram(ghost_.get());
  gl().Uniform3fv(uniform(ghost_, "hue"), 1, hue.data());
  gl().Uniform1f(uniform(ghost_, "strength"), strength);
  cover(ghost_);
}

void OffscreenLayer::composite_counts(std::span<const Color> colors) {
  const auto count = static_cast<GLsizei>(std::min(colors.size(), kMaxCountColors));
  end();
  gl().UseProgram(counts_.get());
  gl().Uniform3fv(uniform(counts_, "colors"), count, colors.data()->data());
  gl().Uniform1i(uniform(counts_, "count"), count);
  gl().Uniform1f(uniform(counts_, "dimming"), std::log(1.0F - kCountedAlpha));
  cover(counts_);
}

void OffscreenLayer::keep() {
  end();
  std::swap(image_, kept_);
}

void OffscreenLayer::composite_difference(const Color& highlight) {
  end();
  gl().UseProgram(difference_.get());
  gl().Uniform1i(uniform(difference_, "kept"), 1);
  gl().Uniform3fv(uniform(difference_, "highlight"), 1, highlight.data());
  gl().ActiveTexture(GL_TEXTURE1);
  gl().BindTexture(GL_TEXTURE_2D, kept_.texture.get());
  cover(difference_);
}

}  // namespace pchr::player
