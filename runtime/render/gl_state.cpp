// SPDX-License-Identifier: MIT
// Guards that put OpenGL state back as it was.
#include "render/gl_state.hpp"

namespace pchr {
namespace {

struct PixelTransferNames {
  GLenum target, binding;
  std::array<GLenum, 8> parameters;
};

constexpr std::array<PixelTransferNames, 2> kPixelTransferNames{
    {{GL_PIXEL_UNPACK_BUFFER,
      GL_PIXEL_UNPACK_BUFFER_BINDING,
      {GL_UNPACK_ALIGNMENT, GL_UNPACK_SWAP_BYTES, GL_UNPACK_LSB_FIRST, GL_UNPACK_ROW_LENGTH, GL_UNPACK_IMAGE_HEIGHT,
       GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_IMAGES}},
     {GL_PIXEL_PACK_BUFFER,
      GL_PIXEL_PACK_BUFFER_BINDING,
      {GL_PACK_ALIGNMENT, GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST, GL_PACK_ROW_LENGTH, GL_PACK_IMAGE_HEIGHT,
       GL_PACK_SKIP_PIXELS, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_IMAGES}}}};
constexpr std::array<GLint, 8> kDefaultPixelTransfer{4, 0, 0, 0, 0, 0, 0, 0};

const PixelTransferNames& names_of(PixelTransfer direction) {
  return kPixelTransferNames[static_cast<std::size_t>(direction)];
}

Blending get_blending(const Gl& gl) {
  return {gl.IsEnabledi(GL_BLEND, 0) == GL_TRUE, get_name(gl, GL_BLEND_EQUATION_RGB),
          get_name(gl, GL_BLEND_EQUATION_ALPHA), get_name(gl, GL_BLEND_SRC_RGB),
          get_name(gl, GL_BLEND_DST_RGB),        get_name(gl, GL_BLEND_SRC_ALPHA),
          get_name(gl, GL_BLEND_DST_ALPHA)};
}

}  // namespace

// Only of draw buffer 0, the one that is drawn to: an engine may have set up the others on their own.
void set_blending(const Gl& gl, const Blending& blending) {
  blending.enabled ? gl.Enablei(GL_BLEND, 0) : gl.Disablei(GL_BLEND, 0);
  if (gl.VERSION_4_0 != 0) {
    gl.BlendEquationSeparatei(0, blending.equation_rgb, blending.equation_alpha);
    gl.BlendFuncSeparatei(0, blending.source_rgb, blending.target_rgb, blending.source_alpha, blending.target_alpha);
  } else {
    gl.BlendEquationSeparate(blending.equation_rgb, blending.equation_alpha);
    gl.BlendFuncSeparate(blending.source_rgb, blending.target_rgb, blending.source_alpha, blending.target_alpha);
  }
}

SavedBindings::SavedBindings(const Gl& gl)
    : gl_(gl),
      program_(get_name(gl_, GL_CURRENT_PROGRAM)),
      vertex_array_(get_name(gl_, GL_VERTEX_ARRAY_BINDING)),
      array_buffer_(get_name(gl_, GL_ARRAY_BUFFER_BINDING)),
      texture_buffer_(get_name(gl_, GL_TEXTURE_BUFFER)),
      indirect_buffer_(gl_.VERSION_4_0 != 0 ? get_name(gl_, GL_DRAW_INDIRECT_BUFFER_BINDING) : 0),
      active_texture_(get_name(gl_, GL_ACTIVE_TEXTURE)) {
  for (GLuint i = 0; i < units_.size(); ++i) {
    gl_.ActiveTexture(GL_TEXTURE0 + i);
    units_[i] = {get_name(gl_, GL_TEXTURE_BINDING_2D), get_name(gl_, GL_TEXTURE_BINDING_BUFFER),
                 get_name(gl_, GL_SAMPLER_BINDING)};
  }
}

SavedBindings::~SavedBindings() {
  // A program that was deleted while in use is gone by now.
  gl_.UseProgram(gl_.IsProgram(program_) == GL_TRUE ? program_ : 0);
  gl_.BindVertexArray(vertex_array_);
  // What a draw without restoring left bound may have been replaced since: deleting a buffer unbinds it.
  const auto bind = [&](GLenum target, GLuint buffer) {
    gl_.BindBuffer(target, gl_.IsBuffer(buffer) == GL_TRUE ? buffer : 0);
  };
  bind(GL_ARRAY_BUFFER, array_buffer_);
  bind(GL_TEXTURE_BUFFER, texture_buffer_);
  if (gl_.VERSION_4_0 != 0) bind(GL_DRAW_INDIRECT_BUFFER, indirect_buffer_);
  for (GLuint i = 0; i < units_.size(); ++i) {
    gl_.ActiveTexture(GL_TEXTURE0 + i);
    gl_.BindTexture(GL_TEXTURE_2D, units_[i].texture_2d);
    gl_.BindTexture(GL_TEXTURE_BUFFER, units_[i].texture_buffer);
    gl_.BindSampler(i, units_[i].sampler);
  }
  gl_.ActiveTexture(active_texture_);
}

SavedTests::SavedTests(const Gl& gl)
    : gl_(gl),
      blending_(get_blending(gl_)),
      depth_test_(gl_.IsEnabled(GL_DEPTH_TEST) == GL_TRUE),
      stencil_test_(gl_.IsEnabled(GL_STENCIL_TEST) == GL_TRUE),
      cull_face_(gl_.IsEnabled(GL_CULL_FACE) == GL_TRUE),
      primitive_restart_(gl_.IsEnabled(GL_PRIMITIVE_RESTART) == GL_TRUE),
      framebuffer_srgb_(gl_.IsEnabled(GL_FRAMEBUFFER_SRGB) == GL_TRUE) {}

SavedTests::~SavedTests() {
  set_blending(gl_, blending_);
  set_enabled(gl_, GL_DEPTH_TEST, depth_test_);
  set_enabled(gl_, GL_STENCIL_TEST, stencil_test_);
  set_enabled(gl_, GL_CULL_FACE, cull_face_);
  set_enabled(gl_, GL_PRIMITIVE_RESTART, primitive_restart_);
  set_enabled(gl_, GL_FRAMEBUFFER_SRGB, framebuffer_srgb_);
}

SavedDepth::SavedDepth(const Gl& gl)
    : gl_(gl),
      depth_function_(get_name(gl_, GL_DEPTH_FUNC)),
      culled_side_(get_name(gl_, GL_CULL_FACE_MODE)),
      front_face_(get_name(gl_, GL_FRONT_FACE)) {
  gl_.GetBooleanv(GL_DEPTH_WRITEMASK, &depth_mask_);
}

SavedDepth::~SavedDepth() {
  gl_.DepthFunc(depth_function_);
  gl_.CullFace(culled_side_);
  gl_.FrontFace(front_face_);
  gl_.DepthMask(depth_mask_);
}

SavedPixelTransfer::SavedPixelTransfer(const Gl& gl, PixelTransfer direction)
    : gl_(gl), direction_(direction), buffer_(get_name(gl_, names_of(direction).binding)) {
  const PixelTransferNames& names = names_of(direction);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i] = get_integer(gl_, names.parameters[i]);
    gl_.PixelStorei(names.parameters[i], kDefaultPixelTransfer[i]);
  }
  gl_.BindBuffer(names.target, 0);
}

