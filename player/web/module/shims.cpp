// SPDX-License-Identifier: MIT
// Replaces functions of the C++ library that would bring its texts and formatted output into the module. Nobody reads
// what a module prints: a failure traps, and the page says so.
#include <cstdlib>
#include <new>

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr && bytes > 0) __builtin_trap();
  return memory;
}
void* operator new[](std::size_t bytes) { return ::operator new(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t& /*nothrow*/) noexcept { return std::malloc(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t& /*nothrow*/) noexcept { return std::malloc(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }

// There is no environment.
extern "C" char* getenv(const char* /*name*/) { return nullptr; }

[[noreturn]] void std::__libcpp_verbose_abort(const char* /*format*/, ...) { __builtin_trap(); }

extern "C" [[noreturn]] void __cxa_pure_virtual() { __builtin_trap(); }
