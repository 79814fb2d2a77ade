// SPDX-License-Identifier: MIT
// Tells image files apart by content.
#include "import/picture/picture.hpp"

#include "image/image.hpp"
#include "image/png_check.hpp"

#include <webp/decode.h>
#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace pchr {
namespace {

DecodedPicture decode_png(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto size = png_size(bytes);
  if (!size) return std::unexpected("the PNG file ends within its header");
  const Image image{{}, size->width, size->height, ImageEncoding::png, {bytes.begin(), bytes.end()}};
  Limits limits;
  limits.max_image_pixels = max_pixels;
  auto bitmap = decode_straight(image, limits);
  if (!bitmap) {
    return std::unexpected(fmt::format("{}; {}", message(bitmap.error().id), bitmap.error().detail));
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

bool is_webp(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= 12 && std::memcmp(bytes.data(), "RIFF", 4) == 0 &&
         std::memcmp(bytes.data() + 8, "WEBP", 4) == 0;
}

DecodedPicture decode_webp(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPBitstreamFeatures features{};
  if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK) {
    return std::unexpected("it is a broken WebP file: the header is cut short or wrong");
  }
  if (features.has_animation != 0) return std::unexpected("it is an animated WebP file; still ones are read");
  const auto width = static_cast<std::uint32_t>(features.width), height = static_cast<std::uint32_t>(features.height);
  if (auto problem = size_problem(width, height, max_pixels)) return std::unexpected(*std::move(problem));
  Bitmap bitmap{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
  if (WebPDecodeRGBAInto(data, bytes.size(), bitmap.rgba.data(), bitmap.rgba.size(), features.width * 4) == nullptr) {
    return std::unexpected("it is a broken WebP file: the pixels are cut short or wrong");
  }
  return bitmap;
}

std::optional<std::string> size_problem(std::uint64_t width, std::uint64_t height, std::uint64_t max_pixels) {
  if (width > 0 && height > 0 && width <= max_pixels / height) return std::nullopt;
  return fmt::format("it has {} x {} pixels; allowed are 1 to {} in all", width, height, max_pixels);
}

DecodedPicture decode_picture(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  for (const Encoding& encoding : kEncodings) {
    if (encoding.matches(bytes)) return encoding.decode(bytes, max_pixels);
  }
  return std::unexpected("its format is unknown; BMP, PNG, JPEG, GIF, WebP and TGA files are read");
}

}  // namespace pchr
