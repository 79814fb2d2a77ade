// SPDX-License-Identifier: MIT
// A view of a character's images, with the triangles of the meshes that use them.
#pragma once

#include "document/parts.hpp"

namespace pchr::player {

/// An edge of a triangle in pixels of its image, origin at the top left, y down.
using AtlasEdge = std::array<Vec2, 2>;

struct Atlas {
  ImageId image{};                ///< The selected mesh's image, or the last one chosen.
  Camera camera{.flip_y = true};  ///< World units are the image's pixels.
  bool fitted = true;             ///< Whether the camera fits the whole image. Cleared by moving it.
  bool large = false;             ///< Whether the atlas replaces the canvas.

  std::vector<AtlasEdge> edges{};           ///< Edges of all meshes that use `image`, without duplicates within a mesh.
  std::vector<AtlasEdge> selected_edges{};  ///< Edges of the selected mesh.
  Rect selected_bounds{};                   ///< Bounds of `selected_edges`.

  // The image and mesh that the edges belong to.
  std::optional<ImageId> edges_of{};
  std::optional<MeshId> mesh{};

  // The last click; another one at the same place selects the next mesh in the stack.
  std::vector<MeshId> stack{};  ///< Front to back.
  Vec2 clicked{0.0F};
  std::size_t depth = 0;  ///< Index of the selected mesh in `stack`.
};

/// Follows the selection: shows the selected mesh's image and its triangles. The character must have an image.
void follow(Atlas& atlas, const Character& character, const Selection& selection);
/// Returns the atlas for `to`, which replaces `from`. Keeps the view of the image with the same name, else shows the
/// first image.
[[nodiscard]] Atlas carried_over(const Atlas& atlas, const Character& from, const Character& to);

/// Shows another image and deselects a mesh that does not use it. Ignores an id out of range.
void choose_image(Atlas& atlas, Selection& selection, const Character& character, ImageId image);

/// Finds the meshes with a triangle of `image` at `pixel`, later ones first. Overwrites `out`.
void meshes_at(const Character& character, ImageId image, Vec2 pixel, std::vector<MeshId>& out);

/// Selects the topmost mesh of the shown image at `pixel`. Another click within `reach` pixels selects the next one
/// below, wrapping around. Selects nothing if no mesh is there.
void select_at(Atlas& atlas, Selection& selection, const Character& character, Vec2 pixel, float reach);

/// Updates the camera's viewport and, while it is fitted, fits the image.
void place_camera(Atlas& atlas, const Image& image, Vec2 viewport);
/// Zooms by `factor` around the viewport point `at`, within limits.
void zoom(Atlas& atlas, Vec2 at, float factor);
void move(Atlas& atlas, Vec2 pixels);

/// Returns the GPU memory that an image uses, including mipmaps.
[[nodiscard]] std::uint64_t gpu_bytes(const Image& image) noexcept;

}  // namespace pchr::player
