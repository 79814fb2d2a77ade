// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// Compresses data to the format of zlib. `level` is one of libdeflate: 1 is fast, 12 is best.
[[nodiscard]] std::vector<std::byte> deflate(std::span<const std::uint8_t> bytes, int level);

/// Decompresses what deflate() returned for as many bytes as `out` has.
void inflate(std::span<const std::byte> deflated, std::span<std::uint8_t> out);

}  // namespace pchr
