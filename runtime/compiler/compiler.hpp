// SPDX-License-Identifier: MIT
// Extensions of GCC and Clang, which appear in this folder only.
#pragma once

/// PCHR_ALWAYS_INLINE and PCHR_NOINLINE are attributes of functions: `PCHR_ALWAYS_INLINE inline int f();`.
#define PCHR_ALWAYS_INLINE [[gnu::always_inline]]
#define PCHR_NOINLINE [[gnu::noinline]]

/// Defined for x86 with 64 bits, whose processors all have SSE2.
#ifdef __x86_64__
#define PCHR_X86_64
#endif

/// The instructions for vectors of four floats, where all processors have them.
#if defined(PCHR_X86_64)
#define PCHR_FOUR_LANES "SSE2"
#elif defined(__aarch64__)
#define PCHR_FOUR_LANES "NEON"
#endif

namespace pchr {

#ifdef PCHR_X86_64
/// Returns whether this processor and its operating system support AVX2.
inline bool has_avx2() noexcept { return __builtin_cpu_supports("avx2"); }
#endif

/// Starts to bring the cache line of `address` closer. Any address is allowed.
PCHR_ALWAYS_INLINE inline void prefetch(const void* address) noexcept { __builtin_prefetch(address); }

/// Does the same for a cache line that will be written.
PCHR_ALWAYS_INLINE inline void prefetch_to_write(void* address) noexcept { __builtin_prefetch(address, 1); }

}  // namespace pchr
