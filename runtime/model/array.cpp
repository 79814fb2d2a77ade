// SPDX-License-Identifier: MIT
// Huge pages for large blocks.
#include <pchr/array.hpp>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace pchr {

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  constexpr std::size_t kPage = 4096;
  if (bytes < kHugePage || std::align(kPage, kHugePage - kPage, memory, bytes) == nullptr) return;
  (void)madvise(memory, bytes / kPage * kPage, MADV_HUGEPAGE);
#endif
}

}  // namespace pchr
