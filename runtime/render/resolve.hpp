// SPDX-License-Identifier: MIT
#pragma once

#include "render/gl.hpp"

namespace pchr {

/// Resolves multisampled textures as glBlitFramebuffer does, but with a program that Mesa's llvmpipe keeps on disk. The
/// one of glBlitFramebuffer is compiled by every process, for 30 ms and more.
class Resolver {
 public:
  Resolver(std::shared_ptr<const Gl> gl, GLsizei samples);
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;
  ~Resolver();

  /// Resolves into the bound framebuffer. Returns false if the caller's state changes more than colors, as a query
  /// does. Changes the viewport, the scissor test and the color mask.
  [[nodiscard]] bool resolve(GLuint texture, GLsizei width, GLsizei height) const;

 private:
  std::shared_ptr<const Gl> gl_;
  GLuint program_ = 0, vertex_array_ = 0;
};

}  // namespace pchr
