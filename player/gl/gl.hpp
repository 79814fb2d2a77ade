// SPDX-License-Identifier: MIT
// The player's own OpenGL: one function table, objects that delete themselves, and a timer.
#pragma once

#include <pchr/renderer.hpp>

#include <glad/gl.h>

#include <array>
#include <optional>
#include <utility>

namespace pchr::player {

using Color = std::array<float, 3>;

/// Loads the functions of the current context. The player has one context, which must outlive all objects.
[[nodiscard]] Expected<void, RenderError> load_gl(GetProcAddress get_proc_address);
[[nodiscard]] const GladGLContext& gl() noexcept;

/// Owns an OpenGL object; 0 for none.
template <auto kDelete, auto kGenerate = nullptr>
class GlObject {
 public:
  GlObject() = default;
  explicit GlObject(GLuint name) noexcept : name_(name) {}
  GlObject(GlObject&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlObject() {
    if constexpr (kGenerate != nullptr) {
      if (name_ != 0) (gl().*kDelete)(1, &name_);
    } else {
      if (name_ != 0) (gl().*kDelete)(name_);
    }
  }
  [[nodiscard]] static GlObject make() {
    GlObject object;
    (gl().*kGenerate)(1, &object.name_);
    return object;
  }
  [[nodiscard]] GLuint get() const noexcept { return name_; }
  [[nodiscard]] explicit operator bool() const noexcept { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

using GlBuffer = GlObject<&GladGLContext::DeleteBuffers, &GladGLContext::GenBuffers>;
using GlFramebuffer = GlObject<&GladGLContext::DeleteFramebuffers, &GladGLContext::GenFramebuffers>;
using GlQuery = GlObject<&GladGLContext::DeleteQueries, &GladGLContext::GenQueries>;
using GlRenderbuffer = GlObject<&GladGLContext::DeleteRenderbuffers, &GladGLContext::GenRenderbuffers>;
using GlTexture = GlObject<&GladGLContext::DeleteTextures, &GladGLContext::GenTextures>;
using GlVertexArray = GlObject<&GladGLContext::DeleteVertexArrays, &GladGLContext::GenVertexArrays>;
using GlProgram = GlObject<&GladGLContext::DeleteProgram>;

struct ProgramSource {
  GlProgram& program;
  const char* vertex;
  const char* fragment;
};
/// Compiles and links programs. Fails if one does not build.
[[nodiscard]] Expected<void, RenderError> link_programs(std::initializer_list<ProgramSource> sources);
[[nodiscard]] inline GLint uniform(const GlProgram& program, const char* name) {
  return gl().GetUniformLocation(program.get(), name);
}
/// Draws a triangle that covers the viewport.
void draw_covering(const GlVertexArray& empty);
/// Blends premultiplied colors over the framebuffer until GL_BLEND is disabled.
void begin_blending();

/// Times the commands between begin() and end() on the GPU without stalling: results arrive a few frames later.
class GpuTimer {
 public:
  void begin() {
    collect();
    // This frame is not timed if all queries are pending.
    running_ = begun_ - collected_ < kQueries;
    if (running_) gl().BeginQuery(GL_TIME_ELAPSED, query(begun_));
  }
  void end() {
    if (!std::exchange(running_, false)) return;
    gl().EndQuery(GL_TIME_ELAPSED);
    ++begun_;
  }
  /// Returns the time of the latest frame with a result.
  [[nodiscard]] std::optional<double> milliseconds() const noexcept { return milliseconds_; }

 private:
  static constexpr std::size_t kQueries = 4;

  [[nodiscard]] GLuint query(std::uint64_t number) const { return queries_[number % kQueries].get(); }
  void collect() {
    for (; collected_ < begun_; ++collected_) {
      GLuint ready = GL_FALSE;
      gl().GetQueryObjectuiv(query(collected_), GL_QUERY_RESULT_AVAILABLE, &ready);
      if (ready == GL_FALSE) return;
      GLuint64 nanoseconds = 0;
      gl().GetQueryObjectui64v(query(collected_), GL_QUERY_RESULT, &nanoseconds);
      milliseconds_ = static_cast<double>(nanoseconds) * 1e-6;
    }
  }

  std::array<GlQuery, kQueries> queries_{GlQuery::make(), GlQuery::make(), GlQuery::make(), GlQuery::make()};
  std::uint64_t begun_ = 0;      ///< Number of queries started.
  std::uint64_t collected_ = 0;  ///< Number of results read.
  bool running_ = false;
  std::optional<double> milliseconds_;
};

}  // namespace pchr::player
