// SPDX-License-Identifier: MIT
#include "gl/gpu_timer.hpp"

namespace pchr::player {

GpuTimer::GpuTimer() {
  for (GlQuery& query : queries_) query = make_gl<GlQuery>(gl().GenQueries);
}

void GpuTimer::begin() {
  collect();
  // Where all are still under way this frame goes untimed.
  running_ = begun_ - collected_ < kQueries;
  if (running_) gl().BeginQuery(GL_TIME_ELAPSED, queries_[begun_ % kQueries].get());
}

void GpuTimer::end() {
  if (!running_) return;
  gl().EndQuery(GL_TIME_ELAPSED);
  ++begun_;
  running_ = false;
}

void GpuTimer::collect() {
  for (; collected_ < begun_; ++collected_) {
    const GLuint query = queries_[collected_ % kQueries].get();
    GLuint ready = GL_FALSE;
    gl().GetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &ready);
    if (ready == GL_FALSE) return;
    GLuint64 nanoseconds = 0;
    gl().GetQueryObjectui64v(query, GL_QUERY_RESULT, &nanoseconds);
    milliseconds_ = static_cast<double>(nanoseconds) * 1e-6;
  }
}

}  // namespace pchr::player
