// SPDX-License-Identifier: MIT
#include "platform/crc32.hpp"

#include <zlib.h>

namespace pchr {

std::uint32_t crc32_of(std::span<const std::byte> bytes) noexcept {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace pchr
