// SPDX-License-Identifier: MIT
// Bytes of a file into large arrays, without touching memory more often than it takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace pchr {

/// Appends `count` values. Not inlined: of a block whose size it sees, GCC makes string instructions, which start
/// slowly.
template <typename T>
[[gnu::noinline]] void append_block(std::vector<T>& values, const T* first, std::size_t count) {
  values.insert(values.end(), first, first + count);
}

/// Appends the values that `bytes` are, which need not be aligned. Going through a small block that stays in the
/// cache, the vector's memory is written once, where resizing it first would write it twice.
template <typename T>
void append_values(std::span<const std::byte> bytes, std::vector<T>& values) {
  alignas(T) std::byte block[256 * sizeof(T)];
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(sizeof(block), bytes.size()));
    std::memcpy(block, part.data(), part.size());
    append_block(values, reinterpret_cast<const T*>(block), part.size() / sizeof(T));
    bytes = bytes.subspan(part.size());
  }
}

/// Makes room for exactly `count` values in all. A large array asks for huge pages: the first touch of each
/// page costs more than what is written to it.
template <typename T>
void reserve_once(std::vector<T>& values, std::size_t count) {
  values.reserve(count);
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  constexpr std::size_t kPage = 4096;
  std::size_t space = values.capacity() * sizeof(T);
  if (space < kHugePage) return;
  void* start = values.data();
  if (std::align(kPage, kHugePage, start, space) != nullptr) (void)madvise(start, space / kPage * kPage, MADV_HUGEPAGE);
#endif
}

}  // namespace pchr
