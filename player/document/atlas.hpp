// SPDX-License-Identifier: MIT
// A view of a character's images with the triangles that its meshes cut from them.
#pragma once

#include "document/selection.hpp"

namespace pchr::player {

/// A side of a triangle in pixels of its image, from the top left corner, y down.
using AtlasEdge = std::array<Vec2, 2>;

struct Atlas {
  ImageId image{};                ///< The one shown: the selected mesh's, or the one that was chosen last.
  Camera camera{.flip_y = true};  ///< Its world is the image's pixels.
  bool fitted = true;             ///< The camera shows the whole image until somebody moves it.
  bool large = false;             ///< Shown in place of the canvas.

  std::vector<AtlasEdge> edges{};           ///< Of all meshes of `image`; none twice within a mesh.
  std::vector<AtlasEdge> selected_edges{};  ///< Of the selected mesh.
  Rect selected_bounds{};                   ///< Of those.

  // The image and the mesh of these edges:
  std::optional<ImageId> edges_of{};
  std::optional<MeshId> mesh{};

  // The last click; another at the same place selects what lies below:
  std::vector<MeshId> stack{};  ///< Front to back.
  Vec2 clicked{0.0F};
  std::size_t depth = 0;  ///< Which of them is selected.
};

/// Shows the image of the selected mesh, and its triangles. There must be an image.
void follow(Atlas& atlas, const Character& character, const Selection& selection);
/// Returns the atlas for `to`, opened in place of `from`: the image of the same name is shown as it was, else the
/// first.
[[nodiscard]] Atlas carried_over(const Atlas& atlas, const Character& from, const Character& to);

/// Shows another image, and deselects a mesh of a different one. Ignores an image that does not exist.
void choose_image(Atlas& atlas, Selection& selection, const Character& character, ImageId image);

/// Finds the meshes with a triangle of `image` at `pixel`, later ones first. `out` is overwritten.
void meshes_at(const Character& character, ImageId image, Vec2 pixel, std::vector<MeshId>& out);

/// Selects the foremost mesh of the shown image; again within `reach` pixels of the last click, the one below, and
/// after the last the first. Selects nothing where there is none.
void select_at(Atlas& atlas, Selection& selection, const Character& character, Vec2 pixel, float reach);

/// Gives the camera its viewport and, while it is fitted, all of the image.
void place_camera(Atlas& atlas, const Image& image, Vec2 viewport);
/// Zooms by `factor` around the point `at` of the viewport, within limits.
void zoom(Atlas& atlas, Vec2 at, float factor);
void move(Atlas& atlas, Vec2 pixels);

/// Returns the GPU memory of an image with its mipmaps.
[[nodiscard]] std::uint64_t gpu_bytes(const Image& image) noexcept;

}  // namespace pchr::player
