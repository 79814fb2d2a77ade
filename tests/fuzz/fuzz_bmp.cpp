// SPDX-License-Identifier: MIT
// Decodes bytes as an image file (a BMP if they start with BM), and as a TGA, which has no signature.
#include "use.hpp"

#include "import/images/image_file.hpp"

#include <pchr/expected.hpp>
#include <string>

namespace {

const std::uint64_t max_pixels = pchr::fuzz::small_options().limits.max_image_pixels;

void check(const pchr::Expected<pchr::Bitmap, std::string>& bitmap) {
  if (!bitmap) return pchr::fuzz::require(!bitmap.error().empty(), "a failure has a message");
  const std::uint64_t pixels = std::uint64_t{bitmap->width} * bitmap->height;
  pchr::fuzz::require(pixels > 0 && pixels <= max_pixels, "the pixel limit is respected");
  pchr::fuzz::require(bitmap->rgba.size() == pixels * 4, "the bitmap is complete");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  check(pchr::decode_image_file(bytes, max_pixels));
  check(pchr::decode_tga(bytes, max_pixels));
  return 0;
}
