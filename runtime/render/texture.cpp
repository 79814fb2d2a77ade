// SPDX-License-Identifier: MIT
#include "render/texture.hpp"

#include "character/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

}  // namespace pchr
