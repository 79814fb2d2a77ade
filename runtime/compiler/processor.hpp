// SPDX-License-Identifier: MIT
// What the processor can do.
#pragma once

namespace pchr {

/// Returns whether this x86-64 processor and its operating system support AVX2.
[[nodiscard]] bool has_avx2() noexcept;

}  // namespace pchr
