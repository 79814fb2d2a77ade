// SPDX-License-Identifier: MIT
// A bar on the terminal while something takes long.
#pragma once

#include <chrono>
#include <cstdint>

namespace pchr::tools {

/// On standard error where that is a terminal, else nowhere. Gone when this goes.
class Progress {
 public:
  explicit Progress(std::uint64_t steps);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void step();  ///< One more is done.

 private:
  std::uint64_t steps_, done_ = 0;
  bool on_terminal_, shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace pchr::tools
