// SPDX-License-Identifier: MIT
// SHA-256, as FIPS 180-4 specifies it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pchr::tools {

using Hash = std::array<std::uint8_t, 32>;

/// Hashes bytes that arrive in parts.
class Sha256 {
 public:
  void add(std::span<const std::byte> bytes) noexcept;
  /// Returns the hash of all bytes. No more can be added.
  [[nodiscard]] Hash finish() noexcept;

 private:
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> block_{};  ///< The first size_ % 64 bytes wait for the rest of their block.
  std::uint64_t size_ = 0;
};

[[nodiscard]] Hash sha256_of(std::span<const std::byte> bytes) noexcept;

/// Returns the hash of a regular file, or nothing if it cannot be read.
[[nodiscard]] std::optional<Hash> sha256_of_file(const std::string& path);

/// Returns a hash as 64 hexadecimal digits.
[[nodiscard]] std::string hex(const Hash& hash);

}  // namespace pchr::tools
