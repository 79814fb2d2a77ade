// SPDX-License-Identifier: MIT
#pragma once

#include "gl/gl.hpp"

#include <array>
#include <optional>

namespace pchr::player {

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
