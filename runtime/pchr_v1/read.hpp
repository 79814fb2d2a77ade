// SPDX-License-Identifier: MIT
// Reads the binary PCHR format, version 1.
#pragma once

#include <pchr/load.hpp>

namespace PCHR_API pchr {

/// Returns whether bytes begin like a v1 file, or an older packed one.
[[nodiscard]] bool has_v1_magic(std::span<const std::byte> bytes) noexcept;

/// Reads a v1 file. `bytes` begin with the magic bytes.
[[nodiscard]] std::expected<Character, LoadError> read_pchr_v1(std::span<const std::byte> bytes,
                                                               const LoadOptions& options);

}  // namespace pchr
