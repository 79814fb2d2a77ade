// SPDX-License-Identifier: MIT
// The WebP format, through libwebp.
#include "formats/webp.hpp"

#include "formats/picture_size.hpp"

#include <webp/decode.h>

#include <cstring>
#include <utility>
#include <vector>

namespace pchr {

bool is_webp(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= 12 && std::memcmp(bytes.data(), "RIFF", 4) == 0 &&
         std::memcmp(bytes.data() + 8, "WEBP", 4) == 0;
}

std::expected<Bitmap, std::string> decode_webp(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
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

}  // namespace pchr
