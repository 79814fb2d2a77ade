// SPDX-License-Identifier: MIT
// Selects the kernels for this processor.
#include "character/kernels.hpp"

#include "character/sine_cosine.hpp"

#include <atomic>

namespace pchr {
namespace {

std::atomic<const PoseKernels*> in_use{nullptr};

}  // namespace

std::span<const PoseKernels* const> available_kernels() noexcept {
#ifdef PCHR_X86_64
  static constexpr const PoseKernels* kAll[] = {&kScalarKernels, &kFourLaneKernels, &kEightLaneKernels};
  static const std::size_t count = has_avx2() ? 3 : 2;
  return std::span(kAll).first(count);
#elif defined(PCHR_FOUR_LANES)
  static constexpr const PoseKernels* kAll[] = {&kScalarKernels, &kFourLaneKernels};
  return kAll;
#else
  static constexpr const PoseKernels* kAll[] = {&kScalarKernels};
  return kAll;
#endif
}

const PoseKernels& kernels() noexcept {
  if (const PoseKernels* chosen = in_use.load(std::memory_order_relaxed)) return *chosen;
  use_kernels(*available_kernels().back());
  return *available_kernels().back();
}

void use_kernels(const PoseKernels& kernels) noexcept { in_use.store(&kernels, std::memory_order_relaxed); }

void reduce_large_angles(float* degrees, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) degrees[i] = reduced_degrees(degrees[i]);
}

}  // namespace pchr
