// SPDX-License-Identifier: MIT
#pragma once

#include "render/gl.hpp"

#include <pchr/image.hpp>

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

}  // namespace pchr