SavedPixelTransfer::~SavedPixelTransfer() {
  const PixelTransferNames& names = names_of(direction_);
  for (std::size_t i = 0; i < values_.size(); ++i) gl_.PixelStorei(names.parameters[i], values_[i]);
  gl_.BindBuffer(names.target, buffer_);
}

SavedTarget::SavedTarget(const Gl& gl)
    : gl_(gl),
      draw_framebuffer_(get_name(gl_, GL_DRAW_FRAMEBUFFER_BINDING)),
      read_framebuffer_(get_name(gl_, GL_READ_FRAMEBUFFER_BINDING)),
      renderbuffer_(get_name(gl_, GL_RENDERBUFFER_BINDING)),
      scissor_test_(gl_.IsEnabled(GL_SCISSOR_TEST) == GL_TRUE) {
  gl_.GetIntegerv(GL_VIEWPORT, viewport_.data());
  gl_.GetBooleani_v(GL_COLOR_WRITEMASK, 0, color_mask_.data());
}

SavedTarget::~SavedTarget() {
  gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, draw_framebuffer_);
  gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, read_framebuffer_);
  gl_.BindRenderbuffer(GL_RENDERBUFFER, renderbuffer_);
  gl_.Viewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
  gl_.ColorMaski(0, color_mask_[0], color_mask_[1], color_mask_[2], color_mask_[3]);
  set_enabled(gl_, GL_SCISSOR_TEST, scissor_test_);
}

}  // namespace pchr
