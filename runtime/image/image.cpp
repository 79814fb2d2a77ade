// SPDX-License-Identifier: MIT
// Decodes images with stb_image, behind checks and a memory budget.
#include "image/image.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"
#include "character/path.hpp"
#include "compiler/vectors.hpp"
#include "platform/checksums.hpp"
#include "platform/files.hpp"
#include "platform/parallel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace {

// stb_image inflates everything a PNG contains, even if its declared size is small. This limits the total that one
// thread's decoder can request; freed memory is not returned to the budget.
thread_local std::size_t decoder_budget_bytes = 0;
// Whether the system had no more memory. Only a damaged image exceeds the budget.
thread_local bool decoder_out_of_memory = false;

void* budget_malloc(std::size_t bytes) {
  if (bytes > decoder_budget_bytes) return nullptr;
  decoder_budget_bytes -= bytes;
  void* const memory = std::malloc(bytes);
  decoder_out_of_memory |= memory == nullptr;
  return memory;
}

void* budget_realloc(void* memory, std::size_t old_bytes, std::size_t new_bytes) {
  // Never fails: the result would replace the block that is lost then.
  if (new_bytes <= old_bytes) return memory;
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

// The structure of PNG files (ISO/IEC 15948, section 5).

constexpr std::array<unsigned char, 8> kSignature{0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};

std::uint32_t read_big_endian(std::span<const std::byte> bytes) noexcept {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[static_cast<std::size_t>(i)]);
  return value;
}

struct Chunk {
  std::string_view type;
  std::span<const std::byte> data;
  std::uint32_t stored_crc;
  std::uint32_t actual_crc;
};

/// Returns the chunk at `offset`, or nothing if the bytes end inside it.
std::optional<Chunk> chunk_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  const auto rest = bytes.subspan(offset);
  if (rest.size() < 12) return std::nullopt;
  const std::uint32_t length = read_big_endian(rest);
  if (length > rest.size() - 12) return std::nullopt;
  const auto typed = rest.subspan(4, std::size_t{4} + length);
  return Chunk{{reinterpret_cast<const char*>(typed.data()), 4},
               typed.subspan(4),
               read_big_endian(rest.subspan(std::size_t{8} + length)),
               crc32_of(typed)};
}

Diagnostic problem(DiagnosticId id, std::uint64_t offset, std::string detail) {
  return {id, {}, {}, offset, std::move(detail)};
}

std::optional<Diagnostic> check_header(const Chunk& chunk, std::uint64_t offset, std::uint32_t width,
                                       std::uint32_t height) {
  if (chunk.type != "IHDR" || chunk.data.size() != 13) {
    return problem(DiagnosticId::broken_png, offset, "does not start with a header chunk (IHDR of 13 bytes)");
  }
  const std::uint32_t found_width = read_big_endian(chunk.data);
  const std::uint32_t found_height = read_big_endian(chunk.data.subspan(4));
  if (found_width != width || found_height != height) {
    return problem(
        DiagnosticId::png_size_mismatch, offset + 8,
        format_text("is {} x {} pixels, but the character declares {} x {}", found_width, found_height, width, height));
  }
  return std::nullopt;
}

std::uint64_t pixels_of(const Image& image) noexcept { return std::uint64_t{image.width} * image.height; }

/// Converts straight pixels for the result: copies or premultiplies them.
using Store = std::vector<std::uint8_t> (*)(std::span<const std::uint8_t> straight);

std::vector<std::uint8_t> copied(std::span<const std::uint8_t> straight) { return {straight.begin(), straight.end()}; }

/// Multiplies four pixels by their alpha, rounding to nearest. A product t of two bytes is divided by 255 without a
/// division: (t + 128 + (t + 128) / 256) / 256 is exact.
Uint4 premultiplied(Uint4 straight) noexcept {
  const Uint4 alpha = straight >> 24;
  const auto factors = bits_as<Ushort8>(alpha | alpha << 16);
  const auto scaled = [&](Uint4 channels) {
    const Ushort8 product = bits_as<Ushort8>(channels) * factors + 128;
    return bits_as<Uint4>((product + (product >> 8)) >> 8);
  };
  const Uint4 red_and_blue = scaled(straight & 0x00FF00FF);
  // Multiplying alpha by 255 leaves it unchanged.
  const Uint4 green_and_alpha = scaled(((straight >> 8) & 0xFF) | 0x00FF0000);
  return red_and_blue | green_and_alpha << 8;
}

/// Works through a block that stays in the cache, so the result's memory is touched only once.
std::vector<std::uint8_t> premultiplied(std::span<const std::uint8_t> straight) {
  std::vector<std::uint8_t> result;
  result.reserve(straight.size());
  std::array<Uint4, 256> block{};
  while (!straight.empty()) {
    const std::size_t bytes = std::min(straight.size(), sizeof(block));
    std::memcpy(block.data(), straight.data(), bytes);
    for (Uint4& pixels : block) pixels = premultiplied(pixels);
    const auto* first = reinterpret_cast<const std::uint8_t*>(block.data());
    result.insert(result.end(), first, first + bytes);
    straight = straight.subspan(bytes);
  }
  return result;
}

