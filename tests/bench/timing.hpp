// SPDX-License-Identifier: MIT
// What the benchmarks measure with: times that other programs disturb little, and the state of memory.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <fstream>
#include <malloc.h>
#include <optional>
#include <string>

namespace pchr::bench {

/// The processor time of this thread, which other programs disturb less than the clock on the wall.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// What `work` takes of this thread.
template <typename Work>
double seconds(const Work& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

/// What `work` takes by the clock on the wall, where it has threads of its own.
template <typename Work>
double wall_seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Fresh pages, which the system hands out at the first touch, or warm ones, which the allocator kept.
enum class Pages : int { fresh, warm };

/// Sets whether freed memory goes back to the system, so that the next allocation has fresh pages.
inline void use_pages(Pages pages) {
  mallopt(M_MMAP_MAX, pages == Pages::fresh ? 65536 : 0);
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, pages == Pages::fresh ? 0 : 1 << 30);
  malloc_trim(0);
}

/// A line of this process's status in kilobytes, such as VmHWM, the most resident memory so far.
inline std::optional<std::size_t> status_kilobytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1));
  }
  return std::nullopt;
}

/// How much more memory than before is resident at the worst moment of `work`; nothing where the system does not tell.
template <typename Work>
std::optional<std::size_t> peak_bytes(const Work& work) {
  malloc_trim(0);
  // 5 sets the most resident memory back to what it is now.
  if (!(std::ofstream("/proc/self/clear_refs") << 5 << std::flush)) return std::nullopt;
  const auto before = status_kilobytes("VmRSS");
  work();
  const auto most = status_kilobytes("VmHWM");
  if (!before || !most) return std::nullopt;
  return (*most - std::min(*most, *before)) * 1024;
}

}  // namespace pchr::bench
