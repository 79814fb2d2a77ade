// SPDX-License-Identifier: MIT
#include "document/bone_tree.hpp"

#include <utility>

namespace pchr::player {
namespace {

/// Returns the meshes governed by the bones of a subtree.
std::vector<MeshId> meshes_of_subtree(const Character& character, BoneId root) {
  const auto bones = character.bones();
  std::vector<std::uint8_t> below(bones.size());
  below[index(root)] = 1;
  for (std::size_t bone = index(root) + 1; bone < bones.size(); ++bone) {
    if (bones[bone].parent != BoneId::none) below[bone] = below[index(bones[bone].parent)];
  }
  std::vector<MeshId> meshes;
  for (const MeshId mesh : character.meshes().ids()) {
    if (below[index(character.governing_bone(mesh))] != 0) meshes.push_back(mesh);
  }
  return meshes;
}

/// Creates a row for each bone in file order, and counts meshes. Parents precede children.
void count_meshes(const Character& character, const Selection& selection, std::vector<BoneRow>& rows) {
  const auto bones = character.bones();
  rows.clear();
  for (const BoneId bone : bones.ids()) {
    const BoneId parent = bones[bone].parent;
    rows.push_back({.bone = bone,
                    .depth = parent != BoneId::none ? rows[index(parent)].depth + 1 : 0,
                    .folded = is_folded(selection, bone)});
  }
  if (bones.empty()) return;
  for (const MeshId mesh : character.meshes().ids()) {
    BoneRow& row = rows[index(character.governing_bone(mesh))];
    ++row.meshes;
    if (is_hidden(selection, mesh)) ++row.hidden;
  }
  for (std::size_t bone = bones.size(); bone-- > 0;) {
    if (bones[bone].parent == BoneId::none) continue;
    BoneRow& parent = rows[index(bones[bone].parent)];
    parent.foldable = true;
    parent.meshes += rows[bone].meshes;
    parent.hidden += rows[bone].hidden;
  }
}

/// Sorts rows from file order into tree order, without the children of folded ones.
void arrange_as_tree(std::span<const Bone> bones, std::vector<BoneRow>& rows) {
  BoneId first_root = BoneId::none;
  std::vector<BoneId> first_child(bones.size(), BoneId::none);
  std::vector<BoneId> next_sibling(bones.size());
  for (std::size_t bone = bones.size(); bone-- > 0;) {
    BoneId& first = bones[bone].parent == BoneId::none ? first_root : first_child[index(bones[bone].parent)];
    next_sibling[bone] = std::exchange(first, BoneId(bone));
  }
  std::vector<BoneRow> tree;
  tree.reserve(rows.size());
  for (BoneId bone = first_root; bone != BoneId::none;) {
    const BoneRow& row = rows[index(bone)];
    tree.push_back(row);
    BoneId next = row.folded ? BoneId::none : first_child[index(bone)];
    for (; next == BoneId::none && bone != BoneId::none; bone = bones[index(bone)].parent)
      next = next_sibling[index(bone)];
    bone = next;
  }
  rows = std::move(tree);
}

}  // namespace

void list_meshes(const Character& character, const NameFilter& filter, std::vector<MeshId>& rows) {
  rows.clear();
  const auto meshes = character.meshes();
  for (const MeshId mesh : meshes.ids()) {
    if (passes(filter, meshes[mesh].name)) rows.push_back(mesh);
  }
}

void list_bones(const Character& character, const Selection& selection, const NameFilter& filter,
                std::vector<BoneRow>& rows) {
  count_meshes(character, selection, rows);
  if (filter.text[0] == '\0') return arrange_as_tree(character.bones(), rows);
  std::erase_if(rows, [&](const BoneRow& row) { return !passes(filter, character.bones()[row.bone].name); });
  for (BoneRow& row : rows) {
    row.depth = 0;
    row.foldable = false;
  }
}

bool is_subtree_hidden(const Selection& selection, const Character& character, BoneId bone) {
  const auto meshes = meshes_of_subtree(character, bone);
  return !meshes.empty() && std::ranges::all_of(meshes, [&](MeshId mesh) { return is_hidden(selection, mesh); });
}

void set_subtree_hidden(Selection& selection, const Character& character, BoneId bone, bool hidden) {
  for (const MeshId mesh : meshes_of_subtree(character, bone)) set_hidden(selection, character, mesh, hidden);
}

void toggle_subtree_solo(Selection& selection, const Character& character) {
  if (selection.bone) toggle_solo(selection, character, meshes_of_subtree(character, *selection.bone));
}

bool is_folded(const Selection& selection, BoneId bone) noexcept {
  return index(bone) < selection.folded.size() && selection.folded[index(bone)] != 0;
}

void set_folded(Selection& selection, const Character& character, BoneId bone, bool folded) {
  selection.folded.resize(character.bones().size());
  selection.folded[index(bone)] = folded ? 1 : 0;
}

void unfold_to(Selection& selection, const Character& character, BoneId bone) {
  if (selection.folded.empty()) return;
  const auto bones = character.bones();
  for (BoneId above = bones[bone].parent; above != BoneId::none; above = bones[above].parent) {
    selection.folded[index(above)] = 0;
  }
}

void select_neighbor(Selection& selection, const Character& character, int direction) {
  if (selection.mesh) {
    const auto wanted = MeshId(static_cast<std::int64_t>(*selection.mesh) + direction);
    if (character.meshes().contains(wanted)) select_mesh(selection, character, wanted);
    return;
  }
  std::vector<BoneRow> rows;
  list_bones(character, selection, {}, rows);
  std::int64_t wanted = direction > 0 ? 0 : std::ssize(rows) - 1;
  if (selection.bone) {
    unfold_to(selection, character, *selection.bone);
    list_bones(character, selection, {}, rows);
    wanted = std::ranges::find(rows, *selection.bone, &BoneRow::bone) - rows.begin() + direction;
  }
  if (wanted >= 0 && wanted < std::ssize(rows)) select_bone(selection, rows[static_cast<std::size_t>(wanted)].bone);
}

}  // namespace pchr::player
