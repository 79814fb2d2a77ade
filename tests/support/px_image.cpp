// SPDX-License-Identifier: MIT
// Composes frames of an artwork's character.
#include "support/px_image.hpp"

#include <pchr/pose.hpp>

#include <cmath>
#include <cstring>

namespace pchr::test {
namespace {

std::size_t rounded(float value) { return static_cast<std::size_t>(std::lround(value)); }

/// Copies the part of an image that a quad shows to the quad's position. `vertices` are its corners, starting at the
/// top left.
void copy_quad(std::span<const Vec2> vertices, std::span<const Vertex> corners, const Image& image,
               const Artwork& artwork, Bitmap& canvas) {
  const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  const std::size_t left = rounded(vertices[0].x + static_cast<float>(artwork.origin_x));
  const std::size_t top = rounded(static_cast<float>(artwork.origin_y) - vertices[0].y);
  const std::size_t u = rounded(corners[0].u * width), v = rounded(corners[0].v * height);
  const std::size_t columns = rounded(corners[3].u * width) - u, rows = rounded(corners[3].v * height) - v;
  for (std::size_t row = 0; row < rows; ++row) {
    std::memcpy(canvas.rgba.data() + ((top + row) * canvas.width + left) * 4,
                image.bytes.data() + ((v + row) * image.width + u) * 4, columns * 4);
  }
}

}  // namespace

Bitmap image_of(const ImportedCharacter& character, std::uint32_t frame) {
  return image_of(character, ClipId{character.file.artwork.value().whole_clip.value()}, frame);
}

Bitmap image_of(const ImportedCharacter& character, ClipId clip, std::uint32_t frame) {
  const Artwork& artwork = character.file.artwork.value();
  Bitmap canvas{artwork.width, artwork.height, {}};
  canvas.rgba.resize(std::size_t{4} * artwork.width * artwork.height);
  PoseBuffers posed;
  pose_clip(character, clip, {frame, frame, 0}, posed);
  for (const DrawItem& item : posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    std::vector<Vec2> corners;
    for (const Vertex& vertex : character.vertices(mesh)) {
      corners.push_back(apply(posed.palette[vertex.bones[0]], {vertex.x, vertex.y}));
    }
    copy_quad(corners, character.vertices(mesh), character.images()[mesh.image], artwork, canvas);
  }
  return canvas;
}

}  // namespace pchr::test
