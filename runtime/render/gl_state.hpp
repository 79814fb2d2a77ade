// SPDX-License-Identifier: MIT
// Guards that save OpenGL state when constructed and restore it when destroyed.
#pragma once

#include "render/gl.hpp"

#include <array>
#include <span>

namespace pchr {

class Saved {
 public:
  explicit Saved(const Gl& gl) : gl_(gl) {}
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;

 protected:
  ~Saved() = default;
  const Gl& gl_;
};

/// Program, vertex array, GL_ARRAY_BUFFER, GL_TEXTURE_BUFFER and GL_DRAW_INDIRECT_BUFFER bindings, active texture, and
/// the textures and samplers of units 0 and 1. OpenGL ES has no buffer textures or indirect draws.
class SavedBindings : public Saved {
 public:
  explicit SavedBindings(const Gl& gl) : Saved(gl) {
    for (GLuint i = 0; i < units_.size(); ++i) {
      gl_.ActiveTexture(GL_TEXTURE0 + i);
      units_[i] = {get_name(gl_, GL_TEXTURE_BINDING_2D), gl_.is_es ? 0 : get_name(gl_, GL_TEXTURE_BINDING_BUFFER),
                   get_name(gl_, GL_SAMPLER_BINDING)};
    }
  }
  ~SavedBindings() {
    // A program that was deleted while in use no longer exists.
    gl_.UseProgram(gl_.IsProgram(program_) == GL_TRUE ? program_ : 0);
    gl_.BindVertexArray(vertex_array_);
    bind(GL_ARRAY_BUFFER, array_buffer_);
    if (!gl_.is_es) bind(GL_TEXTURE_BUFFER, texture_buffer_);
    if (gl_.VERSION_4_0 != 0) bind(GL_DRAW_INDIRECT_BUFFER, indirect_buffer_);
    for (GLuint i = 0; i < units_.size(); ++i) {
      gl_.ActiveTexture(GL_TEXTURE0 + i);
      gl_.BindTexture(GL_TEXTURE_2D, units_[i].texture_2d);
      if (!gl_.is_es) gl_.BindTexture(GL_TEXTURE_BUFFER, units_[i].texture_buffer);
      gl_.BindSampler(i, units_[i].sampler);
    }
    gl_.ActiveTexture(active_texture_);
  }

 private:
  // With StateHandling::dirty, an earlier draw can have left a buffer bound that was deleted since.
  void bind(GLenum target, GLuint buffer) const {
    gl_.BindBuffer(target, gl_.IsBuffer(buffer) == GL_TRUE ? buffer : 0);
  }

  struct Unit {
    GLuint texture_2d = 0, texture_buffer = 0, sampler = 0;
  };
  GLuint program_ = get_name(gl_, GL_CURRENT_PROGRAM);
  GLuint vertex_array_ = get_name(gl_, GL_VERTEX_ARRAY_BINDING);
  GLuint array_buffer_ = get_name(gl_, GL_ARRAY_BUFFER_BINDING);
  GLuint texture_buffer_ = gl_.is_es ? 0 : get_name(gl_, GL_TEXTURE_BUFFER);
  GLuint indirect_buffer_ = gl_.VERSION_4_0 != 0 ? get_name(gl_, GL_DRAW_INDIRECT_BUFFER_BINDING) : 0;
  GLenum active_texture_ = get_name(gl_, GL_ACTIVE_TEXTURE);
  std::array<Unit, 2> units_{};
};

/// The 2D textures and samplers of the units after those of SavedBindings. Saves a unit when it is first needed.
class SavedImageUnits : public Saved {
 public:
  using Saved::Saved;
  /// Saves all units up to `last`.
  void save(GLuint last) {
    for (; next_ <= last; ++next_) {
      gl_.ActiveTexture(GL_TEXTURE0 + next_);
      units_[next_] = {get_name(gl_, GL_TEXTURE_BINDING_2D), get_name(gl_, GL_SAMPLER_BINDING)};
    }
  }
  ~SavedImageUnits() {
    for (GLuint unit = kFirst; unit < next_; ++unit) {
      gl_.ActiveTexture(GL_TEXTURE0 + unit);
      gl_.BindTexture(GL_TEXTURE_2D, units_[unit].texture);
      gl_.BindSampler(unit, units_[unit].sampler);
    }
  }

