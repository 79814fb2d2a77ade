// SPDX-License-Identifier: MIT
// Encoded images into pixels: stb_image behind checks and a memory budget.
#include "formats/image.hpp"

#include "formats/png_check.hpp"
#include "model/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {

// stb_image inflates whatever a PNG holds, however small the picture it declares. What this thread's decoder
// may still allocate bounds it; freed memory is not given back, so the sum of all its requests is bounded.
thread_local std::size_t decoder_budget_bytes = 0;

void* budget_malloc(std::size_t bytes) {
  if (bytes > decoder_budget_bytes) return nullptr;
  decoder_budget_bytes -= bytes;
  return std::malloc(bytes);
}

void* budget_realloc(void* memory, std::size_t old_bytes, std::size_t new_bytes) {
  if (new_bytes <= old_bytes) return std::realloc(memory, new_bytes);
  void* larger = budget_malloc(new_bytes);
  if (larger == nullptr) return nullptr;
  if (memory != nullptr) std::memcpy(larger, memory, old_bytes);
  std::free(memory);
  return larger;
}

}  // namespace

#define STBI_MALLOC(bytes) budget_malloc(bytes)
#define STBI_REALLOC_SIZED(memory, old_bytes, new_bytes) budget_realloc(memory, old_bytes, new_bytes)
#define STBI_FREE(memory) std::free(memory)
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 65535
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

namespace pchr {
namespace {

struct FreePixels {
  void operator()(stbi_uc* pixels) const noexcept { stbi_image_free(pixels); }
};

void premultiply(std::span<std::uint8_t> rgba) noexcept {
  for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
    const unsigned alpha = rgba[i + 3];
    for (std::size_t channel = 0; channel < 3; ++channel) {
      rgba[i + channel] = static_cast<std::uint8_t>((rgba[i + channel] * alpha + 127) / 255);
    }
  }
}

/// What stands for an image that a file does not have: opaque squares in two greys.
std::vector<std::uint8_t> checker(std::size_t width, std::size_t height) {
  constexpr std::size_t kSquarePixels = 16;
  std::vector<std::uint8_t> rgba(width * height * 4, 255);
  for (std::size_t pixel = 0; pixel < width * height; ++pixel) {
    const bool light = (pixel % width / kSquarePixels + pixel / width / kSquarePixels) % 2 == 0;
    std::fill_n(rgba.begin() + static_cast<std::ptrdiff_t>(pixel * 4), 3, static_cast<std::uint8_t>(light ? 168 : 120));
  }
  return rgba;
}

std::expected<std::vector<std::uint8_t>, Finding> decode_png(const Image& image) {
  if (const auto problem = check_png(image.bytes, image.width, image.height)) {
    return std::unexpected(Finding{problem->id, {}, {}, problem->offset, problem->detail});
  }
  const std::uint64_t rgba_bytes = std::uint64_t{4} * image.width * image.height;
  // Enough for every valid file, 16-bit interlaced ones included.
  decoder_budget_bytes = 8 * rgba_bytes + 4 * image.bytes.size() + (std::size_t{64} << 10);
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, FreePixels> pixels(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(image.bytes.data()), static_cast<int>(image.bytes.size()),
                            &width, &height, &channels, 4));
  if (!pixels) {
    const char* reason = stbi_failure_reason();
    return std::unexpected(
        Finding{FindingId::png_undecodable,
                {},
                {},
                0,
                fmt::format("the decoder says: {}", reason != nullptr ? reason : "no reason given")});
  }
  return std::vector<std::uint8_t>(pixels.get(), pixels.get() + rgba_bytes);
}

}  // namespace

std::expected<Bitmap, Finding> decode_straight(const Image& image, const Limits& limits) {
  const std::uint64_t pixels = std::uint64_t{image.width} * image.height;
  // Divided, since width * height * 4 of an unchecked image could wrap.
  if (image.width == 0 || image.height == 0 || image.width > 65535 || image.height > 65535) {
    return std::unexpected(Finding{FindingId::image_size_zero,
                                   {},
                                   {},
                                   {},
                                   fmt::format("found {} x {}; allowed are 1 to 65535", image.width, image.height)});
  }
  if (pixels > limits.max_image_pixels || image.bytes.size() > std::size_t{0x7fffffff}) {
    return std::unexpected(Finding{FindingId::limit_exceeded,
                                   {},
                                   {},
                                   {},
                                   fmt::format("found {} pixels in {} bytes; the limit is {} pixels in 2 GiB", pixels,
                                               image.bytes.size(), limits.max_image_pixels)});
  }
  Bitmap bitmap{image.width, image.height, {}};
  if (image.encoding == ImageEncoding::absent) {
    bitmap.rgba = checker(image.width, image.height);
  } else if (image.encoding == ImageEncoding::rgba8888) {
    if (image.bytes.size() != pixels * 4) {
      return std::unexpected(Finding{FindingId::image_data_size,
                                     {},
                                     {},
                                     {},
                                     fmt::format("found {} bytes; {} are needed", image.bytes.size(), pixels * 4)});
    }
    const auto* first = reinterpret_cast<const std::uint8_t*>(image.bytes.data());
    bitmap.rgba.assign(first, first + image.bytes.size());
  } else {
    auto decoded = decode_png(image);
    if (!decoded) return std::unexpected(std::move(decoded.error()));
    bitmap.rgba = std::move(*decoded);
  }
  return bitmap;
}

std::expected<Bitmap, Finding> decode(const Image& image, const Limits& limits) {
  auto bitmap = decode_straight(image, limits);
  if (bitmap) premultiply(bitmap->rgba);
  return bitmap;
}

std::expected<std::vector<Bitmap>, Finding> decode_images(const Character& character, const Limits& limits) {
  std::vector<Bitmap> bitmaps;
  for (std::uint32_t i = 0; i < character.images().size(); ++i) {
    auto bitmap = decode(character.images()[i], limits);
    if (!bitmap) {
      Finding finding = std::move(bitmap.error());
      const Location location{Section::images, Field::data, i};
      finding.path = to_path(location);
      finding.name = name_at(character.data(), location);
      // The offset counts from the start of the image's data, not of the file, which is gone by now.
      if (finding.byte_offset) finding.detail += fmt::format(" (at byte {} of the image)", *finding.byte_offset);
      finding.byte_offset.reset();
      return std::unexpected(std::move(finding));
    }
    bitmaps.push_back(std::move(*bitmap));
  }
  return bitmaps;
}

}  // namespace pchr
