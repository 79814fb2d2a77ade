// SPDX-License-Identifier: MIT
// A bar on the terminal while something takes long.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace pchr::tools {
namespace {

constexpr int kWidth = 40;
constexpr auto kPatience = std::chrono::milliseconds(300);
constexpr auto kInterval = std::chrono::milliseconds(50);

}  // namespace

Progress::Progress(std::uint64_t steps)
    : steps_(steps), on_terminal_(isatty(STDERR_FILENO) == 1), next_(std::chrono::steady_clock::now() + kPatience) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::step() {
  ++done_;
  if (!on_terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  const auto full = static_cast<std::size_t>(done_ * kWidth / steps_);
  const std::string bar = fmt::format("\r{:━<{}}{:╌<{}} {} of {}\x1b[K", "", full, "", kWidth - full, done_, steps_);
  std::fputs(bar.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace pchr::tools
