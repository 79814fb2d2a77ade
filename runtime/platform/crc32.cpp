// SPDX-License-Identifier: MIT
#include "platform/crc32.hpp"

#include <libdeflate.h>

namespace pchr {

std::uint32_t crc32_of(std::span<const std::byte> bytes) noexcept {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace pchr
