// SPDX-License-Identifier: MIT
// Threads and C libraries, for which web.cpp has replacements.
#include <pchr/executor.hpp>
#include <pchr/expected.hpp>

#include "platform/checksums.hpp"
#include "platform/escape.hpp"
#include "platform/numbers.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
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

void fail_without_value(const std::string& why) noexcept {
  std::fprintf(stderr, "pchr: a result was used without checking it: %s\n", why.c_str());
  std::abort();
}

std::uint32_t crc32_of(std::span<const std::byte> bytes) noexcept {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

double nearest_double(const char* first, const char* last) {
  double number = 0;
#ifdef __cpp_lib_to_chars
  if (std::from_chars(first, last, number).ec == std::errc()) return number;
  // It is too large or rounds to 0. The power of ten of its first digit other than 0 tells which.
  const char* const mantissa_end =
      std::find_if(first, last, [](char letter) { return letter == 'e' || letter == 'E'; });
  const char* const point = std::find(first, mantissa_end, '.');
  const char* const digit = std::find_if(first, mantissa_end, [](char c) { return c >= '1' && c <= '9'; });
  std::int64_t exponent = 0;
  if (mantissa_end != last) {
    const char* const start = mantissa_end + (mantissa_end[1] == '+' ? 2 : 1);
    const bool is_huge = std::from_chars(start, last, exponent).ec != std::errc();
    if (is_huge) exponent = *start == '-' ? -(std::int64_t{1} << 62) : std::int64_t{1} << 62;
  }
  const double magnitude = exponent + (point - digit) > 0 ? HUGE_VAL : 0;
  return *first == '-' ? -magnitude : magnitude;
#else
  std::istringstream text(std::string(first, last));
  text.imbue(std::locale::classic());
  text >> number;
  return number;
#endif
}

bool Escape::run(const Callback<void()>& work) {
  std::jmp_buf target;
  target_ = &target;
  if (setjmp(target) != 0) return false;
  work();
  return true;
}

void Escape::leave() { std::longjmp(*static_cast<std::jmp_buf*>(target_), 1); }

Executor thread_executor(unsigned threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  return {run_on_threads, reinterpret_cast<void*>(std::uintptr_t{threads}), threads};
}

}  // namespace pchr