/// Returns an opaque checkerboard in two grays, for an absent image.
std::vector<std::uint8_t> checker(std::size_t width, std::size_t height) {
  constexpr std::size_t kSquarePixels = 16;
  std::vector<std::uint8_t> rgba(width * height * 4, 255);
  for (std::size_t pixel = 0; pixel < width * height; ++pixel) {
    const bool light = (pixel % width / kSquarePixels + pixel / width / kSquarePixels) % 2 == 0;
    std::fill_n(rgba.begin() + static_cast<std::ptrdiff_t>(pixel * 4), 3, static_cast<std::uint8_t>(light ? 168 : 120));
  }
  return rgba;
}

/// Returns an upper bound on the total that stb_image requests for a valid PNG. A pixel of an interlaced 16-bit RGBA
/// file needs the most: 24 bytes of inflated rows (the buffer starts at 8, without the filter bytes of all passes, and
/// doubles), 8 in its pass, 8 in the whole image, 4 in the result. Rows add filter bytes, columns add the row buffers
/// of each pass, and compressed data is collected in a buffer that doubles as it grows.
std::size_t decoder_need(const Image& image) noexcept {
  const std::size_t width = image.width, height = image.height;
  return 44 * width * height + 64 * (width + height) + 4 * image.bytes.size() + (std::size_t{64} << 10);
}

Expected<std::vector<std::uint8_t>, Diagnostic> decode_png(const Image& image, Store store) {
  if (auto problem = check_png(image.bytes, image.width, image.height)) return Unexpected(std::move(*problem));
  const std::uint64_t rgba_bytes = std::uint64_t{4} * image.width * image.height;
  decoder_budget_bytes = decoder_need(image);
  decoder_out_of_memory = false;
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(image.bytes.data()), static_cast<int>(image.bytes.size()),
                            &width, &height, &channels, 4),
      stbi_image_free);
  if (!pixels) {
    if (decoder_out_of_memory) throw_out_of_memory();
    const char* reason = stbi_failure_reason();
    return fail(DiagnosticId::png_undecodable, 0,
                format_text("cannot be decoded: {}", reason != nullptr ? reason : "unknown reason"));
  }
  return store({pixels.get(), static_cast<std::size_t>(rgba_bytes)});
}

Expected<std::vector<std::uint8_t>, Diagnostic> decode_pixels(const Image& image, const Limits& limits, Store store) {
  const std::uint64_t pixels = pixels_of(image);
  if (image.width == 0 || image.height == 0 || image.width > 65535 || image.height > 65535) {
    return fail(DiagnosticId::image_size_zero,
                format_text("is {} x {} pixels, but each side must be between 1 and 65535", image.width, image.height));
  }
  if (pixels > limits.max_image_pixels || image.bytes.size() > std::size_t{0x7fffffff}) {
    return fail(DiagnosticId::limit_exceeded,
                format_text("has {} pixels in {} bytes, but the limit is {} pixels in 2 GiB", pixels,
                            image.bytes.size(), limits.max_image_pixels));
  }
  if (image.encoding == ImageEncoding::absent) return checker(image.width, image.height);
  if (image.encoding == ImageEncoding::png) return decode_png(image, store);
  if (image.bytes.size() != pixels * 4) {
    return fail(DiagnosticId::image_data_size,
                format_text("has {} bytes, but needs {}", image.bytes.size(), pixels * 4));
  }
  return store({reinterpret_cast<const std::uint8_t*>(image.bytes.data()), image.bytes.size()});
}

Expected<Bitmap, Diagnostic> decode(const Image& image, const Limits& limits, Store store) {
  auto rgba = decode_pixels(image, limits, store);
  if (rgba) return Bitmap{image.width, image.height, *std::move(rgba)};
  rgba.error().path = "data";
  return Unexpected(std::move(rgba.error()));
}

/// Decodes one image of a character. Errors name the image.
Expected<Bitmap, Diagnostic> decode_one_of(const Character& character, std::uint32_t number, const Limits& limits) {
  auto bitmap = decode(character.images()[number], limits);
  if (bitmap) return bitmap;
  Diagnostic& error = bitmap.error();
  // The byte offset is relative to the image, not to the character's file.
  if (error.byte_offset) error.detail += format_text(", at byte {} of the image", *error.byte_offset);
  error = diagnostic_at(error.id, character.data(), path_of("images", number, "data"), std::move(error.detail));
  return bitmap;
}

/// Returns as many of the first images as fit into `max_pixels` in total.
std::span<const Image> within(std::uint64_t max_pixels, std::span<const Image> images) noexcept {
  std::size_t count = 0;
  while (count < images.size() && pixels_of(images[count]) <= max_pixels) max_pixels -= pixels_of(images[count++]);
  return images.first(count);
}

