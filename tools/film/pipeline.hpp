// SPDX-License-Identifier: MIT
// Work that several threads share, whose results are taken in order.
#pragma once

#include "film/film.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace pchr::film {

/// Runs jobs on several threads, and what each of them leaves to finish in the order in which they came, one at a time.
/// The first that fails ends it all. What is on its way is bounded: who adds faster waits.
class Pipeline {
 public:
  using Finish = std::move_only_function<Result<void>()>;
  using Job = std::move_only_function<Result<Finish>()>;

  /// With as many threads as there are processors, or as many as are asked for.
  explicit Pipeline(unsigned threads = 0);
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline();  ///< Waits for what runs; what has not begun is dropped.

  /// Waits while too many are on their way. False once something failed: wait() says what.
  bool add(Job job);
  /// Whether add() would not wait.
  [[nodiscard]] bool has_room();
  /// Whether wait() would not wait.
  [[nodiscard]] bool idle();
  /// Waits until all is finished, or something failed.
  Result<void> wait();

 private:
  struct Numbered {
    std::uint64_t number;
    Job job;
  };

  void work();
  void finish_in_order(std::unique_lock<std::mutex>& lock);
  void fail(std::string error);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Numbered> waiting_;
  std::map<std::uint64_t, Finish> done_;  ///< Jobs that ran and are not finished.
  std::uint64_t added_ = 0, finished_ = 0;
  bool finishing_ = false, stopping_ = false;
  std::optional<std::string> error_;  ///< The first.
  std::vector<std::jthread> threads_;
};

}  // namespace pchr::film
