// SPDX-License-Identifier: MIT
// A multisampled framebuffer and the one it is resolved to.
#include "smooth_target.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <utility>

namespace pchr::player {
namespace {

struct Surface {
  GLuint framebuffer = 0;
  GLuint colour = 0;
  GLuint depth = 0;  ///< Of what is drawn into: spatial characters need it.
};

Surface make_surface(const GladGLContext& gl) {
  Surface surface;
  gl.GenFramebuffers(1, &surface.framebuffer);
  gl.GenRenderbuffers(1, &surface.colour);
  gl.BindFramebuffer(GL_FRAMEBUFFER, surface.framebuffer);
  gl.BindRenderbuffer(GL_RENDERBUFFER, surface.colour);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, surface.colour);
  gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
  return surface;
}

void add_depth(const GladGLContext& gl, Surface& surface) {
  gl.GenRenderbuffers(1, &surface.depth);
  gl.BindFramebuffer(GL_FRAMEBUFFER, surface.framebuffer);
  gl.BindRenderbuffer(GL_RENDERBUFFER, surface.depth);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, surface.depth);
  gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace

struct SmoothTarget::Resources {
  GladGLContext gl{};
  Surface samples;
  Surface picture;  ///< Not every driver resolves right into a window's framebuffer of another format.
  GLsizei most_samples = 0;
  GLsizei width = 0;
  GLsizei height = 0;

  ~Resources() {
    for (const Surface& surface : {samples, picture}) {
      gl.DeleteFramebuffers(1, &surface.framebuffer);
      gl.DeleteRenderbuffers(1, &surface.colour);
      gl.DeleteRenderbuffers(1, &surface.depth);
    }
  }
};

std::expected<SmoothTarget, RenderError> SmoothTarget::create(GetProcAddress get_proc_address) {
  GladGLContext gl{};
  if (gladLoadGLContext(&gl, get_proc_address) == 0) {
    return std::unexpected(RenderError{"the OpenGL functions cannot be loaded"});
  }
  auto resources = std::make_unique<Resources>();
  resources->gl = gl;
  resources->samples = make_surface(gl);
  add_depth(gl, resources->samples);
  resources->picture = make_surface(gl);
  GLint most = 0;
  gl.GetIntegerv(GL_MAX_SAMPLES, &most);
  resources->most_samples = std::min(most, static_cast<GLint>(kCanvasSamples));
  return SmoothTarget(std::move(resources));
}

SmoothTarget::SmoothTarget(std::unique_ptr<Resources> resources) noexcept : resources_(std::move(resources)) {}
SmoothTarget::SmoothTarget(SmoothTarget&&) noexcept = default;
SmoothTarget& SmoothTarget::operator=(SmoothTarget&&) noexcept = default;
SmoothTarget::~SmoothTarget() = default;

void SmoothTarget::begin(Vec2 framebuffer) {
  Resources& target = *resources_;
  const GladGLContext& gl = target.gl;
  const auto width = static_cast<GLsizei>(std::max(framebuffer.x, 1.0F));
  const auto height = static_cast<GLsizei>(std::max(framebuffer.y, 1.0F));
  if (width != target.width || height != target.height) {
    target.width = width;
    target.height = height;
    gl.BindRenderbuffer(GL_RENDERBUFFER, target.samples.colour);
    gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, target.most_samples, GL_RGBA8, width, height);
    gl.BindRenderbuffer(GL_RENDERBUFFER, target.samples.depth);
    gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, target.most_samples, GL_DEPTH_COMPONENT24, width, height);
    gl.BindRenderbuffer(GL_RENDERBUFFER, target.picture.colour);
    gl.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  }
  gl.BindFramebuffer(GL_FRAMEBUFFER, target.samples.framebuffer);
}

void SmoothTarget::end() {
  const Resources& target = *resources_;
  const GladGLContext& gl = target.gl;
  const auto copy = [&](GLuint from, GLuint to) {
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    gl.BlitFramebuffer(0, 0, target.width, target.height, 0, 0, target.width, target.height, GL_COLOR_BUFFER_BIT,
                       GL_NEAREST);
  };
  gl.Disable(GL_SCISSOR_TEST);
  copy(target.samples.framebuffer, target.picture.framebuffer);
  copy(target.picture.framebuffer, 0);
  gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace pchr::player
