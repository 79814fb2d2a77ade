// SPDX-License-Identifier: MIT
// Images: decoding to premultiplied pixels, safely on untrusted data, and writing PNG files.
//
//   auto images = pchr::decode_images(hero);
//   if (!images || images->empty()) return;
//   pchr::unpremultiply(images->front());
//   const std::vector<std::byte> file = pchr::encode_png(images->front());
#pragma once

#include <pchr/character.hpp>
#include <pchr/load.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <vector>

namespace PCHR_API pchr {

/// Decoded pixels: RGBA, 8 bits each, premultiplied by alpha, rows from top to bottom.
struct Bitmap {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgba;  ///< width * height * 4 bytes.
};

/// Decodes and premultiplies one image. Safe on untrusted data: the PNG's structure, size and checksums
/// are checked first and the decoder works within a memory budget that its size allows.
[[nodiscard]] std::expected<Bitmap, Diagnostic> decode(const Image& image, const Limits& limits = {});

/// Reads and decodes a PNG file, or what a pipe or device of that name gives.
[[nodiscard]] std::expected<Bitmap, Diagnostic> load_png(const std::filesystem::path& path, const Limits& limits = {});

/// Decodes all images of a character, on several threads where that is worth it. Fails with the first, in the
/// character's order, that is broken or brings the pixels of all past the limit.
[[nodiscard]] std::expected<std::vector<Bitmap>, Diagnostic> decode_images(const Character& character,
                                                                           const Limits& limits = {});

/// Straight alpha from premultiplied, for picture files.
void unpremultiply(Bitmap& bitmap) noexcept;

/// A whole PNG file of at least one pixel. They are written as they are: unpremultiply() makes them straight, as PNG
/// wants them. Decoding the file gives exactly these bytes.
[[nodiscard]] std::vector<std::byte> encode_png(const Bitmap& straight);

}  // namespace pchr
