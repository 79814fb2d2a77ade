// SPDX-License-Identifier: MIT
// Runs jobs on several threads and processes their results in order.
#pragma once

#include <pchr/export/animation.hpp>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace pchr::exporting {

/// Runs jobs on other threads, and the functions that they return one at a time, in the order of the jobs. Stops at the
/// first failure. Bounds the number of unfinished jobs.
class Pipeline {
 public:
  using Finish = std::function<ExportResult<void>()>;
  using Job = std::function<ExportResult<Finish>()>;

  explicit Pipeline(unsigned threads);  ///< With 0 threads, add() runs the jobs.
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline();  ///< Waits for running jobs and drops those not started.

  /// Adds a job. Blocks while too many are unfinished, except in a Finish. `ahead` is the number of results that may
  /// wait in memory for an earlier job that takes longer. Returns false after a failure, which wait() returns.
  bool add(Job job, std::size_t ahead = 0);
  [[nodiscard]] bool has_room(std::size_t ahead = 0);  ///< Whether add() would not block.
  [[nodiscard]] bool idle();                           ///< Whether wait() would not block.
  /// Waits until all jobs are finished or one failed.
  ExportResult<void> wait();
  /// Drops the jobs that are not started and fails with `stopped`. Does not wait for those that run.
  void stop();
  [[nodiscard]] bool is_stopped();  ///< Whether stop() was called and no job runs.

 private:
  [[nodiscard]] bool may_add(std::size_t ahead) const;
  [[nodiscard]] bool is_idle() const { return error_.has_value() || finished_ == added_; }
  void work();
  void run(std::unique_lock<std::mutex>& lock, std::uint64_t number, Job job);
  void finish_in_order(std::unique_lock<std::mutex>& lock);
  void fail(ExportError error);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::uint64_t, Job>> waiting_;  ///< Jobs with their numbers.
  std::map<std::uint64_t, Finish> done_;               ///< Results that are not finished yet.
  std::uint64_t added_ = 0, finished_ = 0;
  std::size_t running_ = 0;  ///< Threads that run a job.
  bool finishing_ = false, stopping_ = false;
  std::thread::id finisher_{};        ///< Thread that runs a Finish.
  std::optional<ExportError> error_;  ///< First failure.
  std::vector<std::thread> threads_;  ///< Does not change while jobs run.
};

}  // namespace pchr::exporting
