// SPDX-License-Identifier: MIT
#include "render/program.hpp"

#include "character/format.hpp"

#include <pchr_shaders.hpp>

#include <algorithm>

namespace pchr {
namespace {

// `get_parameter` and `get_log` are the functions for shaders or for programs.
template <typename Parameter, typename Log>
Expected<void, RenderError> check(GLuint object, GLenum status, Parameter get_parameter, Log get_log) {
  GLint fine = GL_FALSE, length = 0;
  get_parameter(object, status, &fine);
  if (fine == GL_TRUE) return {};
  get_parameter(object, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  get_log(object, length, nullptr, log.data());
  return fail(format_text("the driver rejected the shaders: {}", log.c_str()));
}

Expected<void, RenderError> compile(const Gl& gl, GLuint program, GLenum stage, const std::string& head,
                                    const char* body) {
  const GLuint shader = gl.CreateShader(stage);
  const std::array<const char*, 2> source{head.c_str(), body};
  gl.ShaderSource(shader, source.size(), source.data(), nullptr);
  gl.CompileShader(shader);
  gl.AttachShader(program, shader);
  auto result = check(shader, GL_COMPILE_STATUS, gl.GetShaderiv, gl.GetShaderInfoLog);
  gl.DeleteShader(shader);
  return result;
}

Expected<void, RenderError> build(const Gl& gl, BlendSpace space, ProgramKind kind, Program& program) {
  program.name = gl.CreateProgram();
  const std::string head =
      format_text("#version 330 core\n#define INFLUENCES {}\n#define SMOOTH {}\n#define LINEAR {}\n",
                  kind.many_influences ? 4 : 1, kind.smooth ? 1 : 0, space == BlendSpace::linear ? 1 : 0);
  const char* const vertex = kind.is_3d ? shaders::puppet_3d_vert : shaders::puppet_vert;
  const char* const fragment = kind.is_3d ? shaders::puppet_3d_frag : shaders::puppet_frag;
  if (auto done = compile(gl, program.name, GL_VERTEX_SHADER, head, vertex); !done) return done;
  if (auto done = compile(gl, program.name, GL_FRAGMENT_SHADER, head, fragment); !done) return done;
  gl.LinkProgram(program.name);
  if (auto done = check(program.name, GL_LINK_STATUS, gl.GetProgramiv, gl.GetProgramInfoLog); !done) return done;
  gl.UseProgram(program.name);
  gl.Uniform1i(gl.GetUniformLocation(program.name, "image"), kImageUnit);
  gl.Uniform1i(gl.GetUniformLocation(program.name, "palette"), kPaletteUnit);
  program.bones_per_row = gl.GetUniformLocation(program.name, "bones_per_row");
  program.world_to_clip = gl.GetUniformLocation(program.name, "world_to_clip");
  program.world_to_view = gl.GetUniformLocation(program.name, "world_to_view");
  return {};
}

}  // namespace

Expected<void, RenderError> build_programs(const Gl& gl, BlendSpace space, Programs& programs) {
  for (std::size_t number = 0; number < programs.size(); ++number) {
    const ProgramKind kind{(number & 1U) != 0, (number & 2U) != 0, (number & 4U) != 0};
    if (kind.number() != number) continue;
    if (auto done = build(gl, space, kind, programs[number]); !done) return done;
  }
  return {};
}

}  // namespace pchr
