// SPDX-License-Identifier: MIT
#include "export/pipeline.hpp"

#include "export/fail.hpp"

#include <algorithm>

namespace pchr::exporting {
namespace {

template <class Work>
auto guarded(Work& work) -> decltype(work()) {
  try {
    return exporting::or_out_of_memory([&] { return work(); });
  } catch (const std::exception& error) {
    return Unexpected(ExportError{ExportError::Kind::failed, error.what()});
  }
}

}  // namespace

Pipeline::Pipeline(unsigned threads) {
  threads_.reserve(threads);
  try {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::exception&) {
    // No more threads or memory: fewer threads are fine.
  }
}

Pipeline::~Pipeline() {
  stop();
  for (std::thread& thread : threads_) thread.join();
}

void Pipeline::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  fail({ExportError::Kind::stopped, ""});
  changed_.notify_all();
}

bool Pipeline::is_stopped() {
  const std::lock_guard lock(mutex_);
  return stopping_ && running_ == 0;
}

void Pipeline::fail(ExportError error) {
  if (!error_) error_ = std::move(error);
  waiting_.clear();
}

bool Pipeline::may_add(std::size_t ahead) const {
  // Queue one extra job per thread so that no thread waits for the caller.
  const std::size_t max = 2 * std::max<std::size_t>(threads_.size(), 1);
  const bool has_room = waiting_.size() + running_ < max && added_ - finished_ < max + ahead;
  return error_ || has_room || finisher_ == std::this_thread::get_id();
}

bool Pipeline::add(Job job, std::size_t ahead) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return may_add(ahead); });
  if (error_) return false;
  if (threads_.empty()) {
    run(lock, added_++, std::move(job));
    return !error_;
  }
  waiting_.emplace_back(added_++, std::move(job));
  changed_.notify_all();
  return true;
}

bool Pipeline::has_room(std::size_t ahead) {
  const std::lock_guard lock(mutex_);
  return may_add(ahead);
}

bool Pipeline::idle() {
  const std::lock_guard lock(mutex_);
  return is_idle();
}

ExportResult<void> Pipeline::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_idle(); });
  if (error_) return Unexpected(*error_);
  return {};
}

void Pipeline::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    auto [number, job] = std::move(waiting_.front());
    waiting_.pop_front();
    run(lock, number, std::move(job));
  }
}

void Pipeline::run(std::unique_lock<std::mutex>& lock, std::uint64_t number, Job job) {
  ++running_;
  lock.unlock();
  ExportResult<Finish> result = guarded(job);
  job = nullptr;
  lock.lock();
  if (!result) {
    fail(std::move(result.error()));
  } else {
    done_.emplace(number, *std::move(result));
    finish_in_order(lock);
  }
  --running_;
  changed_.notify_all();
}

// The thread that completes the next job in order also finishes all later ones that are ready.
void Pipeline::finish_in_order(std::unique_lock<std::mutex>& lock) {
  if (finishing_) return;
  finishing_ = true;
  while (!error_ && !stopping_ && !done_.empty() && done_.begin()->first == finished_) {
    Finish finish = std::move(done_.extract(done_.begin()).mapped());
    finisher_ = std::this_thread::get_id();
    lock.unlock();
    ExportResult<void> result = guarded(finish);
    finish = nullptr;
    lock.lock();
    finisher_ = {};
    ++finished_;
    if (!result) fail(std::move(result.error()));
    changed_.notify_all();
  }
  finishing_ = false;
}

}  // namespace pchr::exporting
