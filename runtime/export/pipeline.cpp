// SPDX-License-Identifier: MIT
#include "export/pipeline.hpp"

#include <algorithm>

namespace pchr::exporting {
namespace {

// Jobs can throw when memory runs out.
template <class Work>
auto guarded(Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& error) {
    return Unexpected(ExportError{ExportError::Kind::failed, error.what()});
  }
}

}  // namespace

Pipeline::Pipeline(unsigned threads) {
  const unsigned count = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  try {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // Fewer threads are fine, but at least one is required.
    if (threads_.empty()) throw;
  }
}

Pipeline::~Pipeline() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  threads_.clear();
}

void Pipeline::fail(ExportError error) {
  if (!error_) error_ = std::move(error);
  waiting_.clear();
}

bool Pipeline::add(Job job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return may_add(); });
  if (error_) return false;
  waiting_.emplace_back(added_++, std::move(job));
  changed_.notify_all();
  return true;
}

bool Pipeline::has_room() {
  const std::lock_guard lock(mutex_);
  return may_add();
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
    changed_.notify_all();
  }
}

// The thread that completes the next job in order also finishes all later ones that are ready.
void Pipeline::finish_in_order(std::unique_lock<std::mutex>& lock) {
  if (finishing_) return;
  finishing_ = true;
  while (!error_ && !stopping_ && !done_.empty() && done_.begin()->first == finished_) {
    Finish finish = std::move(done_.extract(done_.begin()).mapped());
    lock.unlock();
    ExportResult<void> result = guarded(finish);
    finish = nullptr;
    lock.lock();
    ++finished_;
    if (!result) fail(std::move(result.error()));
    changed_.notify_all();
  }
  finishing_ = false;
}

}  // namespace pchr::exporting
