// SPDX-License-Identifier: MIT
#include "hardware.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace pchr::bench {
namespace {

constexpr const char* kGridShader = R"(#version 330 core
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); }
)";

constexpr const char* kScreenShader = R"(#version 330 core
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }
)";

constexpr const char* kColorShader = R"(#version 330 core
layout(location = 0) out vec4 color;
void main() { color = vec4(0.1, 0.1, 0.1, 0.2); }
)";

constexpr const char* kTextureShader = R"(#version 330 core
uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = texture(image, gl_FragCoord.xy / vec2(textureSize(image, 0))); }
)";

GLuint compile(const Gl& gl, GLenum kind, const char* source) {
  const GLuint shader = gl.CreateShader(kind);
  gl.ShaderSource(shader, 1, &source, nullptr);
  gl.CompileShader(shader);
  return shader;
}

GLuint link(const Gl& gl, const char* vertex_source, const char* fragment_source) {
  const GLuint program = gl.CreateProgram();
  for (const GLuint shader :
       {compile(gl, GL_VERTEX_SHADER, vertex_source), compile(gl, GL_FRAGMENT_SHADER, fragment_source)}) {
    gl.AttachShader(program, shader);
    gl.DeleteShader(shader);
  }
  gl.LinkProgram(program);
  GLint is_linked = GL_FALSE;
  gl.GetProgramiv(program, GL_LINK_STATUS, &is_linked);
  if (is_linked != GL_TRUE) {
    std::fputs("gpu_bench: the driver rejected a shader\n", stderr);
    std::exit(1);
  }
  return program;
}

void fill_grid(const Gl& gl, std::uint32_t side) {
  std::vector<std::array<float, 2>> positions;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t y = 0; y <= side; ++y) {
    for (std::uint32_t x = 0; x <= side; ++x) {
      const auto place = [&](std::uint32_t at) { return 2.0F * static_cast<float>(at) / static_cast<float>(side) - 1; };
      positions.push_back({place(x), place(y)});
      if (x == side || y == side) continue;
      const std::uint32_t corner = y * (side + 1) + x, above = corner + side + 1;
      indices.insert(indices.end(), {corner, corner + 1, above, above, corner + 1, above + 1});
    }
  }
  gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(positions.size() * sizeof(positions[0])), positions.data(),
                GL_STATIC_DRAW);
  gl.BufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(indices[0])), indices.data(),
                GL_STATIC_DRAW);
  gl.VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(positions[0]), nullptr);
  gl.EnableVertexAttribArray(0);
}

}  // namespace

HardwareRates measure_hardware(const Device& device, const Effort& effort) {
  const Gl& gl = *device.gl;
  const auto side = static_cast<GLsizei>(effort.side);
  const GLsizei texture_side = 2 * side;
  const double texels = static_cast<double>(texture_side) * texture_side;
  HardwareRates rates;

  GLuint vertex_array = 0, buffers[2] = {}, texture = 0;
  gl.GenVertexArrays(1, &vertex_array);
  gl.GenBuffers(2, buffers);
  gl.GenTextures(1, &texture);
  gl.BindVertexArray(vertex_array);
  gl.BindBuffer(GL_ARRAY_BUFFER, buffers[0]);
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  fill_grid(gl, effort.side);

  const GLuint programs[] = {link(gl, kGridShader, kColorShader), link(gl, kScreenShader, kColorShader),
                             link(gl, kScreenShader, kTextureShader)};
  const double layers = effort.layers;
  gl.UseProgram(programs[0]);
  const auto draw_grid = [&] {
    gl.DrawElementsInstanced(GL_TRIANGLES, 6 * side * side, GL_UNSIGNED_INT, nullptr, effort.layers);
  };
  rates.vertices = layers * (side + 1.0) * (side + 1.0) / measure_vertices(device, effort.rounds, draw_grid).gpu;
  rates.triangles = layers * 2 * side * side / measure(device, effort.rounds, draw_grid).gpu;

  const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(texels) * 4, 60);
  const auto upload_texture = [&] {
    gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, texture_side, texture_side, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
  };
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, texture_side, texture_side, 0, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
  rates.mipmap_texels = texels / measure(device, effort.rounds, [&] { gl.GenerateMipmap(GL_TEXTURE_2D); }).whole;
  rates.texture_bytes = 4 * texels / measure(device, effort.rounds, upload_texture).whole;
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);

  gl.Enable(GL_BLEND);
  gl.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  const auto draw_layers = [&] { gl.DrawArraysInstanced(GL_TRIANGLES, 0, 3, effort.layers); };
  for (const auto& [program, rate] : {std::pair(programs[1], &rates.pixels), {programs[2], &rates.textured_pixels}}) {
    gl.UseProgram(program);
    *rate = layers * kWidth * kHeight / measure(device, effort.rounds, draw_layers).gpu;
  }
  gl.Disable(GL_BLEND);

  gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes.size()), nullptr, GL_STREAM_DRAW);
  const auto upload_buffer = [&] {
    gl.BufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(bytes.size()), bytes.data());
  };
  rates.buffer_bytes = 4 * texels / measure(device, effort.rounds, upload_buffer).whole;

  for (const GLuint program : programs) gl.DeleteProgram(program);
  gl.DeleteTextures(1, &texture);
  gl.DeleteBuffers(2, buffers);
  gl.DeleteVertexArrays(1, &vertex_array);
  return rates;
}

}  // namespace pchr::bench
