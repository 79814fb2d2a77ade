// SPDX-License-Identifier: MIT
// Lets the library split work across threads: those of the program's own job system, or threads that it starts itself.
// Without an executor, everything runs on the calling thread.
//
//   const auto images = pchr::decode_images(hero, {}, pchr::thread_executor());
//   if (!images) return;
#pragma once

#include <pchr/api.hpp>

#include <cstddef>

namespace PCHR_API pchr {

/// Something that calls a function several times, on any threads.
struct Executor {
  /// A function of the library. Does not throw.
  using Task = void (*)(void* context, std::size_t index);

  /// Calls `task(context, i)` for each `i` below `count`, on any threads, and returns after the last call has returned.
  /// Calls that are missing are made on the calling thread. Can be called on several threads at once. If null, nothing
  /// runs on other threads. The calling thread can take part, and must if jobs on the same threads also use the
  /// library: a job can wait for bounds that this call is computing.
  void (*parallel_for)(void* user, std::size_t count, Task task, void* context) = nullptr;
  void* user = nullptr;  ///< Passed to `parallel_for`.
  unsigned threads = 1;  ///< Number of threads that can work at the same time. Work is split into as many parts.
};

/// Returns an executor that starts up to `threads` - 1 threads for each call and ends them before it returns; 0 means
/// one per processor. Runs on fewer threads if the system has no more.
[[nodiscard]] Executor thread_executor(unsigned threads = 0);

}  // namespace pchr
