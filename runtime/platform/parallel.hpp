// SPDX-License-Identifier: MIT
// Splits work across threads.
#pragma once

#include <pchr/api.hpp>

#include <algorithm>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace PCHR_API pchr {

/// Calls work(first, last) for parts of the range 0 to `count`, on several threads, and waits for all of them. Each
/// part has at least `grain` items, so a small range stays on this thread. Rethrows exceptions from `work`.
template <typename Work>
void parallel_for(std::size_t count, std::size_t grain, const Work& work) {
  const std::size_t wanted = count / std::max<std::size_t>(grain, 1);
  // Counting processors is a slow system call.
  if (wanted <= 1) return work(std::size_t{0}, count);
  const std::size_t parts = std::min<std::size_t>(wanted, std::max(1U, std::thread::hardware_concurrency()));
  const auto begin = [&](std::size_t part) { return count / parts * part + std::min(part, count % parts); };
  std::vector<std::future<void>> others;
  others.reserve(parts - 1);
  std::size_t part = 1;
  try {
    for (; part < parts; ++part) {
      others.push_back(std::async(std::launch::async, std::cref(work), begin(part), begin(part + 1)));
    }
  } catch (...) {
    // No more threads or memory: this thread does the rest.
    work(begin(part), count);
  }
  work(std::size_t{0}, begin(1));
  for (std::future<void>& other : others) other.get();
}

}  // namespace pchr
