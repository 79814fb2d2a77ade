// SPDX-License-Identifier: MIT
// The checksum of PNG chunks: from libdeflate, except on the web.
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace PCHR_API pchr {

/// Returns the CRC-32 of `bytes`.
[[nodiscard]] std::uint32_t crc32_of(std::span<const std::byte> bytes) noexcept;

}  // namespace pchr
