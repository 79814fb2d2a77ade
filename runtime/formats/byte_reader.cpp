// SPDX-License-Identifier: MIT
// Reads little-endian values from bytes, never past their end.
#include "formats/byte_reader.hpp"

namespace pchr {

std::span<const std::byte> ByteReader::take(std::uint64_t count) noexcept {
  if (failed_) return {};
  if (count > remaining()) {
    failed_ = true;
    wanted_ = count;
    return {};
  }
  const auto result = bytes_.subspan(position_, count);
  position_ += count;
  return result;
}

std::string_view ByteReader::read_string() noexcept {
  const auto bytes = take(read<std::uint16_t>());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace pchr
