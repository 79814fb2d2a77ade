// SPDX-License-Identifier: MIT
// Splits work across the threads of an executor. PCHR_NO_THREADS, for systems that have none, runs it all here.
#pragma once

#include <pchr/executor.hpp>

#ifndef PCHR_NO_THREADS
#include <algorithm>
#include <atomic>
#include <exception>
#endif
#include <mutex>

namespace PCHR_API pchr {

#ifdef PCHR_NO_THREADS
struct Mutex {
  void lock() noexcept {}
  void unlock() noexcept {}
};

template <typename Work>
void parallel_for(const Executor& /*executor*/, std::size_t count, std::size_t /*grain*/, const Work& work) {
  work(std::size_t{0}, count);
}
#else
using Mutex = std::mutex;

/// Calls work(first, last) for parts of the range 0 to `count`, on the executor's threads, and waits for all of them.
/// Each part has at least `grain` items, so a small range stays on this thread. Rethrows an exception from `work` on
/// this thread; the executor never sees it.
template <typename Work>
void parallel_for(const Executor& executor, std::size_t count, std::size_t grain, const Work& work) {
  const std::size_t parts = std::min(count / std::max<std::size_t>(grain, 1), std::size_t{executor.threads});
  if (parts <= 1 || executor.parallel_for == nullptr) return work(std::size_t{0}, count);

  struct Shared {
    const Work& work;
    std::size_t count, parts;
    std::atomic<std::size_t> next{0};
    std::atomic_flag failed{};
    std::exception_ptr error{};  ///< Written by the thread that set `failed`.

    [[nodiscard]] std::size_t begin(std::size_t part) const {
      return count / parts * part + std::min(part, count % parts);
    }
  } shared{work, count, parts};
  // Each call takes the parts that are left instead of the one with its index, so an executor that makes too few calls,
  // or too many, only costs time.
  const Executor::Task run = [](void* context, std::size_t /*index*/) {
    auto& all = *static_cast<Shared*>(context);
    try {
      for (std::size_t part = all.next++; part < all.parts; part = all.next++) {
        all.work(all.begin(part), all.begin(part + 1));
      }
    } catch (...) {
      all.next = all.parts;
      if (!all.failed.test_and_set()) all.error = std::current_exception();
    }
  };
  executor.parallel_for(executor.user, parts, run, &shared);
  run(&shared, 0);
  if (shared.error) std::rethrow_exception(shared.error);
}
#endif

}  // namespace pchr
