// SPDX-License-Identifier: MIT
#include "export/pixels.hpp"

#include <algorithm>
#include <cstring>

namespace pchr::exporting {
namespace {

/// Returns the smallest area that contains each pixel for which `counts(offset)` is true. `row_is_empty(offset)` is a
/// fast check that it is false for a whole row.
template <class RowIsEmpty, class Counts>
Area find_area(std::uint32_t width, std::uint32_t height, const RowIsEmpty& row_is_empty, const Counts& counts) {
  const std::size_t row_bytes = std::size_t{width} * 4;
  std::uint32_t top = 0, bottom = height;
  while (top < bottom && row_is_empty(top * row_bytes)) ++top;
  while (bottom > top && row_is_empty((bottom - 1) * row_bytes)) --bottom;
  if (top == bottom) return {};
  std::uint32_t left = width, right = 0;
  for (std::uint32_t y = top; y < bottom; ++y) {
    const std::size_t row = y * row_bytes;
    std::uint32_t x = 0;
    while (x < left && !counts(row + x * 4)) ++x;
    left = x;
    for (x = width; x > right && !counts(row + (x - 1) * 4); --x) {
    }
    right = std::max(right, x);
  }
  return {left, top, right - left, bottom - top};
}

}  // namespace

Area whole(const Bitmap& bitmap) { return {0, 0, bitmap.width, bitmap.height}; }

Area visible_area(const Bitmap& bitmap) {
  const auto is_visible = [&](std::size_t at) { return bitmap.rgba[at + 3] != 0; };
  const auto row_is_empty = [&](std::size_t row) {
    for (std::size_t x = 0; x < bitmap.width; ++x) {
      if (is_visible(row + x * 4)) return false;
    }
    return true;
  };
  return find_area(bitmap.width, bitmap.height, row_is_empty, is_visible);
}

Area changed_area(const Bitmap& bitmap, const Bitmap& previous) {
  const std::uint8_t* now = bitmap.rgba.data();
  const std::uint8_t* before = previous.rgba.data();
  const std::size_t row_bytes = std::size_t{bitmap.width} * 4;
  return find_area(
      bitmap.width, bitmap.height,
      [&](std::size_t row) { return std::memcmp(now + row, before + row, row_bytes) == 0; },
      [&](std::size_t at) { return std::memcmp(now + at, before + at, 4) != 0; });
}

Bitmap part_of(const Bitmap& bitmap, const Area& area) {
  const std::size_t row_bytes = std::size_t{area.width} * 4;
  Bitmap part{area.width, area.height, {}};
  part.rgba.reserve((row_bytes + 1) * area.height);  // For write_png().
  part.rgba.resize(row_bytes * area.height);
  for (std::size_t y = 0; y < area.height; ++y) {
    std::memcpy(&part.rgba[y * row_bytes], &bitmap.rgba[((area.y + y) * bitmap.width + area.x) * 4], row_bytes);
  }
  return part;
}

Bitmap straight_part(const Bitmap& bitmap, const Area& area) {
  Bitmap part = part_of(bitmap, area);
  unpremultiply(part);
  return part;
}

}  // namespace pchr::exporting
