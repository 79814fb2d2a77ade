// SPDX-License-Identifier: MIT
// Pixels somewhere on a canvas.
#include "formats/px/cel.hpp"

#include <algorithm>
#include <cstring>

namespace pchr::px {
namespace {

using Row = std::span<const std::uint8_t>;

constexpr std::size_t kPixelBytes = 4;

bool is_opaque_at(Row row, std::size_t pixel) noexcept { return row[pixel * kPixelBytes + 3] != 0; }

/// Whether every pixel is transparent. Compilers make vector instructions of the inner loop.
bool is_transparent(Row row) noexcept {
  constexpr std::size_t kBlockPixels = 64;
  std::size_t pixel = 0;
  const std::size_t count = row.size() / kPixelBytes;
  while (pixel < count) {
    const std::size_t end = std::min(pixel + kBlockPixels, count);
    std::uint32_t any = 0;
    for (; pixel < end; ++pixel) {
      std::uint32_t word = 0;
      std::memcpy(&word, row.data() + pixel * kPixelBytes, kPixelBytes);
      any |= word;
    }
    if ((any & 0xFF000000U) != 0) return false;
  }
  return true;
}

/// Of rows of `width` pixels.
Box find_content(std::span<const std::uint8_t> rgba, std::size_t width) noexcept {
  const auto row = [&](std::size_t y) { return rgba.subspan(y * width * kPixelBytes, width * kPixelBytes); };
  std::size_t top = 0, bottom = width == 0 ? 0 : rgba.size() / kPixelBytes / width;
  while (top < bottom && is_transparent(row(top))) ++top;
  while (bottom > top && is_transparent(row(bottom - 1))) --bottom;
  std::size_t left = width, right = 0;
  for (std::size_t y = top; y < bottom; ++y) {
    std::size_t first = 0, last = width;
    while (first < left && !is_opaque_at(row(y), first)) ++first;
    while (last > right && !is_opaque_at(row(y), last - 1)) --last;
    left = std::min(left, first);
    right = std::max(right, last);
  }
  if (top == bottom) return {};
  const auto signed_of = [](std::size_t value) { return static_cast<std::int32_t>(value); };
  return {signed_of(left), signed_of(top), signed_of(right), signed_of(bottom)};
}

}  // namespace

void Box::include(const Box& other) noexcept {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  left = std::min(left, other.left);
  top = std::min(top, other.top);
  right = std::max(right, other.right);
  bottom = std::max(bottom, other.bottom);
}

Cel trimmed(std::span<const std::uint8_t> rgba, std::size_t width, std::int32_t left, std::int32_t top) {
  const Box box = find_content(rgba, width);
  if (box.empty()) return {};
  Cel cel{{box.left + left, box.top + top, box.right + left, box.bottom + top}};
  cel.rgba.reserve(static_cast<std::size_t>(box.pixels()) * kPixelBytes);
  const std::size_t row_bytes = static_cast<std::size_t>(box.width()) * kPixelBytes;
  for (std::int32_t y = box.top; y < box.bottom; ++y) {
    const std::size_t start = (static_cast<std::size_t>(y) * width + static_cast<std::size_t>(box.left)) * kPixelBytes;
    const Row row = rgba.subspan(start, row_bytes);
    cel.rgba.insert(cel.rgba.end(), row.begin(), row.end());
  }
  return cel;
}

}  // namespace pchr::px
