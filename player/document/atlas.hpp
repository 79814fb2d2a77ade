// SPDX-License-Identifier: MIT
// How a character's images are looked at, with the triangles that its meshes cut from them. Knows nothing of the
// window.
#pragma once

#include "document/selection.hpp"

#include <pchr/geometry.hpp>

namespace pchr::player {

/// A side of a triangle in pixels of its image, from the top left corner, y down.
using AtlasEdge = std::array<Vec2, 2>;

struct Atlas {
  ImageId image{};                ///< That is shown: the selected mesh's, or the one that was chosen last.
  Camera camera{.flip_y = true};  ///< Its world are the image's pixels.
  bool fitted = true;             ///< The camera shows the whole image until somebody moves it.
  bool large = false;             ///< In place of the canvas.

  std::vector<AtlasEdge> edges{};           ///< Of all meshes of `image`; none twice within a mesh.
  std::vector<AtlasEdge> selected_edges{};  ///< Of the selected mesh.
  Rect selected_bounds{};                   ///< Around those.

  // What the above was found for:
  std::optional<ImageId> edges_of{};  ///< An image.
  std::optional<MeshId> mesh{};

  // Of the last click, so that another at the same place selects what lies below:
  std::vector<MeshId> stack{};  ///< Meshes, front to back.
  Vec2 clicked{0.0F};
  std::size_t depth = 0;  ///< Which of them is selected.
};

/// Shows the image of what is selected in `character`, and its triangles. There must be an image.
void follow(Atlas& atlas, const Character& character, const Selection& selection);
/// Returns the atlas for `to`, opened in place of `from`: the image of the same name is shown as it was, or else the
/// first.
[[nodiscard]] Atlas carried_over(const Atlas& atlas, const Character& from, const Character& to);

/// Shows another image, and selects nothing where that is not the selected mesh's. One that does not exist is left
/// alone.
void choose_image(Atlas& atlas, Selection& selection, const Character& character, ImageId image);

/// The meshes with a triangle of `image` at `pixel`, later ones first. `out` is overwritten and keeps its memory.
void meshes_at(const Character& character, ImageId image, Vec2 pixel, std::vector<MeshId>& out);

/// Selects the foremost of those of the image that is shown; again within `reach` pixels of the last click, the one
/// below, and after the last the first. Where there is none, selects nothing.
void select_at(Atlas& atlas, Selection& selection, const Character& character, Vec2 pixel, float reach);

/// Gives the camera its viewport and, while it is fitted, all of the image.
void place_camera(Atlas& atlas, const Image& image, Vec2 viewport);
/// Zooms by `factor` around the point `at` of the viewport, within what a person can use.
void zoom(Atlas& atlas, Vec2 at, float factor);
/// Moves the image by so many pixels of the viewport.
void move(Atlas& atlas, Vec2 pixels);

/// What an image takes of the graphics processor's memory, with its mipmaps.
[[nodiscard]] std::uint64_t gpu_bytes(const Image& image) noexcept;

}  // namespace pchr::player
