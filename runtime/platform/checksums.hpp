// SPDX-License-Identifier: MIT
// The checksum of PNG chunks, from libdeflate except on the web, and a hash that is the same on all systems.
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace PCHR_API pchr {

/// Returns the CRC-32 of `bytes`.
[[nodiscard]] std::uint32_t crc32_of(std::span<const std::byte> bytes) noexcept;

/// Returns the FNV-1a hash of `text` after what `hash` is the hash of.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325) noexcept {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace pchr
