// SPDX-License-Identifier: MIT
// BMP files composed field by field, valid or not.
#include "support/bmp.hpp"

#include <algorithm>

namespace pchr::test {
namespace {

void put(Bytes& bytes, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

void put(Bytes& bytes, const std::vector<std::uint8_t>& values) {
  for (const std::uint8_t value : values) bytes.push_back(static_cast<std::byte>(value));
}

}  // namespace

Bytes bmp_of(const BmpParts& parts) {
  const std::size_t offset = 14 + parts.header_bytes + parts.after_header.size();
  Bytes bytes;
  put(bytes, 0x4D42, 2);
  put(bytes, static_cast<std::uint32_t>(offset + parts.pixels.size()), 4);
  put(bytes, 0, 4);
  put(bytes,
      parts.pixel_offset < 0 ? static_cast<std::uint32_t>(offset) : static_cast<std::uint32_t>(parts.pixel_offset), 4);
  put(bytes, parts.header_bytes, 4);
  const int side_bytes = parts.header_bytes == 12 ? 2 : 4;
  put(bytes, static_cast<std::uint32_t>(parts.width), side_bytes);
  put(bytes, static_cast<std::uint32_t>(parts.height), side_bytes);
  put(bytes, 1, 2);
  put(bytes, parts.bits, 2);
  if (parts.header_bytes >= 40) {
    put(bytes, parts.compression, 4);
    for (int i = 0; i < 3; ++i) put(bytes, 0, 4);
    put(bytes, parts.colors, 4);
    put(bytes, 0, 4);
  }
  // In the longer headers the masks are fields, so `after_header` starts with them.
  put(bytes, parts.after_header);
  bytes.resize(std::max<std::size_t>(bytes.size(), 14 + std::size_t{parts.header_bytes}));
  put(bytes, parts.pixels);
  return bytes;
}

}  // namespace pchr::test
