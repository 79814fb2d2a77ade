// SPDX-License-Identifier: MIT
// Decodes a PNG with a declared size: two bytes of width, two of height, one of options, then the PNG. Options correct
// the checksums, which the fuzzer cannot guess, and the declared size. Then encodes and decodes what it shows.
#include "use.hpp"

#include <pchr/image.hpp>

#include <libdeflate.h>

namespace {

std::uint32_t read_big_endian(const std::byte* bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8U | std::to_integer<std::uint32_t>(bytes[i]);
  return value;
}

void mend_checksums(std::span<std::byte> png) {
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const std::uint32_t length = read_big_endian(&png[at]);
    if (length > png.size() - at - 12) return;
    const auto checksum = libdeflate_crc32(0, &png[at + 4], length + 4U);
    for (unsigned i = 0; i < 4; ++i) png[at + 8 + length + i] = static_cast<std::byte>(checksum >> (24 - 8 * i));
    at += 12 + length;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kPrefixBytes = 5;
  constexpr std::size_t kSizeInPng = 16;
  if (size < kPrefixBytes) return 0;
  const auto png = std::as_bytes(std::span(data, size)).subspan(kPrefixBytes);
  pchr::Image image{"input", data[0] * 256U + data[1], data[2] * 256U + data[3], pchr::ImageEncoding::png, {}};
  image.bytes.assign(png.begin(), png.end());
  const unsigned choices = data[4];
  if ((choices & 1U) != 0) mend_checksums(image.bytes);
  if ((choices & 2U) != 0 && image.bytes.size() >= kSizeInPng + 8) {
    image.width = read_big_endian(&image.bytes[kSizeInPng]);
    image.height = read_big_endian(&image.bytes[kSizeInPng + 4]);
  }
  auto bitmap = pchr::decode(image, pchr::fuzz::small_options().limits);
  if (bitmap) {
    pchr::fuzz::require(bitmap->rgba.size() == std::size_t{4} * image.width * image.height, "the bitmap is complete");
    // Opaque pixels do not change when they are premultiplied again.
    for (std::size_t at = 3; at < bitmap->rgba.size(); at += 4) bitmap->rgba[at] = 255;
    const auto compression = (choices & 4U) != 0 ? pchr::PngCompression::fast : pchr::PngCompression::normal;
    image.bytes = pchr::encode_png(*bitmap, compression);
    const auto again = pchr::decode(image, pchr::fuzz::small_options().limits);
    pchr::fuzz::require(again && again->rgba == bitmap->rgba, "a PNG written by the library has the same pixels");
  }
  return 0;
}
