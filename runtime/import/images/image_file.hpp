// SPDX-License-Identifier: MIT
// Decoders of image files.
#pragma once

#include <pchr/image.hpp>

#include <span>
#include <string>

namespace pchr {

/// Pixels with straight alpha, or an error message.
using DecodedImage = Expected<Bitmap, std::string>;

/// Decodes a BMP, PNG, JPEG, GIF, WebP or TGA file, detected by content. Fails on more than `max_pixels`.
[[nodiscard]] DecodedImage decode_image_file(std::span<const std::byte> bytes, std::uint64_t max_pixels);

/// Returns an error message if a size has no pixels or more than `max_pixels`.
[[nodiscard]] std::optional<std::string> size_problem(std::uint64_t width, std::uint64_t height,
                                                      std::uint64_t max_pixels);

/// Whether the bytes start with a plausible TGA header. The format has no signature.
[[nodiscard]] bool looks_like_tga(std::span<const std::byte> bytes) noexcept;

/// Decodes a file of one format. Fails if it is damaged, truncated, of an unsupported kind, or has more than
/// `max_pixels`.
/// @{
/// Supports 1, 4 or 8 bits (optionally run-length encoded), 16, 24 or 32 bits (with any masks), and rows in either
/// order. All pixels are opaque: programs leave garbage in the fourth byte.
[[nodiscard]] DecodedImage decode_bmp(std::span<const std::byte> bytes, std::uint64_t max_pixels);
/// Decodes the first frame, placed on the canvas of the animation.
[[nodiscard]] DecodedImage decode_gif(std::span<const std::byte> bytes, std::uint64_t max_pixels);
/// Supports baseline and progressive files in grayscale, color or CMYK. Ignores the EXIF orientation.
[[nodiscard]] DecodedImage decode_jpeg(std::span<const std::byte> bytes, std::uint64_t max_pixels);
/// Supports 8 bits (gray or indexed), 16, 24 or 32 bits, optional run-length encoding, and rows in either order.
[[nodiscard]] DecodedImage decode_tga(std::span<const std::byte> bytes, std::uint64_t max_pixels);
/// @}

}  // namespace pchr