 private:
  static constexpr GLuint kFirst = 2;
  struct Unit {
    GLuint texture = 0, sampler = 0;
  };
  GLuint next_ = kFirst;
  std::array<Unit, 16> units_{};
};

/// Blending of draw buffer 0.
struct Blending {
  bool enabled = false;
  GLenum equation_rgb = GL_FUNC_ADD, equation_alpha = GL_FUNC_ADD;
  GLenum source_rgb = GL_ONE, target_rgb = GL_ZERO;
  GLenum source_alpha = GL_ONE, target_alpha = GL_ZERO;
};

/// Returns the blending for premultiplied colors. Blend::add has that of Blend::normal, for pixels with alpha 0.
[[nodiscard]] inline Blending blending_of(Blend blend) noexcept {
  switch (blend) {
    case Blend::multiply:
      return {true, GL_FUNC_ADD, GL_FUNC_ADD, GL_DST_COLOR, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE};
    case Blend::screen:
      return {true, GL_FUNC_ADD, GL_FUNC_ADD, GL_ONE, GL_ONE_MINUS_SRC_COLOR, GL_ONE, GL_ONE_MINUS_SRC_ALPHA};
    default:
      return {true, GL_FUNC_ADD, GL_FUNC_ADD, GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA};
  }
}

// An engine can have set up the other draw buffers differently.
inline void set_blending(const Gl& gl, const Blending& blending) {
  if (gl.is_es) {
    set_enabled(gl, GL_BLEND, blending.enabled);
  } else {
    blending.enabled ? gl.Enablei(GL_BLEND, 0) : gl.Disablei(GL_BLEND, 0);
  }
  if (gl.VERSION_4_0 != 0) {
    gl.BlendEquationSeparatei(0, blending.equation_rgb, blending.equation_alpha);
    gl.BlendFuncSeparatei(0, blending.source_rgb, blending.target_rgb, blending.source_alpha, blending.target_alpha);
  } else {
    gl.BlendEquationSeparate(blending.equation_rgb, blending.equation_alpha);
    gl.BlendFuncSeparate(blending.source_rgb, blending.target_rgb, blending.source_alpha, blending.target_alpha);
  }
}

/// Tests that drawing disables or changes. OpenGL ES lacks the last, and possibly the one before.
inline constexpr std::array<GLenum, 5> kTests{GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_FRAMEBUFFER_SRGB,
                                              GL_PRIMITIVE_RESTART};
[[nodiscard]] inline std::span<const GLenum> tests_of(const Gl& gl) noexcept {
  return std::span(kTests).first(!gl.is_es ? kTests.size() : gl.has_srgb_switch ? 4 : 3);
}

/// Blending and tests.
class SavedTests : public Saved {
 public:
  explicit SavedTests(const Gl& gl) : Saved(gl) {
    for (std::size_t i = 0; i < tests_.size(); ++i) enabled_[i] = gl_.IsEnabled(tests_[i]) == GL_TRUE;
  }
  ~SavedTests() {
    set_blending(gl_, blending_);
    for (std::size_t i = 0; i < tests_.size(); ++i) set_enabled(gl_, tests_[i], enabled_[i]);
  }

 private:
  std::span<const GLenum> tests_ = tests_of(gl_);
  Blending blending_{(gl_.is_es ? gl_.IsEnabled(GL_BLEND) : gl_.IsEnabledi(GL_BLEND, 0)) == GL_TRUE,
                     get_name(gl_, GL_BLEND_EQUATION_RGB),
                     get_name(gl_, GL_BLEND_EQUATION_ALPHA),
                     get_name(gl_, GL_BLEND_SRC_RGB),
                     get_name(gl_, GL_BLEND_DST_RGB),
                     get_name(gl_, GL_BLEND_SRC_ALPHA),
                     get_name(gl_, GL_BLEND_DST_ALPHA)};
  std::array<bool, kTests.size()> enabled_{};
};

/// Depth function and mask, front face and cull face.
class SavedDepth : public Saved {
 public:
  using Saved::Saved;
  ~SavedDepth() {
    gl_.DepthFunc(function_);
    gl_.CullFace(culled_side_);
    gl_.FrontFace(front_face_);
    gl_.DepthMask(mask_ != 0 ? GL_TRUE : GL_FALSE);
  }

