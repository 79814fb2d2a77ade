// SPDX-License-Identifier: MIT
// What the C++ library lacks without threads. Included before the sources of pchr::export, which then encode where they
// are called.
#pragma once

#include <mutex>

namespace std {

struct mutex {
  void lock() noexcept {}
  void unlock() noexcept {}
};

template <class Mutex>
struct unique_lock {
  explicit unique_lock(Mutex& /*mutex*/) noexcept {}
  void lock() noexcept {}
  void unlock() noexcept {}
};

struct condition_variable {
  void notify_all() noexcept {}
  /// Nobody else could make it true.
  template <class Done>
  void wait(unique_lock<mutex>& /*lock*/, Done done) {
    if (!done()) __builtin_trap();
  }
};

struct thread {
  using id = int;
  template <class Work>
  explicit thread(Work /*work*/) {
    __builtin_trap();
  }
  void join() noexcept {}
};

namespace this_thread {
inline thread::id get_id() noexcept { return 1; }
}  // namespace this_thread

}  // namespace std
