// SPDX-License-Identifier: MIT
// Films: a row of pictures, each of which lasts for some time, and the files that hold them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::film {

using Bytes = std::vector<std::byte>;
using Rgb = std::array<std::uint8_t, 3>;

/// A value, or a sentence that says why there is none.
template <class T>
using Result = std::expected<T, std::string>;

enum class Format : std::uint8_t {
  png,   ///< One PNG file for each frame.
  apng,  ///< Animated PNG: lossless, 8 bits of alpha.
  gif,   ///< 255 colours for the whole film; a pixel is there or not.
  webp,  ///< Animated WebP, lossless or not; 8 bits of alpha.
  rgba,  ///< The pixels of one frame after another: straight alpha, 4 bytes each, rows from top to bottom.
  y4m    ///< YUV4MPEG2, 4:4:4, BT.601 in the range of television: for encoders of films. No alpha: black shows.
};

/// What a film is, but for its pictures.
struct Film {
  std::uint32_t width = 0, height = 0;  ///< Pixels.
  std::vector<double> frame_ends;       ///< Seconds from its start at which each frame ends; growing.
  std::uint32_t plays = 0;              ///< How often it plays where the format has a word for that; 0: for ever.
};

struct Settings {
  Format format = Format::png;
  std::optional<float> webp_quality;  ///< 0 to 100, lossy; absent: lossless.
  std::optional<Rgb> gif_matte;  ///< What soft edges are blended with; absent: a pixel is there where it is half there.
};

/// The largest side that the format can say.
[[nodiscard]] std::uint32_t most_pixels(Format format);

/// The format of a file name's extension, in any case.
[[nodiscard]] std::optional<Format> format_of(std::string_view file_name);
/// By its name: the extension without the dot.
[[nodiscard]] std::optional<Format> format_named(std::string_view name);

}  // namespace pchr::film
