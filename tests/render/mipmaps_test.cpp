// SPDX-License-Identifier: MIT
// Mipmaps that are made on the CPU.

#include "session.hpp"

#include "render/gl_state.hpp"
#include "render/texture.hpp"
#include "support/catch.hpp"

#include <random>

namespace mipmaps_test {
using namespace pchr;

namespace {

Bitmap random_bitmap(std::uint32_t width, std::uint32_t height) {
  std::mt19937 random(width * 8191 + height);
  Bitmap bitmap{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
  for (std::uint8_t& byte : bitmap.rgba) byte = static_cast<std::uint8_t>(random());
  return bitmap;
}

/// A texture with the bitmap as level 0.
struct Texture {
  const Gl& gl;
  GLuint name = 0;

  Texture(const Gl& functions, const Bitmap& bitmap) : gl(functions) {
    gl.GenTextures(1, &name);
    gl.BindTexture(GL_TEXTURE_2D, name);
    define_texture(gl, bitmap, BlendSpace::gamma);
    write_rows(gl, bitmap, 0, bitmap.height, BlendSpace::gamma);
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  ~Texture() { gl.DeleteTextures(1, &name); }

  [[nodiscard]] Bitmap read(GLint level, const Bitmap& image) const {
    const std::uint32_t width = std::max(image.width >> level, 1U), height = std::max(image.height >> level, 1U);
    Bitmap bitmap{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
    GLuint framebuffer = 0;
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, level);
    REQUIRE(gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    gl.ReadPixels(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height), GL_RGBA, GL_UNSIGNED_BYTE,
                  bitmap.rgba.data());
    gl.DeleteFramebuffers(1, &framebuffer);
    return bitmap;
  }
};

void write_all(const Gl& gl, const Bitmap& bitmap, std::uint32_t max_rows) {
  for (MipmapWriter mipmaps(bitmap); !mipmaps.done();) mipmaps.write(gl, std::min(mipmaps.rows_left(), max_rows));
}

}  // namespace

TEST_CASE("mipmaps made on the CPU have the bits of the software renderer's", "[render]") {
  const test::Session session;
  const Gl& gl = *session.gl;
  if (!gl.is_llvmpipe) return;  // Mipmaps of other drivers can differ.
  // 257 x 513: positions between texels that are exactly between two steps of a weight.
  const auto [width, height] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{1, 1}, {2, 2}, {1, 9}, {8, 1}, {3, 5}, {64, 64}, {7, 16}, {16, 7}, {171, 85}, {257, 513}, {684, 340}}));
  const Bitmap bitmap = random_bitmap(width, height);
  const Texture texture(gl, bitmap), written(gl, bitmap);
  gl.BindTexture(GL_TEXTURE_2D, texture.name);
  gl.GenerateMipmap(GL_TEXTURE_2D);
  gl.BindTexture(GL_TEXTURE_2D, written.name);
  write_all(gl, bitmap, bitmap.height);
  for (GLint level = 0; (std::max(width, height) >> level) > 0; ++level) {
    CAPTURE(width, height, level);
    CHECK(written.read(level, bitmap).rgba == texture.read(level, bitmap).rgba);
  }
}

TEST_CASE("mipmaps are the same whatever the parts, and counted", "[render]") {
  const test::Session session;
  const Gl& gl = *session.gl;
  if (!gl.is_llvmpipe) return;  // Textures of other drivers have no memory for mipmaps that they do not make.
  const Bitmap bitmap = random_bitmap(52, 37);
  const Texture whole(gl, bitmap);
  write_all(gl, bitmap, bitmap.height);
  const Texture parts(gl, bitmap);
  MipmapWriter mipmaps(bitmap);
  CHECK(mipmaps.rows_left() == 18);
  CHECK(mipmaps.row_bytes() == 26 * 4);
  while (!mipmaps.done()) mipmaps.write(gl, 1);
  CHECK(mipmaps.bytes_done() + bitmap.rgba.size() == bytes_with_mipmaps(bitmap));
  for (GLint level = 0; level < 6; ++level) CHECK(parts.read(level, bitmap).rgba == whole.read(level, bitmap).rgba);
}

}  // namespace mipmaps_test
