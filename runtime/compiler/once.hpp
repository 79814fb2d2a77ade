// SPDX-License-Identifier: MIT
// Work that is done on first use. With GCC 12 on Windows, std::call_once waits forever if the work threw an exception
// before, and std::atomic::wait misses notifications.
#pragma once

#include <atomic>
#ifndef PCHR_NO_THREADS
#include <mutex>
#endif

namespace pchr {

class Once {
 public:
  /// Calls `work` unless a call has completed. Waits for a call on another thread. If `work` throws, the next caller
  /// tries again.
  template <typename Work>
  void call(const Work& work) {
    if (done_.load(std::memory_order_acquire)) return;
#ifndef PCHR_NO_THREADS
    const std::lock_guard lock(mutex_);
#endif
    if (done_.load(std::memory_order_relaxed)) return;
    work();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::atomic<bool> done_{false};
#ifndef PCHR_NO_THREADS
  std::mutex mutex_;
#endif
};

}  // namespace pchr
