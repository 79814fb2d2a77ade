// SPDX-License-Identifier: MIT
// The parts of a character: which are selected and hidden, and the lists of meshes, bones and layers.
#pragma once

#include "document/files.hpp"

#include <pchr/import/artwork.hpp>
#include <pchr/queries.hpp>

namespace pchr::player {

/// An edge of a triangle: indices into the mesh's vertices, lower one first.
using MeshEdge = std::array<std::uint16_t, 2>;

/// A part under a click: a bone, or a mesh with the bone that moves it there.
struct Pick {
  std::optional<MeshId> mesh{};
  std::optional<BoneId> bone{};
};

struct Selection {
  std::optional<BoneId> bone{};
  std::optional<MeshId> mesh{};
  std::vector<std::uint8_t> hidden{};  ///< Indexed by mesh, nonzero if hidden. Empty if no mesh is hidden.
  std::vector<AlphaMask> masks{};      ///< One per image of the character.
  std::vector<std::uint8_t>
      folded{};         ///< Indexed by bone, nonzero if its children are not listed. Empty if no bone is folded.
  bool reveal = false;  ///< Scroll the lists to the selection.

  std::vector<MeshEdge> outline{};  ///< Edges of `outline_of` that belong to a single triangle.
  std::optional<MeshId> outline_of{};

  // The last click; another one at the same place selects the next part in the stack.
  std::vector<Pick> stack{};  ///< Front to back.
  Vec2 clicked{0.0F};
  std::size_t depth = 0;  ///< Index of the selected part in `stack`.
};

/// Returns the bones whose joint is within `reach` of `point`, nearest first, then those whose line from their parent's
/// joint is within half of that. Visible bones come before hidden ones.
[[nodiscard]] std::vector<BoneId> bones_at(const Character& character, const PoseBuffers& posed, Vec2 point,
                                           float reach);

/// Selects the first of `bones`, else the topmost mesh at `point` and the bone that moves it most there. Another click
/// within `reach` selects the next bone or the next mesh below, wrapping around. Selects nothing if nothing is there.
void select_at(Selection& selection, const Character& character, const PoseBuffers& posed, Vec2 point, float reach,
               std::span<const BoneId> bones = {});

/// Selects a mesh and its governing bone.
void select_mesh(Selection& selection, const Character& character, MeshId mesh);
void select_bone(Selection& selection, BoneId bone);
void select_nothing(Selection& selection);

[[nodiscard]] bool is_hidden(const Selection& selection, MeshId mesh) noexcept;
void set_hidden(Selection& selection, const Character& character, MeshId mesh, bool hidden);
/// Hides all meshes except the selected one or `meshes`; shows all meshes if that is already the case. Does nothing if
/// there is nothing to show.
void toggle_solo(Selection& selection, const Character& character);
void toggle_solo(Selection& selection, const Character& character, std::span<const MeshId> meshes);
void show_all(Selection& selection);
void remove_hidden(const Selection& selection, DrawList& list);

/// Returns the edges of all triangles of a mesh, sorted; a shared edge appears once per triangle.
[[nodiscard]] std::vector<MeshEdge> sorted_edges(const Character& character, MeshId mesh);
void find_outline(Selection& selection, const Character& character);

/// Returns the selection for another version of a character, matched by names, without masks.
[[nodiscard]] Selection carried_over(const Selection& selection, const Character& from, const Character& to);

/// A row in the list of bones.
struct BoneRow {
  BoneId bone{};
  std::uint32_t depth = 0;   ///< Number of ancestors; 0 in a filtered list.
  std::uint32_t meshes = 0;  ///< Number of meshes governed by the subtree.
  std::uint32_t hidden = 0;  ///< Number of hidden ones among them.
  bool foldable = false;     ///< Whether the bone has children and the list is a tree.
  bool folded = false;
};

void list_meshes(const Character& character, const NameFilter& filter, std::vector<MeshId>& rows);
/// Lists the bones as a tree without the children of folded ones. With a filter, the list is flat.
void list_bones(const Character& character, const Selection& selection, const NameFilter& filter,
                std::vector<BoneRow>& rows);

/// Returns whether the bone's subtree has meshes and all of them are hidden.
[[nodiscard]] bool is_subtree_hidden(const Selection& selection, const Character& character, BoneId bone);
void set_subtree_hidden(Selection& selection, const Character& character, BoneId bone, bool hidden);
/// Applies toggle_solo() to the meshes of the selected bone's subtree.
void toggle_subtree_solo(Selection& selection, const Character& character);

[[nodiscard]] bool is_folded(const Selection& selection, BoneId bone) noexcept;
void set_folded(Selection& selection, const Character& character, BoneId bone, bool folded);
/// Unfolds the ancestors of `bone` so that it is listed.
void unfold_to(Selection& selection, const Character& character, BoneId bone);

/// Selects the mesh after (+1) or before (-1) the selected one; if no mesh is selected, the next or previous bone in
/// tree order. Stops at the ends.
void select_neighbor(Selection& selection, const Character& character, int direction);

struct LayerRow {
  std::uint32_t layer = 0;
  std::uint32_t depth = 0;
  bool foldable = false;  ///< Whether the layer has child layers or masks.
  bool seen = false;      ///< Whether the layer and all its ancestors are drawn.
};

struct ArtworkLayers {
  std::vector<std::uint8_t> folded{};  ///< Indexed by artwork layer.
  std::vector<LayerRow> rows{};
};

/// Returns whether a layer is enabled, regardless of its ancestors, even before the artwork is reloaded.
[[nodiscard]] bool is_drawn(const Artwork& artwork, const LayerChoice& choice, std::uint32_t layer) noexcept;
/// Returns `choice` with one layer enabled or disabled.
[[nodiscard]] LayerChoice with_layer(const Artwork& artwork, LayerChoice choice, std::uint32_t layer, bool drawn);

/// Lists the layers from top to bottom, without the children of folded ones. At first, the folding is the file's.
void list_layers(const Artwork& artwork, const LayerChoice& choice, ArtworkLayers& layers);

}  // namespace pchr::player
