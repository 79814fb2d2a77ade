// SPDX-License-Identifier: MIT
// Any bytes as an image of any format that artists save in.
#include "use.hpp"

#include "import/images/image_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::uint64_t max_pixels = pchr::fuzz::small_options().limits.max_image_pixels;
  const auto bitmap = pchr::decode_image_file(std::as_bytes(std::span(data, size)), max_pixels);
  if (!bitmap) {
    pchr::fuzz::require(!bitmap.error().empty(), "a refusal has words");
    return 0;
  }
  const std::uint64_t pixels = std::uint64_t{bitmap->width} * bitmap->height;
  pchr::fuzz::require(pixels > 0 && pixels <= max_pixels, "the limit holds");
  pchr::fuzz::require(bitmap->rgba.size() == pixels * 4, "all pixels are there");
  return 0;
}
