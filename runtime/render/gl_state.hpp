// SPDX-License-Identifier: MIT
// Guards that put OpenGL state back as it was: each saves when made and restores when destroyed.
#pragma once

#include "render/gl.hpp"

#include <array>

namespace pchr {

/// How colors are combined in draw buffer 0.
struct Blending {
  bool enabled = false;
  GLenum equation_rgb = GL_FUNC_ADD, equation_alpha = GL_FUNC_ADD;
  GLenum source_rgb = GL_ONE, target_rgb = GL_ZERO;
  GLenum source_alpha = GL_ONE, target_alpha = GL_ZERO;
};

void set_blending(const Gl& gl, const Blending& blending);

/// Program, vertex array, GL_ARRAY_BUFFER, GL_TEXTURE_BUFFER and GL_DRAW_INDIRECT_BUFFER bindings, active texture, and
/// the textures and samplers of units 0 and 1.
class SavedBindings {
 public:
  explicit SavedBindings(const Gl& gl);
  SavedBindings(const SavedBindings&) = delete;
  SavedBindings& operator=(const SavedBindings&) = delete;
  ~SavedBindings();

 private:
  struct Unit {
    GLuint texture_2d = 0, texture_buffer = 0, sampler = 0;
  };
  const Gl& gl_;
  GLuint program_, vertex_array_, array_buffer_, texture_buffer_, indirect_buffer_;
  GLenum active_texture_;
  std::array<Unit, 2> units_;
};

/// Blending, depth test, stencil test, face culling, primitive restart and GL_FRAMEBUFFER_SRGB.
class SavedTests {
 public:
  explicit SavedTests(const Gl& gl);
  SavedTests(const SavedTests&) = delete;
  SavedTests& operator=(const SavedTests&) = delete;
  ~SavedTests();

 private:
  const Gl& gl_;
  Blending blending_;
  bool depth_test_, stencil_test_, cull_face_, primitive_restart_, framebuffer_srgb_;
};

/// Depth comparison and mask, and which side of faces is culled.
class SavedDepth {
 public:
  explicit SavedDepth(const Gl& gl);
  SavedDepth(const SavedDepth&) = delete;
  SavedDepth& operator=(const SavedDepth&) = delete;
  ~SavedDepth();

 private:
  const Gl& gl_;
  GLenum depth_function_, culled_side_, front_face_;
  GLboolean depth_mask_ = GL_TRUE;
};

enum class PixelTransfer : std::uint8_t { unpack, pack };

/// Pixel transfer parameters of one direction, and its buffer. Meanwhile they are OpenGL's defaults: tight
/// rows of four-byte pixels, from or to the caller's memory.
class SavedPixelTransfer {
 public:
  SavedPixelTransfer(const Gl& gl, PixelTransfer direction);
  SavedPixelTransfer(const SavedPixelTransfer&) = delete;
  SavedPixelTransfer& operator=(const SavedPixelTransfer&) = delete;
  ~SavedPixelTransfer();

 private:
  const Gl& gl_;
  PixelTransfer direction_;
  GLuint buffer_;
  std::array<GLint, 8> values_;
};

/// Framebuffers, renderbuffer, viewport, scissor test, and the color mask of draw buffer 0.
class SavedTarget {
 public:
  explicit SavedTarget(const Gl& gl);
  SavedTarget(const SavedTarget&) = delete;
  SavedTarget& operator=(const SavedTarget&) = delete;
  ~SavedTarget();

 private:
  const Gl& gl_;
  GLuint draw_framebuffer_, read_framebuffer_, renderbuffer_;
  std::array<GLint, 4> viewport_;
  std::array<GLboolean, 4> color_mask_;
  bool scissor_test_;
};

}  // namespace pchr
