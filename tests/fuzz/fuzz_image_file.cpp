// SPDX-License-Identifier: MIT
// Decodes bytes as an image file of any format.
#include "use.hpp"

#include "import/images/image_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::uint64_t max_pixels = pchr::fuzz::small_options().limits.max_image_pixels;
  const auto bitmap = pchr::decode_image_file(std::as_bytes(std::span(data, size)), max_pixels);
  if (!bitmap) {
    pchr::fuzz::require(!bitmap.error().empty(), "a failure has a message");
    return 0;
  }
  const std::uint64_t pixels = std::uint64_t{bitmap->width} * bitmap->height;
  pchr::fuzz::require(pixels > 0 && pixels <= max_pixels, "the pixel limit is respected");
  pchr::fuzz::require(bitmap->rgba.size() == pixels * 4, "the bitmap is complete");
  return 0;
}
