// SPDX-License-Identifier: MIT
// A framebuffer of the canvas's size, and two ways to show it.
#include "layer.hpp"

#include "gl_program.hpp"

#include <glad/gl.h>
#include <pchr_shaders.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr::player {

struct Layer::Resources {
  GladGLContext gl{};
  GLuint ghost = 0;
  GLuint counts = 0;
  GLuint vertex_array = 0;
  GLuint texture = 0;
  GLuint depth = 0;  ///< Spatial characters need it.
  GLuint framebuffer = 0;
  std::array<GLint, 4> viewport{};  ///< Of the framebuffer that is drawn to between two layers.
  GLint target = 0;                 ///< That framebuffer.
  GLsizei width = 0;
  GLsizei height = 0;

  ~Resources() {
    gl.DeleteProgram(ghost);
    gl.DeleteProgram(counts);
    gl.DeleteVertexArrays(1, &vertex_array);
    gl.DeleteTextures(1, &texture);
    gl.DeleteRenderbuffers(1, &depth);
    gl.DeleteFramebuffers(1, &framebuffer);
  }

  /// Half floats, so that counts stay exact far beyond the ramp.
  bool resize() {
    if (width == viewport[2] && height == viewport[3]) return true;
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, viewport[2], viewport[3], 0, GL_RGBA, GL_HALF_FLOAT, nullptr);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    gl.BindRenderbuffer(GL_RENDERBUFFER, depth);
    gl.RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, viewport[2], viewport[3]);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    const bool whole = gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    width = whole ? viewport[2] : 0;
    height = whole ? viewport[3] : 0;
    return whole;
  }

  /// Over the viewport, with the layer as its texture.
  void cover(GLuint program) const {
    gl.Uniform2i(gl.GetUniformLocation(program, "corner"), viewport[0], viewport[1]);
    gl.Enable(GL_BLEND);
    gl.BlendEquation(GL_FUNC_ADD);
    gl.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl.ActiveTexture(GL_TEXTURE0);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.BindVertexArray(vertex_array);
    gl.DrawArrays(GL_TRIANGLES, 0, 3);
    gl.Disable(GL_BLEND);
  }
};

std::expected<Layer, RenderError> Layer::create(GetProcAddress get_proc_address) {
  auto resources = std::make_unique<Resources>();
  GladGLContext& gl = resources->gl;
  if (gladLoadGLContext(&gl, get_proc_address) == 0) {
    return std::unexpected(RenderError{"the OpenGL functions cannot be loaded"});
  }
  resources->ghost = link_program(gl, shaders::background_vert, shaders::ghost_frag);
  resources->counts = link_program(gl, shaders::background_vert, shaders::counts_frag);
  if (resources->ghost == 0 || resources->counts == 0) {
    return std::unexpected(RenderError{"the shaders of layers do not build here"});
  }
  gl.GenVertexArrays(1, &resources->vertex_array);
  gl.GenTextures(1, &resources->texture);
  gl.GenRenderbuffers(1, &resources->depth);
  gl.GenFramebuffers(1, &resources->framebuffer);
  return Layer(std::move(resources));
}

Layer::Layer(std::unique_ptr<Resources> resources) noexcept : resources_(std::move(resources)) {}
Layer::Layer(Layer&&) noexcept = default;
Layer& Layer::operator=(Layer&&) noexcept = default;
Layer::~Layer() = default;

bool Layer::begin(const std::array<float, 4>& clear) {
  Resources& r = *resources_;
  r.gl.GetIntegerv(GL_VIEWPORT, r.viewport.data());
  r.gl.GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &r.target);
  r.gl.BindFramebuffer(GL_FRAMEBUFFER, r.framebuffer);
  if (!r.resize()) {
    end();
    return false;
  }
  r.gl.Viewport(0, 0, r.width, r.height);
  r.gl.ClearBufferfv(GL_COLOR, 0, clear.data());
  return true;
}

void Layer::end() {
  const Resources& r = *resources_;
  r.gl.BindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(r.target));
  r.gl.Viewport(r.viewport[0], r.viewport[1], r.viewport[2], r.viewport[3]);
}

void Layer::lay_ghost(const Colour& hue, float strength) {
  const Resources& r = *resources_;
  end();
  r.gl.UseProgram(r.ghost);
  r.gl.Uniform3fv(r.gl.GetUniformLocation(r.ghost, "hue"), 1, hue.data());
  r.gl.Uniform1f(r.gl.GetUniformLocation(r.ghost, "strength"), strength);
  r.cover(r.ghost);
}

void Layer::lay_counts(std::span<const Colour> colours) {
  const Resources& r = *resources_;
  const auto count = static_cast<GLsizei>(std::min(colours.size(), kMostCountColours));
  end();
  r.gl.UseProgram(r.counts);
  r.gl.Uniform3fv(r.gl.GetUniformLocation(r.counts, "colours"), count, colours.data()->data());
  r.gl.Uniform1i(r.gl.GetUniformLocation(r.counts, "count"), count);
  r.gl.Uniform1f(r.gl.GetUniformLocation(r.counts, "dimming"), std::log(1.0F - kCountedAlpha));
  r.cover(r.counts);
}

}  // namespace pchr::player
