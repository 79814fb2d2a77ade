// SPDX-License-Identifier: MIT
#pragma once

#include "render/gl.hpp"

#include <pchr/image.hpp>

namespace pchr {

/// Returns why `bitmap` cannot be a texture, as the end of a sentence: "has ..."; nothing where it can.
[[nodiscard]] std::optional<std::string> validate_skin(const Gl& gl, const Bitmap& bitmap);

[[nodiscard]] std::uint64_t bytes_with_mipmaps(const Bitmap& bitmap) noexcept;

/// Sets the size of the bound texture. Unpacking is as SavedPixelTransfer sets it, here and below.
void define_texture(const Gl& gl, const Bitmap& bitmap, BlendSpace space);
void write_rows(const Gl& gl, const Bitmap& bitmap, std::uint32_t first_row, std::uint32_t row_count, BlendSpace space);

}  // namespace pchr
