// SPDX-License-Identifier: MIT
// Which bone and mesh are selected, and which meshes are hidden.
#pragma once

#include <pchr/queries.hpp>

namespace pchr::player {

/// A side of a triangle: indices of its mesh's vertices, the lower one first.
using MeshEdge = std::array<std::uint16_t, 2>;

struct Selection {
  std::optional<BoneId> bone{};
  std::optional<MeshId> mesh{};
  std::vector<std::uint8_t> hidden{};  ///< By mesh: not 0 where it is hidden. Empty where none is.
  std::vector<AlphaMask> masks{};      ///< Of the character's images.
  std::vector<std::uint8_t> folded{};  ///< By bone: not 0 where its children are not listed. Empty where none is.
  bool reveal = false;                 ///< The lists scroll to the selection.

  std::vector<MeshEdge> outline{};  ///< The edges of the mesh `outline_of` that belong to one triangle only.
  std::optional<MeshId> outline_of{};

  // The last click; another at the same place selects what lies below:
  std::vector<Hit> stack{};  ///< Front to back.
  Vec2 clicked{0.0F};
  std::size_t depth = 0;  ///< Which of them is selected.
};

/// Selects the topmost mesh at `point`, and the bone that moves it most there; again within `reach` of the last click,
/// the one below, and after the last the first. Selects nothing where nothing shows.
void select_at(Selection& selection, const Character& character, const PoseBuffers& posed, Vec2 point, float reach);

/// Selects a mesh and its governing bone.
void select_mesh(Selection& selection, const Character& character, MeshId mesh);
void select_bone(Selection& selection, BoneId bone);
void select_nothing(Selection& selection);

[[nodiscard]] bool is_hidden(const Selection& selection, MeshId mesh) noexcept;
void set_hidden(Selection& selection, const Character& character, MeshId mesh, bool hidden);
/// Hides all meshes but the selected one, or but these, or shows all where that is so already. Does nothing without
/// any.
void toggle_solo(Selection& selection, const Character& character);
void toggle_solo(Selection& selection, const Character& character, std::span<const MeshId> meshes);
void show_all(Selection& selection);
void leave_out_hidden(const Selection& selection, DrawList& list);

/// Returns the edges of all triangles of a mesh, sorted, once for each triangle.
[[nodiscard]] std::vector<MeshEdge> sorted_edges(const Character& character, MeshId mesh);
void find_outline(Selection& selection, const Character& character);

/// Returns the same selection in another state of a character, by names, without masks.
[[nodiscard]] Selection carried_over(const Selection& selection, const Character& from, const Character& to);

}  // namespace pchr::player