Expected<Bitmap, Diagnostic> read_png(const std::string& path, const Limits& limits, const ReadFile& reader) {
  auto file = read_named_file(path, limits.max_file_bytes, 0, reader);
  if (!file) return Unexpected(std::move(file.error()));
  const PngSize size = png_size(file->bytes()).value_or(PngSize{});
  const auto refuse = [](Diagnostic error) {
    error.path.clear();
    error.detail = "the file " + error.detail;
    return Unexpected(std::move(error));
  };
  if (auto problem = check_png(file->bytes(), size.width, size.height)) return refuse(std::move(*problem));
  file->storage.resize(file->size);
  auto bitmap = decode({{}, size.width, size.height, ImageEncoding::png, std::move(file->storage)}, limits);
  if (!bitmap) return refuse(std::move(bitmap.error()));
  return bitmap;
}

Expected<std::vector<Bitmap>, Diagnostic> decode_all(const Character& character, const Limits& limits,
                                                     const Executor& executor) {
  const std::span<const Image> all = character.images();
  const std::span<const Image> images = within(limits.max_image_pixels, all);
  const std::size_t count = images.size();
  std::vector<Expected<Bitmap, Diagnostic>> results(count);
  std::uint64_t pixels = 0;
  for (const Image& image : images) pixels += pixels_of(image);
  // Starting a thread takes as long as decoding a few thousand pixels.
  constexpr std::uint64_t kPixelsPerThread = 16'384;
  const std::size_t threads = std::min<std::uint64_t>(count, pixels / kPixelsPerThread);
  std::atomic<std::size_t> next = 0;
  parallel_for(executor, threads, 1, [&](std::size_t /*first*/, std::size_t /*last*/) {
    for (std::size_t i = next++; i < count; i = next++) {
      results[i] = decode_one_of(character, static_cast<std::uint32_t>(i), limits);
      // All images before this one are already being decoded, so the first broken one is still found.
      if (!results[i]) next = count;
    }
  });

  std::vector<Bitmap> bitmaps;
  bitmaps.reserve(count);
  for (auto& result : results) {
    if (!result) return Unexpected(std::move(result.error()));
    bitmaps.push_back(std::move(*result));
  }
  if (count < all.size()) {
    const Image& image = all[count];
    return Unexpected(diagnostic_at(DiagnosticId::limit_exceeded, character.data(), path_of("images", count, "data"),
                                    format_text("is {} x {} pixels, which is too many in total; the limit is {} pixels",
                                                image.width, image.height, limits.max_image_pixels)));
  }
  return bitmaps;
}

}  // namespace

bool is_png(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= kSignature.size() && std::memcmp(bytes.data(), kSignature.data(), kSignature.size()) == 0;
}

std::optional<PngSize> png_size(std::span<const std::byte> bytes) noexcept {
  constexpr std::size_t kOffset = kSignature.size() + 8;
  if (bytes.size() < kOffset + 8) return std::nullopt;
  return PngSize{read_big_endian(bytes.subspan(kOffset)), read_big_endian(bytes.subspan(kOffset + 4))};
}

std::optional<Diagnostic> check_png(std::span<const std::byte> bytes, std::uint32_t width, std::uint32_t height) {
  if (!is_png(bytes)) {
    return problem(DiagnosticId::not_png, 0, "does not start with the PNG signature");
  }
  bool has_pixels = false;
  std::uint64_t offset = kSignature.size();
  for (bool first = true;; first = false) {
    const auto chunk = chunk_at(bytes, offset);
    if (!chunk) {
      return problem(DiagnosticId::broken_png, offset,
                     format_text("ends inside a chunk, {} after its start", counted(bytes.size() - offset, "byte")));
    }
    // Checked before the checksum because a wrong size is the more useful error.
    if (first) {
      if (auto problem = check_header(*chunk, offset, width, height)) return problem;
    }
    if (chunk->stored_crc != chunk->actual_crc) {
      return problem(DiagnosticId::png_checksum, offset,
                     format_text("has a chunk {} with CRC {:08x}, but its bytes give {:08x}", printable(chunk->type),
                                 chunk->stored_crc, chunk->actual_crc));
    }
    if (chunk->type == "IDAT") has_pixels = true;
    if (chunk->type == "IEND") break;
    offset += 12 + chunk->data.size();
  }
  if (!has_pixels) return problem(DiagnosticId::broken_png, offset, "has no image data (IDAT)");
  return std::nullopt;
}

Expected<Bitmap, Diagnostic> decode_straight(const Image& image, const Limits& limits) {
  return decode(image, limits, copied);
}

Expected<Bitmap, Diagnostic> decode(const Image& image, const Limits& limits) {
  return or_out_of_memory([&] { return decode(image, limits, premultiplied); });
}

Expected<Bitmap, Diagnostic> load_png(const std::string& path, const Limits& limits, const ReadFile& reader) {
  return or_out_of_memory([&] { return read_png(path, limits, reader); });
}

Expected<std::vector<Bitmap>, Diagnostic> decode_images(const Character& character, const Limits& limits,
                                                        const Executor& executor) {
  return or_out_of_memory([&] { return decode_all(character, limits, executor); });
}

}  // namespace pchr
