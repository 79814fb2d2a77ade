// SPDX-License-Identifier: MIT
// Timers that other programs hardly disturb, and control over the state of memory.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <malloc.h>
#include <optional>
#include <string>

namespace pchr::bench {

/// Returns the processor time of this thread, which other programs disturb less than wall-clock time.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Returns the processor time that `work` takes on this thread.
template <typename Work>
double seconds(const Work& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

/// Returns the wall-clock time of `work`, for work that uses several threads.
template <typename Work>
double wall_seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Returns the duration of one processor cycle right now: a third of the latency of a dependent multiplication.
inline double cycle_seconds() {
  constexpr int kMultiplications = 100'000;
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    best = std::min(best, seconds([] {
                      std::uint64_t product = 1;
                      for (int n = 0; n < kMultiplications; ++n) product *= 0x9E3779B97F4A7C15;
                      benchmark::DoNotOptimize(product);
                    }));
  }
  return best / kMultiplications / 3;
}

/// Adds the figures `cycles_each`, the processor cycles of one item, and `goal`, unless that is 0.
inline void report_cycles(benchmark::State& state, double seconds_each, double goal = 0) {
  state.counters["cycles_each"] = seconds_each / cycle_seconds();
  if (goal > 0) state.counters["goal"] = goal;
}

/// Fresh pages, which the system provides on first touch, or warm ones, which the allocator kept.
enum class Pages : int { fresh, warm };

/// Sets whether freed memory returns to the system, which makes the next allocation get fresh pages.
inline void use_pages(Pages pages) {
  mallopt(M_MMAP_MAX, pages == Pages::fresh ? 65536 : 0);
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, pages == Pages::fresh ? 0 : 1 << 30);
  malloc_trim(0);
}

/// Returns a value in kilobytes from this process's status, such as VmHWM, the peak resident memory.
inline std::optional<std::size_t> status_kilobytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1));
  }
  return std::nullopt;
}

/// Returns how much resident memory grows at the peak of `work`, or nothing if the system does not report it.
template <typename Work>
std::optional<std::size_t> peak_bytes(const Work& work) {
  malloc_trim(0);
  // 5 resets the peak resident memory to the current value.
  if (!(std::ofstream("/proc/self/clear_refs") << 5 << std::flush)) return std::nullopt;
  const auto before = status_kilobytes("VmRSS");
  work();
  const auto peak = status_kilobytes("VmHWM");
  if (!before || !peak) return std::nullopt;
  return (*peak - std::min(*peak, *before)) * 1024;
}

}  // namespace pchr::bench
