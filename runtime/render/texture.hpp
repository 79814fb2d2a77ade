// SPDX-License-Identifier: MIT
#pragma once

#include "render/gl.hpp"

#include <pchr/image.hpp>

#include <array>

namespace pchr {

/// Returns why `bitmap` cannot be a texture, as a predicate ("has ..."), or nothing if it can.
[[nodiscard]] std::optional<std::string> validate_bitmap(const Gl& gl, const Bitmap& bitmap);

[[nodiscard]] std::uint64_t bytes_with_mipmaps(const Bitmap& bitmap) noexcept;

/// Returns whether a MipmapWriter is faster than glGenerateMipmap and gives the same.
[[nodiscard]] inline bool writes_mipmaps(const Gl& gl, BlendSpace space) noexcept {
  return gl.is_llvmpipe && space == BlendSpace::gamma;
}

/// Allocates the bound texture, with mipmaps if writes_mipmaps(). Here and below, expects the unpack parameters of
/// SavedPixelTransfer.
void define_texture(const Gl& gl, const Bitmap& bitmap, BlendSpace space);
void write_rows(const Gl& gl, const Bitmap& bitmap, std::uint32_t first_row, std::uint32_t row_count, BlendSpace space);

/// Makes and uploads the mipmaps of a texture from define_texture() in parts, with the bits of llvmpipe's
/// glGenerateMipmap. Where a level has an odd side longer than 270 texels, llvmpipe's floats round a few positions
/// differently, which changes a channel by at most 2.
class MipmapWriter {
 public:
  /// `image`, which is level 0, must outlive the writer.
  explicit MipmapWriter(const Bitmap& image) : image_(&image) { begin_level(1); }

  [[nodiscard]] bool done() const noexcept { return rows_left() == 0; }
  [[nodiscard]] std::uint32_t rows_left() const noexcept { return level().height - rows_done_; }  ///< In this level.
  [[nodiscard]] std::size_t row_bytes() const noexcept { return std::size_t{4} * level().width; }
  [[nodiscard]] std::uint64_t bytes_done() const noexcept { return bytes_done_; }  ///< In all levels.

  /// Writes the next rows of this level into the bound texture, and begins the next level after the last row. Expects
  /// the unpack parameters of SavedPixelTransfer.
  void write(const Gl& gl, std::uint32_t row_count);

 private:
  [[nodiscard]] const Bitmap& level() const noexcept { return levels_[static_cast<std::size_t>(number_) % 2]; }
  [[nodiscard]] const Bitmap& above() const noexcept {
    return number_ == 1 ? *image_ : levels_[static_cast<std::size_t>(number_ - 1) % 2];
  }
  void begin_level(GLint number);

  const Bitmap* image_;
  std::array<Bitmap, 2> levels_{};  ///< This level and the one above, by their numbers modulo 2.
  GLint number_ = 0;
  std::uint32_t rows_done_ = 0;  ///< In this level.
  std::uint64_t bytes_done_ = 0;
};

}  // namespace pchr
