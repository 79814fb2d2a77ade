// SPDX-License-Identifier: MIT
// The lists of meshes and bones.
#pragma once

#include "document/name_filter.hpp"
#include "document/selection.hpp"

namespace pchr::player {

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

}  // namespace pchr::player
