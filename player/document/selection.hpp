// SPDX-License-Identifier: MIT
// The selected bone and mesh, and the hidden meshes.
#pragma once

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

}  // namespace pchr::player
