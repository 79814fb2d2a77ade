// SPDX-License-Identifier: MIT
// Which names a list shows.
#pragma once

#include "document/selection.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace pchr::player {

struct NameFilter {
  std::array<char, 64> text{};  ///< A part of the names, in any case.
  bool focus = false;           ///< The field shall take the keyboard.
};

/// Returns whether `name` has the filter's text in it, whatever the case of its Latin letters. An empty filter lets all
/// pass.
[[nodiscard]] inline bool passes(const NameFilter& filter, std::string_view name) noexcept {
  constexpr auto kLower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const std::string_view part(filter.text.data());
  return part.empty() || !std::ranges::search(name, part, std::ranges::equal_to{}, kLower, kLower).empty();
}

/// A row of the list of bones.
struct BoneRow {
  BoneId bone{};
  std::uint32_t depth = 0;   ///< Bones above it; 0 where the list is filtered.
  std::uint32_t meshes = 0;  ///< Governed by it or a bone below it,
  std::uint32_t hidden = 0;  ///< and how many of them are hidden.
  bool foldable = false;     ///< It has bones below it, and the list is a tree.
  bool folded = false;
};

/// What the lists show, made anew for each frame. Keeps its memory.
struct PartRows {
  std::vector<MeshId> meshes{};
  std::vector<BoneRow> bones{};
};

/// The meshes that pass, in the order of the file.
void list_meshes(const Character& character, const NameFilter& filter, std::vector<MeshId>& rows);
/// The bones as a tree, each followed by what is below it unless it is folded; where there is a filter, flat.
void list_bones(const Character& character, const Selection& selection, const NameFilter& filter,
                std::vector<BoneRow>& rows);

/// Returns whether all meshes of a bone's subtree are hidden, and there are any.
[[nodiscard]] bool is_subtree_hidden(const Selection& selection, const Character& character, BoneId bone);
void set_subtree_hidden(Selection& selection, const Character& character, BoneId bone, bool hidden);
/// Hides all meshes but those of the selected bone's subtree; shows all where that is so already. Does nothing without
/// a selected bone, or where its branch has no meshes.
void toggle_subtree_solo(Selection& selection, const Character& character);

[[nodiscard]] bool is_folded(const Selection& selection, BoneId bone) noexcept;
void set_folded(Selection& selection, const Character& character, BoneId bone, bool folded);
/// Unfolds what is above `bone`, so that it is listed.
void unfold_to(Selection& selection, const Character& character, BoneId bone);

/// Selects the mesh after (+1) or before (-1) the selected one, or the bone in the order of the tree where no mesh is
/// selected; at the ends of the list it stays.
void select_neighbor(Selection& selection, const Character& character, int direction);

}  // namespace pchr::player
