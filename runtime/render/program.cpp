// SPDX-License-Identifier: MIT
#include "render/program.hpp"

#include "character/format.hpp"
#include "render/program_binary.hpp"

#include <pchr_shaders.hpp>

#include <algorithm>

namespace pchr {
namespace {

/// What all programs of a renderer share.
struct Source {
  const Gl& gl;
  BlendSpace space;
  const std::string& fragment_main;
};

// `get_parameter` and `get_log` are the functions for shaders or for programs.
template <typename Parameter, typename Log>
Expected<void, RenderError> check(GLuint object, GLenum status, const char* what, Parameter get_parameter,
                                  Log get_log) {
  GLint fine = GL_FALSE, length = 0;
  get_parameter(object, status, &fine);
  if (fine == GL_TRUE) return {};
  get_parameter(object, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  get_log(object, length, nullptr, log.data());
  return fail(format_text("the driver rejected {}: {}", what, log.c_str()));
}

std::string head(const Source& source, const ProgramKind& kind) {
  return format_text(
      "{}#define INFLUENCES {}\n#define SMOOTH {}\n#define LINEAR {}\n#define IS_3D {}\n"
      "#define LOOKS {}\n#define IMAGES {}\n#define HOOK {}\n",
      source.gl.is_es ? "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision mediump sampler2D;\n"
                      : "#version 330 core\n",
      kind.many_influences ? 4 : 1, kind.smooth ? 1 : 0, source.space == BlendSpace::linear ? 1 : 0, kind.is_3d ? 1 : 0,
      kind.looks != LookSupport::none ? 1 : 0, kind.looks == LookSupport::many_images ? kImageSlots : 1,
      source.fragment_main.empty() ? 0 : 1);
}

Expected<void, RenderError> build(const Source& source, ProgramKind kind, Program& program) {
  const Gl& gl = source.gl;
  const std::string defines = head(source, kind);
  const char* const vertex = kind.is_3d ? shaders::puppet_3d_vert : shaders::puppet_vert;
  ShaderSource fragment{GL_FRAGMENT_SHADER, "the shaders", {defines.c_str(), shaders::puppet_frag}};
  if (!source.fragment_main.empty()) {
    fragment.what = "fragment_main";
    // The log counts lines of the body, as those of string 1.
    fragment.parts.insert(fragment.parts.end(),
                          {"\nvec4 fragment_main(vec4 color) {\n#line 1 1\n", source.fragment_main.c_str(), "\n}\n"});
  }
  const auto linked = link_program(
      gl, {{GL_VERTEX_SHADER, "the shaders", {defines.c_str(), shaders::look_vert, vertex}}, std::move(fragment)});
  if (!linked) return Unexpected(linked.error());
  program.name = *linked;
  gl.UseProgram(program.name);
  std::array<GLint, kImageSlots> units{};
  for (std::size_t slot = 0; slot < units.size(); ++slot) units[slot] = static_cast<GLint>(unit_of(slot));
  const bool many = kind.looks == LookSupport::many_images;
  gl.Uniform1iv(gl.GetUniformLocation(program.name, "images"), many ? static_cast<GLsizei>(kImageSlots) : 1,
                units.data());
  gl.Uniform1i(gl.GetUniformLocation(program.name, "palette"), kPaletteUnit);
  program.bones_per_row = gl.GetUniformLocation(program.name, "bones_per_row");
  program.world_to_clip = gl.GetUniformLocation(program.name, "world_to_clip");
  program.world_to_view = gl.GetUniformLocation(program.name, "world_to_view");
  program.min_alpha = gl.GetUniformLocation(program.name, "min_alpha");
  program.effect_values = gl.GetUniformLocation(program.name, "effect_values");
  return {};
}

}  // namespace

Expected<GLuint, RenderError> link_program(const Gl& gl, std::initializer_list<ShaderSource> sources) {
  const GLuint program = gl.CreateProgram();
  const ProgramBinary binary(gl, sources);
  if (binary.load(program)) return program;
  const auto link = [&]() -> Expected<void, RenderError> {
    for (const auto& [stage, what, parts] : sources) {
      const GLuint shader = gl.CreateShader(stage);
      gl.ShaderSource(shader, static_cast<GLsizei>(parts.size()), parts.data(), nullptr);
      gl.CompileShader(shader);
      gl.AttachShader(program, shader);
      auto compiled = check(shader, GL_COMPILE_STATUS, what, gl.GetShaderiv, gl.GetShaderInfoLog);
      gl.DeleteShader(shader);
      if (!compiled) return compiled;
    }
    binary.before_linking(program);
    gl.LinkProgram(program);
    return check(program, GL_LINK_STATUS, "the shaders", gl.GetProgramiv, gl.GetProgramInfoLog);
  };
  auto linked = link();
  if (linked) {
    binary.store(program);
    return program;
  }
  gl.DeleteProgram(program);
  return Unexpected(std::move(linked.error()));
}

Programs::~Programs() {
  for (const Program& program : programs_) gl_->DeleteProgram(program.name);
}

Expected<const Program*, RenderError> Programs::get(ProgramKind kind) {
  Program& program = programs_[kind.number()];
  if (program.name != 0) return &program;
  if (auto done = build({*gl_, space_, fragment_main_}, kind, program); !done) {
    return Unexpected(std::move(done.error()));
  }
  return &program;
}

Expected<void, RenderError> Programs::compile_all() {
  for (std::size_t number = 0; number < programs_.size(); ++number) {
    const ProgramKind kind{(number & 1U) != 0, (number & 2U) != 0, (number & 4U) != 0,
                           static_cast<LookSupport>(number / 8)};
    if (kind.number() != number) continue;
    if (has_hook() && kind.looks == LookSupport::none) continue;
    if (auto done = get(kind); !done) return Unexpected(std::move(done.error()));
  }
  return {};
}

}  // namespace pchr
