// SPDX-License-Identifier: MIT
// OpenGL ES 3.0 of a web page: functions that the WebAssembly module imports from "gl", named without their prefix.
#include "render/gl.hpp"

#include <type_traits>

// The functions that drawing on OpenGL ES needs.
#define PCHR_GL_FUNCTIONS(use)                                                                                         \
  use(ActiveTexture) use(AttachShader) use(BindBuffer) use(BindSampler) use(BindTexture) use(BindVertexArray)          \
      use(BlendEquationSeparate) use(BlendFuncSeparate) use(BufferData) use(BufferSubData) use(ClearBufferfv)          \
          use(CompileShader) use(CopyBufferSubData) use(CreateProgram) use(CreateShader) use(CullFace)                 \
              use(DeleteBuffers) use(DeleteProgram) use(DeleteSamplers) use(DeleteShader) use(DeleteTextures)          \
                  use(DeleteVertexArrays) use(DepthFunc) use(DepthMask) use(Disable) use(DisableVertexAttribArray)     \
                      use(DrawElementsInstanced) use(Enable) use(EnableVertexAttribArray) use(FrontFace)               \
                          use(GenBuffers) use(GenSamplers) use(GenTextures) use(GenVertexArrays) use(GenerateMipmap)   \
                              use(GetIntegerv) use(GetProgramInfoLog) use(GetProgramiv) use(GetShaderInfoLog)          \
                                  use(GetShaderiv) use(GetUniformLocation) use(IsBuffer) use(IsEnabled) use(IsProgram) \
                                      use(LinkProgram) use(PixelStorei) use(SamplerParameteri) use(ShaderSource)       \
                                          use(TexImage2D) use(TexParameteri) use(TexSubImage2D) use(Uniform1f)         \
                                              use(Uniform1i) use(Uniform1iv) use(Uniform4fv) use(UniformMatrix3fv)     \
                                                  use(UniformMatrix3x2fv) use(UniformMatrix4fv) use(UseProgram)        \
                                                      use(VertexAttribDivisor) use(VertexAttribIPointer)               \
                                                          use(VertexAttribPointer)

#define PCHR_IMPORT(name)                                                                                             \
  extern "C" __attribute__((import_module("gl"), import_name(#name))) std::remove_pointer_t<decltype(pchr::Gl::name)> \
      pchr_gl##name;
PCHR_GL_FUNCTIONS(PCHR_IMPORT)

namespace pchr {

Expected<std::shared_ptr<Gl>, RenderError> load_gl(GetProcAddress /*get_proc_address*/) {
  const auto gl = std::make_shared<Gl>();
  gl->is_es = true;
  gl->has_srgb_switch = false;
#define PCHR_ASSIGN(name) gl->name = pchr_gl##name;
  PCHR_GL_FUNCTIONS(PCHR_ASSIGN)
  return gl;
}

Expected<std::shared_ptr<Gl>, RenderError> load_gl(GetProcAddressPointer /*get_proc_address*/) {
  return load_gl(GetProcAddress{});
}

}  // namespace pchr
