// SPDX-License-Identifier: MIT
// Decoders of image files, told apart by content.
#pragma once

#include <pchr/image.hpp>

#include <span>
#include <string>

namespace pchr {

/// Pixels with straight alpha, or what is wrong.
using DecodedImage = std::expected<Bitmap, std::string>;

/// Decodes a BMP, PNG, JPEG, GIF, WebP or TGA file, told apart by content, of at most `max_pixels`.
[[nodiscard]] DecodedImage decode_image_file(std::span<const std::byte> bytes, std::uint64_t max_pixels);

/// Returns why a size is refused: it has no pixels, or more than `max_pixels`. Absent where it is not.
[[nodiscard]] std::optional<std::string> size_problem(std::uint64_t width, std::uint64_t height,
                                                      std::uint64_t max_pixels);

/// Whether bytes begin with a likely TGA header: the format has no signature.
[[nodiscard]] bool looks_like_tga(std::span<const std::byte> bytes) noexcept;

/// Decodes a file of one format. Fails where it is broken, cut short, of a rarer kind, or has more than `max_pixels`.
/// @{
/// 1, 4 or 8 bits (run-length encoded or not), 16, 24 or 32 bits (with any masks), rows in either order. All pixels are
/// opaque: programs leave anything in the fourth byte.
[[nodiscard]] DecodedImage decode_bmp(std::span<const std::byte> bytes, std::uint64_t max_pixels);
/// The first frame, in the canvas of the animation.
[[nodiscard]] DecodedImage decode_gif(std::span<const std::byte> bytes, std::uint64_t max_pixels);
/// Baseline or progressive, grayscale, color or CMYK. The orientation that a camera notes is ignored.
[[nodiscard]] DecodedImage decode_jpeg(std::span<const std::byte> bytes, std::uint64_t max_pixels);
/// 8 (gray or by a color table), 16, 24 or 32 bits, run-length encoded or not, rows in either order.
[[nodiscard]] DecodedImage decode_tga(std::span<const std::byte> bytes, std::uint64_t max_pixels);
/// @}

}  // namespace pchr
