// SPDX-License-Identifier: MIT
// BMP files composed field by field, valid or not.
#pragma once

#include "support/files.hpp"

#include <cstdint>
#include <vector>

namespace pchr::test {

/// The fields of a BMP file. They need not be consistent.
struct BmpParts {
  std::uint32_t header_bytes = 40;  ///< 12 for OS/2, at least 40 for Windows.
  std::int32_t width = 1, height = 1;
  std::uint16_t bits = 24;
  std::uint32_t compression = 0;
  std::uint32_t colors = 0;
  std::vector<std::uint8_t> after_header{};  ///< Masks, then the palette.
  std::vector<std::uint8_t> pixels{};
  std::int64_t pixel_offset = -1;  ///< -1 means the actual position.
};

[[nodiscard]] Bytes bmp_of(const BmpParts& parts);

}  // namespace pchr::test
