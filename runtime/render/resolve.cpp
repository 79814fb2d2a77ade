// SPDX-License-Identifier: MIT
#include "render/resolve.hpp"

#include "character/format.hpp"
#include "render/gl_state.hpp"
#include "render/program.hpp"

#include <algorithm>

namespace pchr {
namespace {

constexpr char kCoverAll[] = R"(#version 330 core
void main() { gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 2 * (gl_VertexID & 2) - 1, 0, 1); }
)";

constexpr char kAverage[] = R"(
uniform sampler2DMS image;
out vec4 color;
void main() {
  vec4 sum = vec4(0);
  for (int i = 0; i < SAMPLES; ++i) sum += texelFetch(image, ivec2(gl_FragCoord.xy), i);
  color = sum * (1.0 / float(SAMPLES));
}
)";

/// Returns whether a triangle would fill the framebuffer and change nothing else, given what SavedTests does not have.
bool draws_plainly(const Gl& gl) {
  constexpr std::array kCapabilities{GL_RASTERIZER_DISCARD, GL_COLOR_LOGIC_OP, GL_CLIP_DISTANCE0, GL_CLIP_DISTANCE1,
                                     GL_CLIP_DISTANCE2,     GL_CLIP_DISTANCE3, GL_CLIP_DISTANCE4, GL_CLIP_DISTANCE5,
                                     GL_CLIP_DISTANCE6,     GL_CLIP_DISTANCE7};
  constexpr std::array kQueries{GL_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED, GL_PRIMITIVES_GENERATED};
  const auto is_active = [&](GLenum query) {
    GLint name = 0;
    gl.GetQueryiv(query, GL_CURRENT_QUERY, &name);
    return name != 0;
  };
  std::array<GLint, 2> polygon_modes{};  // Some contexts have one for each side.
  gl.GetIntegerv(GL_POLYGON_MODE, polygon_modes.data());
  return polygon_modes[0] == GL_FILL && get_integer(gl, GL_TRANSFORM_FEEDBACK_ACTIVE) == GL_FALSE &&
         std::ranges::none_of(kCapabilities, [&](GLenum each) { return gl.IsEnabled(each) == GL_TRUE; }) &&
         std::ranges::none_of(kQueries, is_active);
}

}  // namespace

Resolver::Resolver(std::shared_ptr<const Gl> gl, GLsizei samples) : gl_(std::move(gl)) {
  const std::string head = format_text("#version 330 core\n#define SAMPLES {}\n", samples);
  const auto program = link_program(*gl_, {{GL_VERTEX_SHADER, "the shaders", {kCoverAll}},
                                           {GL_FRAGMENT_SHADER, "the shaders", {head.c_str(), kAverage}}});
  program_ = program.value_or(0);
  gl_->GenVertexArrays(1, &vertex_array_);
}

Resolver::~Resolver() {
  gl_->DeleteProgram(program_);
  gl_->DeleteVertexArrays(1, &vertex_array_);
}

bool Resolver::resolve(GLuint texture, GLsizei width, GLsizei height) const {
  const Gl& gl = *gl_;
  if (program_ == 0 || !draws_plainly(gl)) return false;
  const SavedBindings bindings(gl);
  const SavedTests tests(gl);
  for (const GLenum test : tests_of(gl)) gl.Disable(test);
  set_blending(gl, {});
  gl.Viewport(0, 0, width, height);
  gl.Disable(GL_SCISSOR_TEST);
  set_color_mask(gl, {GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE});
  gl.ActiveTexture(GL_TEXTURE0);
  const GLuint before = get_name(gl, GL_TEXTURE_BINDING_2D_MULTISAMPLE);
  gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
  gl.UseProgram(program_);
  gl.BindVertexArray(vertex_array_);
  gl.DrawArrays(GL_TRIANGLES, 0, 3);
  gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, before);
  return true;
}

}  // namespace pchr
