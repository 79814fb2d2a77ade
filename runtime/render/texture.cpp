// SPDX-License-Identifier: MIT
#include "render/texture.hpp"

#include "character/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace pchr {
namespace {

double decoded(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

double encoded(double linear) {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

/// For each alpha: maps a value premultiplied in sRGB to one premultiplied in linear light, then encoded to sRGB.
using ValuesByAlpha = std::array<std::array<std::uint8_t, 256>, 256>;

std::unique_ptr<const ValuesByAlpha> make_values() {
  auto values = std::make_unique<ValuesByAlpha>();
  for (std::size_t alpha = 1; alpha < 256; ++alpha) {
    for (std::size_t value = 0; value < 256; ++value) {
      const double straight = std::min(static_cast<double>(value) / static_cast<double>(alpha), 1.0);
      const double result = encoded(decoded(straight) * static_cast<double>(alpha) / 255);
      (*values)[alpha][value] = static_cast<std::uint8_t>(std::lround(result * 255));
    }
  }
  return values;
}

void premultiply_in_linear_light(std::span<std::uint8_t> rgba) {
  static const std::unique_ptr<const ValuesByAlpha> values = make_values();
  for (std::size_t i = 0; i < rgba.size(); i += 4) {
    const auto& of_alpha = (*values)[rgba[i + 3]];
    for (std::size_t channel = i; channel < i + 3; ++channel) rgba[channel] = of_alpha[rgba[channel]];
  }
}

int level_count(const Bitmap& bitmap) { return std::bit_width(std::max(bitmap.width, bitmap.height)); }

}  // namespace

std::optional<std::string> validate_bitmap(const Gl& gl, const Bitmap& bitmap) {
  const auto max_side = static_cast<std::uint32_t>(get_integer(gl, GL_MAX_TEXTURE_SIZE));
  if (bitmap.width == 0 || bitmap.height == 0 || bitmap.width > max_side || bitmap.height > max_side) {
    return format_text("has {} x {} pixels, but this context's textures allow 1 x 1 to {} x {}", bitmap.width,
                       bitmap.height, max_side, max_side);
  }
  const std::uint64_t bytes = std::uint64_t{4} * bitmap.width * bitmap.height;
  if (bitmap.rgba.size() == bytes) return std::nullopt;
  return format_text("has {} bytes, but {} x {} pixels need {}", bitmap.rgba.size(), bitmap.width, bitmap.height,
                     bytes);
}

std::uint64_t bytes_with_mipmaps(const Bitmap& bitmap) noexcept {
  std::uint64_t bytes = 0;
  for (int level = 0; level < level_count(bitmap); ++level) {
    bytes += std::uint64_t{4} * std::max(bitmap.width >> level, 1U) * std::max(bitmap.height >> level, 1U);
  }
  return bytes;
}

void define_texture(const Gl& gl, const Bitmap& bitmap, BlendSpace space) {
  const auto width = static_cast<GLsizei>(bitmap.width), height = static_cast<GLsizei>(bitmap.height);
  const int levels = writes_mipmaps(gl, space) ? level_count(bitmap) : 1;
  if (levels > 1 && gl.TexStorage2D != nullptr) {
    // Drivers would move the texture when they learn of its second level.
    gl.TexStorage2D(GL_TEXTURE_2D, levels, GL_RGBA8, width, height);
    return;
  }
  for (int level = 0; level < levels; ++level) {
    gl.TexImage2D(GL_TEXTURE_2D, level, space == BlendSpace::linear ? GL_SRGB8_ALPHA8 : GL_RGBA8,
                  std::max(width >> level, 1), std::max(height >> level, 1), 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  }
}

void write_rows(const Gl& gl, const Bitmap& bitmap, std::uint32_t first_row, std::uint32_t row_count,
                BlendSpace space) {
  const std::size_t row_bytes = std::size_t{4} * bitmap.width;
  auto pixels = std::span(bitmap.rgba).subspan(first_row * row_bytes, row_count * row_bytes);
  std::vector<std::uint8_t> converted;
  if (space == BlendSpace::linear) {
    converted.assign(pixels.begin(), pixels.end());
    premultiply_in_linear_light(converted);
    pixels = converted;
  }
  gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(first_row), static_cast<GLsizei>(bitmap.width),
                   static_cast<GLsizei>(row_count), GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
}

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
