// SPDX-License-Identifier: MIT
// The lists of meshes and bones.
#pragma once

#include "document/files.hpp"
#include "document/selection.hpp"

#include <algorithm>

namespace pchr::player {

struct NameFilter {
  std::array<char, 64> text{};  ///< A part of the names, in any case.
  bool focus = false;           ///< The field is to take the keyboard.
};

/// Returns whether `name` contains the filter's text, whatever the case of its Latin letters.
[[nodiscard]] inline bool passes(const NameFilter& filter, std::string_view name) noexcept {
  constexpr auto kLower = [](char c) { return lower_case(c); };
  const std::string_view part(filter.text.data());
  return part.empty() || !std::ranges::search(name, part, {}, kLower, kLower).empty();
}

/// A row of the list of bones.
struct BoneRow {
  BoneId bone{};
  std::uint32_t depth = 0;   ///< Number of ancestors; 0 where the list is filtered.
  std::uint32_t meshes = 0;  ///< Governed by its subtree.
  std::uint32_t hidden = 0;  ///< Of those meshes.
  bool foldable = false;     ///< It has children, and the list is a tree.
  bool folded = false;
};

void list_meshes(const Character& character, const NameFilter& filter, std::vector<MeshId>& rows);
/// Lists the bones as a tree without what is folded; with a filter, flat.
void list_bones(const Character& character, const Selection& selection, const NameFilter& filter,
                std::vector<BoneRow>& rows);

/// Returns whether all meshes of a bone's subtree are hidden, and there are any.
[[nodiscard]] bool is_subtree_hidden(const Selection& selection, const Character& character, BoneId bone);
void set_subtree_hidden(Selection& selection, const Character& character, BoneId bone, bool hidden);
/// Does what toggle_solo() does for the meshes of the selected bone's subtree.
void toggle_subtree_solo(Selection& selection, const Character& character);

[[nodiscard]] bool is_folded(const Selection& selection, BoneId bone) noexcept;
void set_folded(Selection& selection, const Character& character, BoneId bone, bool folded);
/// Unfolds the ancestors of `bone`, so that it is listed.
void unfold_to(Selection& selection, const Character& character, BoneId bone);

/// Selects the mesh after (+1) or before (-1) the selected one; without one, the bone in the order of the tree. Stops
/// at the ends.
void select_neighbor(Selection& selection, const Character& character, int direction);

}  // namespace pchr::player
