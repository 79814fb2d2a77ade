// SPDX-License-Identifier: MIT
// Bones with all that is below them: folding, hiding, and the rows of the lists.
#pragma once

#include "name_filter.hpp"
#include "selection.hpp"

#include <pchr/character.hpp>

#include <cstdint>
#include <vector>

namespace pchr::player {

/// A row of the list of bones.
struct BoneRow {
  std::uint32_t bone = 0;
  std::uint32_t depth = 0;   ///< Bones above it; 0 where the list is filtered.
  std::uint32_t meshes = 0;  ///< Governed by it or a bone below it,
  std::uint32_t hidden = 0;  ///< and how many of them are hidden.
  bool foldable = false;     ///< It has bones below it, and the list is a tree.
  bool folded = false;
};

/// What the lists show, made anew for each picture. Keeps its memory.
struct PartRows {
  std::vector<std::uint32_t> meshes{};
  std::vector<BoneRow> bones{};
};

/// The meshes that pass, in the order of the file.
void list_meshes(const Character& character, const NameFilter& filter, std::vector<std::uint32_t>& rows);
/// The bones as a tree, each followed by what is below it unless it is folded; where there is a filter, flat.
void list_bones(const Character& character, const Selection& selection, const NameFilter& filter,
                std::vector<BoneRow>& rows);

/// Whether all meshes of a bone's branch are hidden, and there are any.
[[nodiscard]] bool is_branch_hidden(const Selection& selection, const Character& character, std::uint32_t bone);
void set_branch_hidden(Selection& selection, const Character& character, std::uint32_t bone, bool hidden);
/// Hides all meshes but those of the selected bone's branch; shows all where that is so already. Does nothing without a
/// selected bone, or where its branch has no meshes.
void toggle_branch_solo(Selection& selection, const Character& character);

void set_folded(Selection& selection, const Character& character, std::uint32_t bone, bool folded);
/// Unfolds what is above `bone`, so that it is listed.
void unfold_to(Selection& selection, const Character& character, std::uint32_t bone);

/// Selects the mesh after (+1) or before (-1) the selected one, or the bone in the order of the tree where no mesh is
/// selected; at the ends of the list it stays.
void select_neighbour(Selection& selection, const Character& character, int direction);

}  // namespace pchr::player
