// SPDX-License-Identifier: MIT
// How long the graphics processor takes for a frame.
#pragma once

#include "gl/gl.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace pchr::player {

/// Times the commands between begin() and end() by queries, and never waits for one: a time comes a few frames later.
class GpuTimer {
 public:
  GpuTimer();
  void begin();
  void end();
  /// Returns the time of the last frame for which it is known.
  [[nodiscard]] std::optional<double> milliseconds() const noexcept { return milliseconds_; }

 private:
  static constexpr std::size_t kQueries = 4;
  void collect();

  std::array<GlQuery, kQueries> queries_{};
  std::uint64_t begun_ = 0;      ///< Queries since the start; number i is in slot i % kQueries.
  std::uint64_t collected_ = 0;  ///< Of those, whose results were read.
  bool running_ = false;
  std::optional<double> milliseconds_;
};

}  // namespace pchr::player
