// SPDX-License-Identifier: MIT
// Decodes images to straight alpha, and checks and writes PNG files.
#pragma once

#include <pchr/image.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace PCHR_API pchr {

/// Decodes like decode(), but to straight alpha. The detail of an error is a predicate about the image, here and below.
[[nodiscard]] Expected<Bitmap, Diagnostic> decode_straight(const Image& image, const Limits& limits);

/// Converts premultiplied alpha to straight alpha.
void unpremultiply(std::span<std::uint8_t> rgba) noexcept;

[[nodiscard]] bool is_png(std::span<const std::byte> bytes) noexcept;

struct PngSize {
  std::uint32_t width = 0, height = 0;
};

/// Returns the size in a PNG header, or nothing if the bytes end before it.
[[nodiscard]] std::optional<PngSize> png_size(std::span<const std::byte> bytes) noexcept;

/// Performs the checks that the PNG decoder does not: signature, IHDR first with the expected size, complete chunks
/// with correct CRCs, image data, IEND at the end. Returns the first problem, with its offset in the PNG file.
[[nodiscard]] std::optional<Diagnostic> check_png(std::span<const std::byte> bytes, std::uint32_t width,
                                                  std::uint32_t height);

/// Bytes in memory that was allocated for more. Pages of it that were never written take no memory.
struct RoomyBytes {
  std::unique_ptr<std::byte[]> memory;
  std::size_t size = 0;
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {memory.get(), size}; }
};

/// Encodes a bitmap with straight alpha as encode_png() does. Reuses its memory, without another allocation if that has
/// room for one more byte per row, and leaves other bytes there.
[[nodiscard]] RoomyBytes write_png_over(Bitmap& straight, PngCompression compression);

/// Encodes a bitmap like write_png_over().
[[nodiscard]] std::vector<std::byte> write_png(Bitmap straight, PngCompression compression);

/// Encodes a copy of pixels like the above, top row first. `rgba` has width * height * 4 bytes.
[[nodiscard]] std::vector<std::byte> write_png(std::uint32_t width, std::uint32_t height,
                                               std::span<const std::byte> rgba,
                                               PngCompression compression = PngCompression::normal);

}  // namespace pchr
