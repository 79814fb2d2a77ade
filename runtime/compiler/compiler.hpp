// SPDX-License-Identifier: MIT
// What compilers write differently. Extensions of C++ appear in this folder only.
#pragma once

/// PCHR_ALWAYS_INLINE and PCHR_NOINLINE are attributes of functions: `PCHR_ALWAYS_INLINE inline int f();`.
#if defined(__GNUC__) || defined(__clang__)
#define PCHR_ALWAYS_INLINE [[gnu::always_inline]]
#define PCHR_NOINLINE [[gnu::noinline]]
#else
#include <intrin.h>
#define PCHR_ALWAYS_INLINE [[msvc::forceinline]]
#define PCHR_NOINLINE [[msvc::noinline]]
#endif

/// Defined for x86 with 64 bits, whose processors all have SSE2.
#if defined(__x86_64__) || (defined(_M_X64) && !defined(_M_ARM64EC))
#define PCHR_X86_64
#endif

namespace pchr {

/// Starts to bring the cache line of `address` closer. Any address is allowed.
PCHR_ALWAYS_INLINE inline void prefetch(const void* address) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#elif defined(PCHR_X86_64)
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
}

/// Does the same for a cache line that will be written.
PCHR_ALWAYS_INLINE inline void prefetch_to_write(void* address) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address, 1);
#else
  prefetch(address);
#endif
}

}  // namespace pchr
