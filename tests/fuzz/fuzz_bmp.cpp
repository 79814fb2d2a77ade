// SPDX-License-Identifier: MIT
// Any bytes as a picture of an artist; after BM they are a BMP's. And as a TGA's, which nothing begins with.
#include "use.hpp"

#include "import/images/image_file.hpp"

#include <expected>
#include <string>

namespace {

const std::uint64_t max_pixels = pchr::fuzz::small_options().limits.max_image_pixels;

void check(const std::expected<pchr::Bitmap, std::string>& bitmap) {
  if (!bitmap) return pchr::fuzz::require(!bitmap.error().empty(), "a refusal has words");
  const std::uint64_t pixels = std::uint64_t{bitmap->width} * bitmap->height;
  pchr::fuzz::require(pixels > 0 && pixels <= max_pixels, "the limit holds");
  pchr::fuzz::require(bitmap->rgba.size() == pixels * 4, "all pixels are there");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  check(pchr::decode_image_file(bytes, max_pixels));
  check(pchr::decode_tga(bytes, max_pixels));
  return 0;
}
