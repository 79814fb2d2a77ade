// SPDX-License-Identifier: MIT
// Runs work on several threads and takes the results in order.
#pragma once

#include <pchr/export/animation.hpp>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace pchr::exporting {

/// Runs jobs on several threads, and the functions that they return in the order of the jobs, one at a time. The first
/// failure ends it all. The number of unfinished jobs is bounded.
class Pipeline {
 public:
  using Finish = std::move_only_function<ExportResult<void>()>;
  using Job = std::move_only_function<ExportResult<Finish>()>;

  explicit Pipeline(unsigned threads = 0);  ///< 0: one per processor.
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline();  ///< Waits for what runs; drops what has not begun.

  /// Waits while too many are unfinished. Returns false once something failed: wait() says what.
  bool add(Job job);
  [[nodiscard]] bool has_room();  ///< Returns whether add() would not wait.
  [[nodiscard]] bool idle();      ///< Returns whether wait() would not wait.
  /// Waits until all is finished, or something failed.
  ExportResult<void> wait();

 private:
  // One more for each thread than it works on, so that no thread waits for the caller.
  [[nodiscard]] bool may_add() const { return error_.has_value() || added_ - finished_ < 2 * threads_.size(); }
  [[nodiscard]] bool is_idle() const { return error_.has_value() || finished_ == added_; }
  void work();
  void finish_in_order(std::unique_lock<std::mutex>& lock);
  void fail(ExportError error);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::uint64_t, Job>> waiting_;  ///< With their numbers.
  std::map<std::uint64_t, Finish> done_;               ///< Jobs that ran and are not finished.
  std::uint64_t added_ = 0, finished_ = 0;
  bool finishing_ = false, stopping_ = false;
  std::optional<ExportError> error_;  ///< The first.
  std::vector<std::jthread> threads_;
};

}  // namespace pchr::exporting
