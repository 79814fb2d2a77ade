// SPDX-License-Identifier: MIT
// Images: decoding to premultiplied pixels, safely on untrusted data, and writing PNG files.
//
//   auto images = pchr::decode_images(hero);
//   if (!images || images->empty()) return;
//   pchr::unpremultiply(images->front());
//   const std::vector<std::byte> file = pchr::encode_png(images->front());
#pragma once

#include <pchr/load.hpp>

namespace PCHR_API pchr {

/// Decoded pixels: RGBA, 8 bits each, premultiplied by alpha, rows from top to bottom.
struct Bitmap {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgba;  ///< width * height * 4 bytes.
};

/// Decodes and premultiplies one image. Safe on untrusted data: checks the structure, size and checksums of a PNG
/// first, and limits the decoder's memory.
[[nodiscard]] std::expected<Bitmap, Diagnostic> decode(const Image& image, const Limits& limits = {});

/// Reads and decodes a PNG file, pipe or device.
[[nodiscard]] std::expected<Bitmap, Diagnostic> load_png(const std::filesystem::path& path, const Limits& limits = {});

/// Decodes all images of a character, on several threads. Fails with the first that is broken or brings the pixels of
/// all past the limit.
[[nodiscard]] std::expected<std::vector<Bitmap>, Diagnostic> decode_images(const Character& character,
                                                                           const Limits& limits = {});

/// Makes premultiplied alpha straight, for image files.
void unpremultiply(Bitmap& bitmap) noexcept;

/// Returns a PNG file of pixels, at least one, with straight alpha: see unpremultiply(). Decoding it gives the same
/// bytes.
[[nodiscard]] std::vector<std::byte> encode_png(const Bitmap& straight);

}  // namespace pchr
