// SPDX-License-Identifier: MIT
// A few timer queries in turn.
#include "gpu_timer.hpp"

#include <glad/gl.h>

namespace pchr::player {

GpuTimer::GpuTimer(GetProcAddress get_proc_address) {
  auto gl = std::make_unique<GladGLContext>();
  if (gladLoadGLContext(gl.get(), get_proc_address) == 0) return;
  gl_ = std::move(gl);
  gl_->GenQueries(static_cast<GLsizei>(kQueries), queries_.data());
}

GpuTimer::~GpuTimer() {
  if (gl_) gl_->DeleteQueries(static_cast<GLsizei>(kQueries), queries_.data());
}

void GpuTimer::begin() {
  if (!gl_) return;
  collect();
  // Where all are still under way this picture goes untimed.
  running_ = begun_ - collected_ < kQueries;
  if (running_) gl_->BeginQuery(GL_TIME_ELAPSED, queries_[begun_ % kQueries]);
}

void GpuTimer::end() {
  if (!running_) return;
  gl_->EndQuery(GL_TIME_ELAPSED);
  ++begun_;
  running_ = false;
}

void GpuTimer::collect() {
  for (; collected_ < begun_; ++collected_) {
    const GLuint query = queries_[collected_ % kQueries];
    GLuint ready = GL_FALSE;
    gl_->GetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &ready);
    if (ready == GL_FALSE) return;
    GLuint64 nanoseconds = 0;
    gl_->GetQueryObjectui64v(query, GL_QUERY_RESULT, &nanoseconds);
    milliseconds_ = static_cast<double>(nanoseconds) * 1e-6;
  }
}

}  // namespace pchr::player
