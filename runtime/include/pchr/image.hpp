// SPDX-License-Identifier: MIT
// Decodes images to premultiplied pixels, safely on untrusted data, and writes PNG files.
//
//   auto images = pchr::decode_images(hero);
//   if (!images || images->empty()) return;
//   pchr::unpremultiply(images->front());
//   const std::vector<std::byte> file = pchr::encode_png(images->front());
#pragma once

#include <pchr/executor.hpp>
#include <pchr/load.hpp>

namespace PCHR_API pchr {

/// Decoded pixels: 8-bit RGBA, premultiplied by alpha, top row first.
struct Bitmap {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgba;  ///< width * height * 4 bytes.
};

/// Decodes and premultiplies one image. Safe on untrusted data: checks the structure, size and checksums of a PNG
/// before decoding it, and limits the decoder's memory.
[[nodiscard]] Expected<Bitmap, Diagnostic> decode(const Image& image, const Limits& limits = {});

/// Reads and decodes a PNG from a file, pipe or device, or from what `read_file` returns.
[[nodiscard]] Expected<Bitmap, Diagnostic> load_png(const std::string& path, const Limits& limits = {},
                                                    const ReadFile& read_file = {});

/// Decodes all images of a character, in parallel if `executor` has threads. Fails with the first image that is broken
/// or exceeds the limit on total pixels.
[[nodiscard]] Expected<std::vector<Bitmap>, Diagnostic> decode_images(const Character& character,
                                                                      const Limits& limits = {},
                                                                      const Executor& executor = {});

/// Converts premultiplied alpha to straight alpha, for writing image files.
void unpremultiply(Bitmap& bitmap) noexcept;

/// How hard to compress a PNG file. All are lossless.
enum class PngCompression : std::uint8_t {
  fast,    ///< Takes half the time of `normal`. At most a tenth larger.
  normal,  ///< Level 6 of libdeflate.
  best     ///< Takes dozens of times longer than `normal`. Halves pixel art; drawings become a tenth smaller.
};

/// Encodes pixels with straight alpha (see unpremultiply()) as a PNG file. The bitmap must not be empty.
[[nodiscard]] std::vector<std::byte> encode_png(const Bitmap& straight,
                                                PngCompression compression = PngCompression::normal);

}  // namespace pchr
