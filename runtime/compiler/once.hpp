// SPDX-License-Identifier: MIT
// Work that is done on first use. std::call_once of MinGW waits forever if the work threw an exception before.
#pragma once

#include <atomic>

namespace pchr {

class Once {
 public:
  /// Calls `work` unless a call has completed. Waits for a call on another thread. If `work` throws, the next caller
  /// tries again.
  template <typename Work>
  void call(const Work& work) {
    while (state_.load(std::memory_order_acquire) != kDone) {
      int state = kIdle;
      if (state_.compare_exchange_strong(state, kRunning, std::memory_order_acquire)) {
        Run run{state_};
        work();
        run.result = kDone;
      } else if (state == kRunning) {
        wait();
      }
    }
  }

 private:
  enum : int { kIdle, kRunning, kDone };

  struct Run {
    std::atomic<int>& state;
    int result = kIdle;

    ~Run() {
      state.store(result, std::memory_order_release);
#ifndef PCHR_NO_THREADS
      state.notify_all();
#endif
    }
  };

  void wait() const noexcept {
#ifndef PCHR_NO_THREADS
    state_.wait(kRunning, std::memory_order_acquire);
#endif
  }

  std::atomic<int> state_{kIdle};
};

}  // namespace pchr
