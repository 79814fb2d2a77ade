// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace PCHR_API pchr {

/// Bytes in memory that was allocated for more. Pages of it that were never written take no memory.
struct RoomyBytes {
  std::unique_ptr<std::byte[]> memory;
  std::size_t size = 0;
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {memory.get(), size}; }
};

/// Compresses data to the format of zlib. `level` is one of libdeflate: 1 is fast, 12 is best. The result follows
/// `before` free bytes, and has room for another `after`.
[[nodiscard]] RoomyBytes deflate(std::span<const std::uint8_t> bytes, int level, std::size_t before = 0,
                                 std::size_t after = 0);

}  // namespace pchr
