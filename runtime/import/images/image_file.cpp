// SPDX-License-Identifier: MIT
// Detects the format of image files, and decodes PNG and WebP.
#include "import/images/image_file.hpp"

#include "character/fail.hpp"
#include "image/image.hpp"

#include <webp/decode.h>
#include <fmt/format.h>

namespace pchr {
namespace {

DecodedImage decode_png(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto size = png_size(bytes);
  if (!size) return Unexpected("the PNG header is truncated");
  const Image image{{}, size->width, size->height, ImageEncoding::png, {bytes.begin(), bytes.end()}};
  auto bitmap = decode_straight(image, {.max_image_pixels = max_pixels});
  if (!bitmap) return Unexpected("the PNG " + bitmap.error().detail);
  return *std::move(bitmap);
}

DecodedImage decode_webp(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPBitstreamFeatures features{};
  if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK) {
    return Unexpected("the WebP header is truncated or invalid");
  }
  if (features.has_animation != 0) return Unexpected("animated WebP files are not supported");
  const auto width = static_cast<std::uint32_t>(features.width), height = static_cast<std::uint32_t>(features.height);
  if (auto problem = size_problem(width, height, max_pixels)) return Unexpected(*std::move(problem));
  Bitmap bitmap{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
  WebPDecoderConfig config{};
  if (WebPInitDecoderConfig(&config) == 0) return Unexpected("libwebp has another version than its headers");
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {bitmap.rgba.data(), features.width * 4, bitmap.rgba.size()};
  const VP8StatusCode status = WebPDecode(data, bytes.size(), &config);
  // Nobody aborts: libwebp reports this if it cannot allocate rows for its output.
  if (status == VP8_STATUS_OUT_OF_MEMORY || status == VP8_STATUS_USER_ABORT) throw_out_of_memory();
  if (status != VP8_STATUS_OK) return Unexpected("the WebP pixels are truncated or invalid");
  return bitmap;
}

}  // namespace

std::optional<std::string> size_problem(std::uint64_t width, std::uint64_t height, std::uint64_t max_pixels) {
  if (width > 0 && height > 0 && width <= max_pixels / height) return std::nullopt;
  return fmt::format("the image is {} x {} pixels, but the total must be 1 to {}", width, height, max_pixels);
}

DecodedImage decode_image_file(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("BM") && text.size() >= 14) return decode_bmp(bytes, max_pixels);
  if (is_png(bytes)) return decode_png(bytes, max_pixels);
  if (text.starts_with("\xFF\xD8\xFF")) return decode_jpeg(bytes, max_pixels);
  if (text.starts_with("GIF8")) return decode_gif(bytes, max_pixels);
  if (text.starts_with("RIFF") && text.find("WEBP", 8) == 8) return decode_webp(bytes, max_pixels);
  if (looks_like_tga(bytes)) return decode_tga(bytes, max_pixels);
  return Unexpected("the format is unknown; supported are BMP, PNG, JPEG, GIF, WebP and TGA");
}

}  // namespace pchr
