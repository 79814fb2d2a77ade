// SPDX-License-Identifier: MIT
// Textures that hold palettes: buffer textures, or on OpenGL ES, which has none, 2D textures that shaders read in the
// same order. Two texels per bone.
#pragma once

#include "render/gl.hpp"

#include <cstdint>

namespace pchr {

/// Width of a 2D texture in texels. Also in look.vert. OpenGL ES guarantees it.
constexpr GLsizei kPaletteWidth = 2048;
constexpr GLsizeiptr kTexelBytes = 16;
constexpr GLsizeiptr kPaletteRowBytes = kPaletteWidth * kTexelBytes;

[[nodiscard]] inline GLenum palette_target(const Gl& gl) noexcept {
  return gl.is_es ? GL_TEXTURE_2D : GL_TEXTURE_BUFFER;
}

/// Returns how many bones one texture can hold.
[[nodiscard]] inline std::uint64_t max_palette_bones(const Gl& gl) {
  const std::uint64_t texels = gl.is_es ? std::uint64_t{get_name(gl, GL_MAX_TEXTURE_SIZE)} * kPaletteWidth
                                        : std::uint64_t{get_name(gl, GL_MAX_TEXTURE_BUFFER_SIZE)};
  return texels / 2;
}

/// Allocates the bound 2D texture. Takes its texels from the start of the GL_PIXEL_UNPACK_BUFFER, if there is one.
inline void define_palette_texture(const Gl& gl, GLsizeiptr bytes) {
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, kPaletteWidth, static_cast<GLsizei>(bytes / kPaletteRowBytes), 0, GL_RGBA,
                GL_FLOAT, nullptr);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

/// Writes texels of the bound 2D texture: whole rows, or some of one row. `texels` is memory or an offset in the
/// GL_PIXEL_UNPACK_BUFFER.
inline void write_palette_texels(const Gl& gl, GLintptr offset, GLsizeiptr bytes, const void* texels) {
  const auto column = static_cast<GLint>(offset % kPaletteRowBytes / kTexelBytes);
  const auto row = static_cast<GLint>(offset / kPaletteRowBytes);
  const bool whole_rows = bytes > kPaletteRowBytes;
  gl.TexSubImage2D(GL_TEXTURE_2D, 0, column, row,
                   whole_rows ? kPaletteWidth : static_cast<GLsizei>(bytes / kTexelBytes),
                   whole_rows ? static_cast<GLsizei>(bytes / kPaletteRowBytes) : 1, GL_RGBA, GL_FLOAT, texels);
}

}  // namespace pchr
