// SPDX-License-Identifier: MIT
#include "render/mipmaps.hpp"

#include <algorithm>
#include <cstring>

namespace pchr {
namespace {

/// Two texels of a row or column, and how much of the second one a sample between them has, in 1/256.
struct Tap {
  std::uint32_t first, second;
  int weight;
};

/// Returns what texel `to` of `to_count` samples among `from_count` texels.
Tap find_tap(std::uint32_t to, std::uint32_t to_count, std::uint32_t from_count) {
  // The center of the texel, in 1/256 texels, is rounded to the nearest even.
  const std::uint64_t numerator = (2 * std::uint64_t{to} + 1) * from_count * 128;
  const std::uint64_t whole = numerator / to_count, twice_rest = numerator % to_count * 2;
  const bool up = twice_rest > to_count || (twice_rest == to_count && whole % 2 == 1);
  const std::uint64_t center = whole + (up ? 1 : 0) - 128;
  const auto first = static_cast<std::uint32_t>(center / 256);
  return {first, std::min(first + 1, from_count - 1), static_cast<int>(center % 256)};
}

int mix(int a, int b, int weight) { return a + ((weight * (b - a) + 128) >> 8); }

void sample_row(const std::uint8_t* above, const std::uint8_t* below, int weight, std::span<const Tap> columns,
                std::uint8_t* out) {
  for (const Tap& column : columns) {
    for (std::size_t channel = 0; channel < 4; ++channel) {
      const std::size_t first = std::size_t{4} * column.first + channel;
      const std::size_t second = std::size_t{4} * column.second + channel;
      *out++ = static_cast<std::uint8_t>(mix(mix(above[first], above[second], column.weight),
                                             mix(below[first], below[second], column.weight), weight));
    }
  }
}

std::uint64_t load_texels(const std::uint8_t* two) {
  std::uint64_t texels = 0;
  std::memcpy(&texels, two, sizeof(texels));
  return texels;
}

/// Returns the average of each pair of bytes, rounded up.
template <typename Bytes>
Bytes average(Bytes a, Bytes b) {
  return (a | b) - (((a ^ b) >> 1) & static_cast<Bytes>(0x7F7F7F7F7F7F7F7F));
}

/// Does what sample_row() does if each texel samples the middle of two by two.
void average_row(const std::uint8_t* above, const std::uint8_t* below, std::size_t width, std::uint8_t* out) {
  for (std::size_t x = 0; x < width; ++x) {
    const std::uint64_t upper = load_texels(above + 8 * x), lower = load_texels(below + 8 * x);
    const auto across = [](std::uint64_t texels) {
      return average(static_cast<std::uint32_t>(texels), static_cast<std::uint32_t>(texels >> 32));
    };
    const std::uint32_t texel = average(across(upper), across(lower));
    std::memcpy(out + 4 * x, &texel, sizeof(texel));
  }
}

/// Writes rows of a level, given the one above.
void halve(const Bitmap& above, Bitmap& level, std::uint32_t first_row, std::uint32_t row_count) {
  const std::size_t above_row = std::size_t{4} * above.width, row = std::size_t{4} * level.width;
  const std::uint8_t* const from = above.rgba.data();
  std::uint8_t* out = level.rgba.data() + first_row * row;
  const bool is_even = above.width == 2 * level.width && above.height == 2 * level.height;
  std::vector<Tap> columns(is_even ? 0 : level.width);
  for (std::uint32_t x = 0; x < columns.size(); ++x) columns[x] = find_tap(x, level.width, above.width);
  for (std::uint32_t y = first_row; y < first_row + row_count; ++y, out += row) {
    if (is_even) {
      average_row(from + 2 * y * above_row, from + (2 * y + 1) * above_row, level.width, out);
    } else {
      const Tap rows = find_tap(y, level.height, above.height);
      sample_row(from + rows.first * above_row, from + rows.second * above_row, rows.weight, columns, out);
    }
  }
}

}  // namespace

void MipmapWriter::begin_level(GLint number) {
  const std::uint32_t width = image_->width >> number, height = image_->height >> number;
  if (width == 0 && height == 0) return;
  number_ = number;
  rows_done_ = 0;
  Bitmap& next = levels_[static_cast<std::size_t>(number) % 2];
  next.width = std::max(width, 1U);
  next.height = std::max(height, 1U);
  next.rgba.clear();
  next.rgba.reserve(std::size_t{4} * next.width * next.height);
}

void MipmapWriter::write(const Gl& gl, std::uint32_t row_count) {
  Bitmap& level = levels_[static_cast<std::size_t>(number_) % 2];
  // Row by row: touching the memory of a large level takes long.
  level.rgba.resize((rows_done_ + row_count) * row_bytes());
  halve(above(), level, rows_done_, row_count);
  gl.TexSubImage2D(GL_TEXTURE_2D, number_, 0, static_cast<GLint>(rows_done_), static_cast<GLsizei>(level.width),
                   static_cast<GLsizei>(row_count), GL_RGBA, GL_UNSIGNED_BYTE, &level.rgba[rows_done_ * row_bytes()]);
  bytes_done_ += row_count * row_bytes();
  rows_done_ += row_count;
  if (rows_done_ == level.height) begin_level(number_ + 1);
}

}  // namespace pchr
