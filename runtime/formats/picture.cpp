// SPDX-License-Identifier: MIT
// Pictures of the kinds that artists save, told apart by content.
#include "formats/picture.hpp"

#include "formats/bmp.hpp"
#include "formats/image.hpp"
#include "formats/png_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
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

/// What else bytes may be that an artist saved.
std::string_view other_kind(std::span<const std::byte> bytes) noexcept {
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 12));
  if (start.starts_with("\xFF\xD8\xFF")) return "it is a JPEG file";
  if (start.starts_with("GIF8")) return "it is a GIF file";
  if (start.starts_with("RIFF") && start.ends_with("WEBP")) return "it is a WebP file";
  if (start.starts_with("8BPS")) return "it is a Photoshop file";
  return "its kind is not known";
}

}  // namespace

std::expected<Bitmap, std::string> decode_picture(std::span<const std::byte> bytes, std::uint64_t most_pixels) {
  if (is_bmp(bytes)) return decode_bmp(bytes, most_pixels);
  if (is_png(bytes)) return decode_png(bytes, most_pixels);
  return std::unexpected(fmt::format("{}; BMP and PNG files are read", other_kind(bytes)));
}

}  // namespace pchr
