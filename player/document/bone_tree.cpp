// SPDX-License-Identifier: MIT

#include "document/bone_tree.hpp"

#include <utility>

namespace pchr::player {
namespace {

/// By mesh: 1 where the bone or one below it governs it. Parents precede children.
std::vector<std::uint8_t> meshes_of_subtree(const Character& character, BoneId root) {
  const auto bones = character.bones();
  std::vector<std::uint8_t> below(bones.size());
  below[index(root)] = 1;
  for (std::size_t bone = index(root) + 1; bone < bones.size(); ++bone) {
    if (bones[bone].parent != BoneId::none) below[bone] = below[index(bones[bone].parent)];
  }
  std::vector<std::uint8_t> meshes;
  for (const BoneId bone : character.governing_bones()) meshes.push_back(bones.contains(bone) ? below[index(bone)] : 0);
  return meshes;
}

/// A row for each bone, in the order of the file, with all but its depth.
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

/// Rows in the order of the file into that of the tree, without what is below a folded one.
void arrange_as_tree(std::span<const Bone> bones, std::vector<BoneRow>& rows) {
  // A bone is placed after all of the branches of its elder siblings: count what each branch takes, then hand it out.
  std::vector<std::uint32_t> size(bones.size());
  for (std::size_t bone = bones.size(); bone-- > 0;) {
    size[bone] = rows[bone].folded ? 1 : size[bone] + 1;
    if (bones[bone].parent != BoneId::none) size[index(bones[bone].parent)] += size[bone];
  }
  constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
  std::vector<std::uint32_t> free_place(bones.size());  // For the next child of each bone.
  std::uint32_t free_root = 0;
  std::vector<BoneRow> tree;
  tree.resize(rows.size());
  for (std::size_t bone = 0; bone < bones.size(); ++bone) {
    const BoneId parent = bones[bone].parent;
    std::uint32_t& place = parent == BoneId::none ? free_root : free_place[index(parent)];
    if (place == kNowhere) {
      free_place[bone] = kNowhere;
      continue;
    }
    tree[place] = rows[bone];
    free_place[bone] = rows[bone].folded ? kNowhere : place + 1;
    place += size[bone];
  }
  tree.resize(free_root);
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
  const auto subtree = meshes_of_subtree(character, bone);
  for (const MeshId mesh : character.meshes().ids()) {
    if (subtree[index(mesh)] != 0 && !is_hidden(selection, mesh)) return false;
  }
  return std::ranges::count(subtree, 1) > 0;
}

void set_subtree_hidden(Selection& selection, const Character& character, BoneId bone, bool hidden) {
  const auto subtree = meshes_of_subtree(character, bone);
  for (const MeshId mesh : character.meshes().ids()) {
    if (subtree[index(mesh)] != 0) set_hidden(selection, character, mesh, hidden);
  }
}

void toggle_subtree_solo(Selection& selection, const Character& character) {
  if (!selection.bone) return;
  auto solo = meshes_of_subtree(character, *selection.bone);
  if (std::ranges::count(solo, 1) == 0) return;
  for (std::uint8_t& hidden : solo) hidden = hidden == 0 ? 1 : 0;
  if (selection.hidden == solo) return show_all(selection);
  selection.hidden = std::move(solo);
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
    const std::int64_t wanted = static_cast<std::int64_t>(*selection.mesh) + direction;
    const bool there = wanted >= 0 && wanted < std::ssize(character.meshes());
    if (there) select_mesh(selection, character, MeshId(wanted));
    return;
  }
  std::vector<BoneRow> rows;
  list_bones(character, selection, {}, rows);
  if (rows.empty()) return;
  std::int64_t wanted = direction > 0 ? 0 : std::ssize(rows) - 1;
  if (selection.bone) {
    unfold_to(selection, character, *selection.bone);
    list_bones(character, selection, {}, rows);
    wanted = std::ranges::find(rows, *selection.bone, &BoneRow::bone) - rows.begin() + direction;
  }
  if (wanted >= 0 && wanted < std::ssize(rows)) select_bone(selection, rows[static_cast<std::size_t>(wanted)].bone);
}

}  // namespace pchr::player
