// SPDX-License-Identifier: MIT
// The binary PCHR format, version 1.
#pragma once

#include <pchr/load.hpp>

namespace PCHR_API pchr {

/// Whether bytes begin as those of a v1 file do, and as the older packed ones.
[[nodiscard]] bool has_v1_magic(std::span<const std::byte> bytes) noexcept;

/// Reads a v1 file. `bytes` begin with the magic bytes.
[[nodiscard]] std::expected<Character, LoadError> read_pchr_v1(std::span<const std::byte> bytes,
                                                               const LoadOptions& options);

}  // namespace pchr
