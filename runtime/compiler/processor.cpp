// SPDX-License-Identifier: MIT
// What the processor can do.
#include "compiler/processor.hpp"

#include "compiler/compiler.hpp"

#ifdef PCHR_X86_64

namespace pchr {

bool has_avx2() noexcept {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_cpu_supports("avx2");
#else
  int registers[4];  // eax, ebx, ecx and edx.
  __cpuid(registers, 0);
  if (registers[0] < 7) return false;
  constexpr int kAvxAndXsave = 3 << 27, kAvx2 = 1 << 5, kXmmAndYmm = 6;
  __cpuid(registers, 1);
  if ((registers[2] & kAvxAndXsave) != kAvxAndXsave || (_xgetbv(0) & kXmmAndYmm) != kXmmAndYmm) return false;
  __cpuidex(registers, 7, 0);
  return (registers[1] & kAvx2) != 0;
#endif
}

}  // namespace pchr

#endif
