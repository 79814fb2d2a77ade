// SPDX-License-Identifier: MIT
// A latch. With GCC 12, that of the standard library never opens on Windows.
#pragma once

#include <condition_variable>
#include <mutex>

namespace pchr::test {

class Latch {
 public:
  explicit Latch(int count) : count_(count) {}

  void count_down() {
    const std::lock_guard lock(mutex_);
    --count_;
    opened_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return count_ <= 0; });
  }
  void arrive_and_wait() {
    count_down();
    wait();
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  int count_;
};

}  // namespace pchr::test
