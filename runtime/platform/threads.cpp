// SPDX-License-Identifier: MIT
// Runs tasks on new threads.
#include <pchr/executor.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace pchr {
namespace {

void run_on_threads(void* user, std::size_t count, Executor::Task task, void* context) {
  const std::size_t threads = std::min(reinterpret_cast<std::uintptr_t>(user), count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) task(context, i);
  };
  std::vector<std::thread> others;
  try {
    others.reserve(threads);
    while (others.size() + 1 < threads) others.emplace_back(work);
  } catch (const std::exception&) {
    // No more threads or memory: those that run do the rest.
  }
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace

Executor thread_executor(unsigned threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  return {run_on_threads, reinterpret_cast<void*>(std::uintptr_t{threads}), threads};
}

}  // namespace pchr
