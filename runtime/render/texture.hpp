// SPDX-License-Identifier: MIT
// Bitmaps onto the GPU.
#pragma once

#include "render/gl.hpp"

#include <pchr/image.hpp>
#include <pchr/renderer.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pchr {

/// Why `bitmap` cannot be a texture of this context, as the end of a sentence: "has ..."; nothing where it can.
[[nodiscard]] std::optional<std::string> validate_skin(const Gl& gl, const Bitmap& bitmap);

[[nodiscard]] std::uint64_t bytes_with_mipmaps(const Bitmap& bitmap) noexcept;

/// Gives the bound texture its size, and no pixels yet. Unpacking is as SavedPixelTransfer sets it, here and below.
void define_texture(const Gl& gl, const Bitmap& bitmap, BlendSpace space);
/// Writes rows of it.
void write_rows(const Gl& gl, const Bitmap& bitmap, std::uint32_t first_row, std::uint32_t row_count, BlendSpace space);

/// Premultiplied pixels as encoded values, into premultiplied in linear light and then encoded. `pixels` are whole
/// RGBA.
void premultiply_in_linear_light(std::span<std::uint8_t> pixels);

}  // namespace pchr
