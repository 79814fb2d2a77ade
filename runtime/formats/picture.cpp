// SPDX-License-Identifier: MIT
// Images of the formats that artists save in, told apart by content.
#include "formats/picture.hpp"

#include "formats/bmp.hpp"
#include "formats/gif.hpp"
#include "formats/image.hpp"
#include "formats/jpeg.hpp"
#include "formats/png_check.hpp"
#include "formats/tga.hpp"
#include "formats/webp.hpp"

#include <fmt/format.h>

#include <utility>

namespace pchr {
namespace {

std::expected<Bitmap, std::string> decode_png(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto size = png_size(bytes);
  if (!size) return std::unexpected("the PNG file ends within its header");
  const Image image{{}, size->width, size->height, ImageEncoding::png, {bytes.begin(), bytes.end()}};
  Limits limits;
  limits.max_image_pixels = max_pixels;
  auto bitmap = decode_straight(image, limits);
  if (!bitmap) {
    return std::unexpected(fmt::format("{}; {}", sentence(bitmap.error().id), bitmap.error().detail));
  }
  return *std::move(bitmap);
}

struct Encoding {
  bool (*matches)(std::span<const std::byte> bytes) noexcept;
  std::expected<Bitmap, std::string> (*decode)(std::span<const std::byte> bytes, std::uint64_t max_pixels);
};

// TGA last: it has no signature.
constexpr Encoding kEncodings[] = {{is_bmp, decode_bmp}, {is_png, decode_png},   {is_jpeg, decode_jpeg},
                                   {is_gif, decode_gif}, {is_webp, decode_webp}, {looks_like_tga, decode_tga}};

}  // namespace

std::expected<Bitmap, std::string> decode_picture(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  for (const Encoding& encoding : kEncodings) {
    if (encoding.matches(bytes)) return encoding.decode(bytes, max_pixels);
  }
  return std::unexpected("its format is unknown; BMP, PNG, JPEG, GIF, WebP and TGA files are read");
}

}  // namespace pchr
