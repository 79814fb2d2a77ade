// SPDX-License-Identifier: MIT
// The C interface: memory of the program. Only a shared library that contains the whole C++ runtime can have its own
// operator new; otherwise strings could be allocated with one and freed with another.
#include "c/c.hpp"

#ifdef PCHR_C_ALLOCATOR
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

constinit pchr_allocator allocator{nullptr, nullptr, nullptr};
constinit std::atomic<bool> used = false;

}  // namespace

bool pchr_set_allocator(const pchr_allocator* given) {
  if (given == nullptr || given->allocate == nullptr || given->release == nullptr || used.load()) return false;
  allocator = *given;
  return true;
}

// The other forms of new and delete in the C++ runtime call these.
void* operator new(std::size_t size) {
  if (!used.load(std::memory_order_relaxed)) used.store(true);
  void* const memory =
      allocator.allocate != nullptr ? allocator.allocate(allocator.user, size) : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  if (allocator.release != nullptr) return allocator.release(allocator.user, memory);
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

#else

bool pchr_set_allocator(const pchr_allocator*) { return false; }

#endif
