// SPDX-License-Identifier: MIT
// Vectors that can grow without being filled, for data that is large and comes from elsewhere.
#pragma once

#include <pchr/export.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <vector>

namespace PCHR_API pchr {

/// Stands for a value that is written later.
struct Uninitialised {};

/// Tells the system that `memory` will be used as a whole, where it is large enough to profit.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

/// The standard allocator, but for two things: it can leave elements as they are, and asks for huge pages for
/// large blocks, since the first touch of each page costs more than what is written to it.
template <typename T>
struct ArrayAllocator {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  using value_type = T;

  ArrayAllocator() noexcept = default;
  template <typename U>
  ArrayAllocator(const ArrayAllocator<U>& /*other*/) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    T* const memory = std::allocator<T>().allocate(count);
    prefer_huge_pages(memory, count * sizeof(T));
    return memory;
  }
  void deallocate(T* memory, std::size_t count) noexcept { std::allocator<T>().deallocate(memory, count); }
  void construct(T* /*element*/, Uninitialised /*value*/) noexcept {}
  bool operator==(const ArrayAllocator&) const noexcept = default;
};

/// A std::vector of plain values.
template <typename T>
using Array = std::vector<T, ArrayAllocator<T>>;

/// Counts values that are written later.
struct UninitialisedIterator {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Uninitialised;
  using difference_type = std::ptrdiff_t;
  using pointer = const Uninitialised*;
  using reference = Uninitialised;

  std::size_t position;

  Uninitialised operator*() const noexcept { return {}; }
  UninitialisedIterator& operator++() noexcept { return ++position, *this; }
  difference_type operator-(UninitialisedIterator other) const noexcept {
    return static_cast<difference_type>(position - other.position);
  }
  bool operator==(const UninitialisedIterator&) const noexcept = default;
};

/// An array of `count` elements whose values are indeterminate: write each before it is read. Its memory is not
/// touched, so that writing it is what first does.
template <typename T>
[[nodiscard]] Array<T> uninitialised_array(std::size_t count) {
  return Array<T>(UninitialisedIterator{0}, UninitialisedIterator{count});
}

}  // namespace pchr