 private:
  GLenum function_ = get_name(gl_, GL_DEPTH_FUNC);
  GLenum culled_side_ = get_name(gl_, GL_CULL_FACE_MODE);
  GLenum front_face_ = get_name(gl_, GL_FRONT_FACE);
  GLint mask_ = get_integer(gl_, GL_DEPTH_WRITEMASK);
};

/// Enums for one direction of pixel transfer. The last parameter does not exist on OpenGL ES.
struct PixelTransfer {
  GLenum target, binding;
  std::array<GLenum, 5> parameters;
};

[[nodiscard]] inline std::size_t parameter_count(const Gl& gl) noexcept { return gl.is_es ? 4 : 5; }

inline constexpr PixelTransfer kUnpack{
    GL_PIXEL_UNPACK_BUFFER,
    GL_PIXEL_UNPACK_BUFFER_BINDING,
    {GL_UNPACK_ALIGNMENT, GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SWAP_BYTES}};
inline constexpr PixelTransfer kPack{
    GL_PIXEL_PACK_BUFFER,
    GL_PIXEL_PACK_BUFFER_BINDING,
    {GL_PACK_ALIGNMENT, GL_PACK_ROW_LENGTH, GL_PACK_SKIP_PIXELS, GL_PACK_SKIP_ROWS, GL_PACK_SWAP_BYTES}};

/// Sets OpenGL's defaults: tightly packed rows of four-byte pixels, to or from client memory.
inline void reset_pixel_transfer(const Gl& gl, const PixelTransfer& direction) {
  for (std::size_t i = 0; i < parameter_count(gl); ++i) {
    gl.PixelStorei(direction.parameters[i], i == 0 ? 4 : 0);  // The first is the alignment.
  }
  gl.BindBuffer(direction.target, 0);
}

/// Pixel transfer parameters of one direction, and its buffer. Resets them for the lifetime of the guard.
class SavedPixelTransfer : public Saved {
 public:
  SavedPixelTransfer(const Gl& gl, const PixelTransfer& direction)
      : Saved(gl), direction_(direction), buffer_(get_name(gl, direction.binding)) {
    for (std::size_t i = 0; i < parameter_count(gl_); ++i) values_[i] = get_integer(gl_, direction_.parameters[i]);
    reset_pixel_transfer(gl, direction);
  }
  ~SavedPixelTransfer() {
    for (std::size_t i = 0; i < parameter_count(gl_); ++i) gl_.PixelStorei(direction_.parameters[i], values_[i]);
    gl_.BindBuffer(direction_.target, buffer_);
  }

 private:
  const PixelTransfer& direction_;
  GLuint buffer_;
  std::array<GLint, 5> values_{};
};

/// All state that drawing changes.
struct SavedState {
  SavedState(const Gl& gl, bool with_depth) : bindings(gl), units(gl), tests(gl) {
    if (with_depth) depth.emplace(gl);
    if (gl.is_es) unpacking.emplace(gl, kUnpack);
  }
  SavedBindings bindings;
  SavedImageUnits units;
  SavedTests tests;
  std::optional<SavedDepth> depth;
  std::optional<SavedPixelTransfer> unpacking;
};

/// Sets the color mask of draw buffer 0, or of all of them on OpenGL ES.
inline void set_color_mask(const Gl& gl, const std::array<GLboolean, 4>& mask) {
  gl.is_es ? gl.ColorMask(mask[0], mask[1], mask[2], mask[3]) : gl.ColorMaski(0, mask[0], mask[1], mask[2], mask[3]);
}

/// Framebuffers, renderbuffer, viewport, scissor test, and the color mask of draw buffer 0.
class SavedTarget : public Saved {
 public:
  explicit SavedTarget(const Gl& gl) : Saved(gl) {
    gl_.GetIntegerv(GL_VIEWPORT, viewport_.data());
    gl_.is_es ? gl_.GetBooleanv(GL_COLOR_WRITEMASK, color_mask_.data())
              : gl_.GetBooleani_v(GL_COLOR_WRITEMASK, 0, color_mask_.data());
  }
  ~SavedTarget() {
    gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, draw_framebuffer_);
    gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, read_framebuffer_);
    gl_.BindRenderbuffer(GL_RENDERBUFFER, renderbuffer_);
    gl_.Viewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    set_color_mask(gl_, color_mask_);
    set_enabled(gl_, GL_SCISSOR_TEST, scissor_test_);
  }

 private:
  GLuint draw_framebuffer_ = get_name(gl_, GL_DRAW_FRAMEBUFFER_BINDING);
  GLuint read_framebuffer_ = get_name(gl_, GL_READ_FRAMEBUFFER_BINDING);
  GLuint renderbuffer_ = get_name(gl_, GL_RENDERBUFFER_BINDING);
  std::array<GLint, 4> viewport_{};
  std::array<GLboolean, 4> color_mask_{};
  bool scissor_test_ = gl_.IsEnabled(GL_SCISSOR_TEST) == GL_TRUE;
};

}  // namespace pchr
