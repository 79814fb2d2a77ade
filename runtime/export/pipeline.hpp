// SPDX-License-Identifier: MIT
// Runs jobs on several threads and processes their results in order.
#pragma once

#include <pchr/export/animation.hpp>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace pchr::exporting {

/// Runs jobs on several threads, and the functions that they return one at a time, in the order of the jobs. Stops at
/// the first failure. Bounds the number of unfinished jobs.
class Pipeline {
 public:
  using Finish = std::move_only_function<ExportResult<void>()>;
  using Job = std::move_only_function<ExportResult<Finish>()>;

  explicit Pipeline(unsigned threads = 0);  ///< 0 means one per processor.
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline();  ///< Waits for running jobs and drops those not started.

  /// Adds a job. Blocks while too many are unfinished. Returns false after a failure, which wait() returns.
  bool add(Job job);
  [[nodiscard]] bool has_room();  ///< Whether add() would not block.
  [[nodiscard]] bool idle();      ///< Whether wait() would not block.
  /// Waits until all jobs are finished or one failed.
  ExportResult<void> wait();

 private:
  // Queue one extra job per thread so that no thread waits for the caller.
  [[nodiscard]] bool may_add() const { return error_.has_value() || added_ - finished_ < 2 * threads_.size(); }
  [[nodiscard]] bool is_idle() const { return error_.has_value() || finished_ == added_; }
  void work();
  void finish_in_order(std::unique_lock<std::mutex>& lock);
  void fail(ExportError error);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::uint64_t, Job>> waiting_;  ///< Jobs with their numbers.
  std::map<std::uint64_t, Finish> done_;               ///< Results that are not finished yet.
  std::uint64_t added_ = 0, finished_ = 0;
  bool finishing_ = false, stopping_ = false;
  std::optional<ExportError> error_;  ///< First failure.
  std::vector<std::jthread> threads_;
};

}  // namespace pchr::exporting
