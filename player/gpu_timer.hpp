// SPDX-License-Identifier: MIT
// How long the graphics processor takes for a picture.
#pragma once

#include <pchr/renderer.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

struct GladGLContext;

namespace pchr::player {

/// Times the commands between begin() and end() by queries, and never waits for one: a time comes a few pictures later.
class GpuTimer {
 public:
  /// On the current OpenGL context, which must still be current when the timer ends. Where the functions cannot be
  /// loaded it gives no times.
  explicit GpuTimer(GetProcAddress get_proc_address);
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;
  ~GpuTimer();

  void begin();
  void end();
  /// Of the last picture whose time is known.
  [[nodiscard]] std::optional<double> milliseconds() const noexcept { return milliseconds_; }

 private:
  static constexpr std::size_t kQueries = 4;

  void collect();

  std::unique_ptr<GladGLContext> gl_;
  std::array<std::uint32_t, kQueries> queries_{};
  std::uint64_t begun_ = 0;      ///< Queries since the start; number i is in slot i % kQueries.
  std::uint64_t collected_ = 0;  ///< Of those, whose results were read.
  bool running_ = false;
  std::optional<double> milliseconds_;
};

}  // namespace pchr::player
