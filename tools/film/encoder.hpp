// SPDX-License-Identifier: MIT
// One encoder for each format: pictures in, the bytes of a file out.
#pragma once

#include "film/film.hpp"

#include <pchr/image.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace pchr::film {

/// One frame as the renderer drew it: premultiplied.
struct Frame {
  std::uint32_t index = 0;
  std::shared_ptr<const Bitmap> picture;
  std::shared_ptr<const Bitmap> previous;  ///< The frame before; null for the first.
};

/// How a format makes a file of frames. What the functions share, they keep alive.
struct Encoder {
  /// Looks at a frame before any is encoded; null where the format need not. On any thread, many at a time.
  std::function<Result<void>(const Frame&)> survey{};
  /// What one frame becomes. On any thread, many at a time.
  std::function<Result<Bytes>(const Frame&)> encode;
  /// What goes into the file for an encoded frame, the file's head before the first and its end after the last
  /// included. In the order of frames, one at a time.
  std::function<Result<Bytes>(std::uint32_t index, Bytes encoded)> join;
};

[[nodiscard]] Encoder make_png_encoder();
[[nodiscard]] Encoder make_apng_encoder(const Film& film);
[[nodiscard]] Encoder make_gif_encoder(const Film& film, std::optional<Rgb> matte);
[[nodiscard]] Encoder make_webp_encoder(const Film& film, std::optional<float> quality);
[[nodiscard]] Encoder make_rgba_encoder();
/// Fails where the frames do not all last equally long.
[[nodiscard]] Result<Encoder> make_y4m_encoder(const Film& film);

/// The one of the film's format.
[[nodiscard]] Result<Encoder> make_encoder(const Film& film, const Settings& settings);

}  // namespace pchr::film
