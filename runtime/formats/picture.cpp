// SPDX-License-Identifier: MIT
// Pictures of the kinds that artists save, told apart by content.
#include "formats/picture.hpp"

#include "formats/bmp.hpp"
#include "formats/image.hpp"
#include "formats/png_check.hpp"

#include <fmt/format.h>

#include <utility>

namespace pchr {
namespace {

std::expected<Bitmap, std::string> decode_png(std::span<const std::byte> bytes, std::uint64_t most_pixels) {
  const auto size = png_size(bytes);
  if (!size) return std::unexpected("the PNG file ends within its header");
  const Image image{{}, size->width, size->height, ImageEncoding::png, {bytes.begin(), bytes.end()}};
  Limits limits;
  limits.max_image_pixels = most_pixels;
  auto bitmap = decode_straight(image, limits);
  if (!bitmap) {
    return std::unexpected(fmt::format("{}; {}", sentence(bitmap.error().id), bitmap.error().detail));
  }
  return *std::move(bitmap);
}

}  // namespace

std::expected<Bitmap, std::string> decode_picture(std::span<const std::byte> bytes, std::uint64_t most_pixels) {
  if (is_bmp(bytes)) return decode_bmp(bytes, most_pixels);
  if (is_png(bytes)) return decode_png(bytes, most_pixels);
  return std::unexpected("it is neither a BMP nor a PNG file");
}

}  // namespace pchr
