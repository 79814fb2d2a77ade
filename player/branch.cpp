// SPDX-License-Identifier: MIT
#include "branch.hpp"

#include <algorithm>
#include <utility>

namespace pchr::player {
namespace {

bool is_folded(const Selection& selection, std::uint32_t bone) noexcept {
  return bone < selection.folded.size() && selection.folded[bone] != 0;
}

/// By mesh: 1 where the bone or one below it governs it. Parents precede children.
std::vector<std::uint8_t> meshes_of_branch(const Character& character, std::uint32_t root) {
  const auto bones = character.bones();
  std::vector<std::uint8_t> below(bones.size());
  for (std::uint32_t bone = root; bone < bones.size(); ++bone) {
    const std::int32_t parent = bones[bone].parent;
    below[bone] = bone == root || (parent >= 0 && below[static_cast<std::size_t>(parent)] != 0) ? 1 : 0;
  }
  std::vector<std::uint8_t> meshes;
  for (const std::uint32_t bone : character.governing_bones()) meshes.push_back(bone < below.size() ? below[bone] : 0);
  return meshes;
}

/// A row for each bone, in the order of the file, with all but its depth.
void count_meshes(const Character& character, const Selection& selection, std::vector<BoneRow>& rows) {
  const auto bones = character.bones();
  rows.clear();
  for (std::uint32_t bone = 0; bone < bones.size(); ++bone) {
    const std::int32_t parent = bones[bone].parent;
    rows.push_back({.bone = bone,
                    .depth = parent >= 0 ? rows[static_cast<std::size_t>(parent)].depth + 1 : 0,
                    .folded = is_folded(selection, bone)});
  }
  if (bones.empty()) return;
  for (std::uint32_t mesh = 0; mesh < character.meshes().size(); ++mesh) {
    BoneRow& row = rows[character.governing_bone(mesh)];
    ++row.meshes;
    if (is_hidden(selection, mesh)) ++row.hidden;
  }
  for (std::size_t bone = bones.size(); bone-- > 0;) {
    if (bones[bone].parent < 0) continue;
    BoneRow& parent = rows[static_cast<std::size_t>(bones[bone].parent)];
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
    if (bones[bone].parent >= 0) size[static_cast<std::size_t>(bones[bone].parent)] += size[bone];
  }
  constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
  std::vector<std::uint32_t> free_place(bones.size());  // For the next child of each bone.
  std::uint32_t free_root = 0;
  std::vector<BoneRow> tree;
  tree.resize(rows.size());
  for (std::size_t bone = 0; bone < bones.size(); ++bone) {
    const std::int32_t parent = bones[bone].parent;
    std::uint32_t& place = parent < 0 ? free_root : free_place[static_cast<std::size_t>(parent)];
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

void list_meshes(const Character& character, const NameFilter& filter, std::vector<std::uint32_t>& rows) {
  rows.clear();
  const auto meshes = character.meshes();
  for (std::uint32_t mesh = 0; mesh < meshes.size(); ++mesh) {
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

bool is_branch_hidden(const Selection& selection, const Character& character, std::uint32_t bone) {
  const auto branch = meshes_of_branch(character, bone);
  for (std::uint32_t mesh = 0; mesh < branch.size(); ++mesh) {
    if (branch[mesh] != 0 && !is_hidden(selection, mesh)) return false;
  }
  return std::ranges::count(branch, 1) > 0;
}

void set_branch_hidden(Selection& selection, const Character& character, std::uint32_t bone, bool hidden) {
  const auto branch = meshes_of_branch(character, bone);
  for (std::uint32_t mesh = 0; mesh < branch.size(); ++mesh) {
    if (branch[mesh] != 0) set_hidden(selection, character, mesh, hidden);
  }
}

void toggle_branch_solo(Selection& selection, const Character& character) {
  if (!selection.bone) return;
  auto solo = meshes_of_branch(character, *selection.bone);
  if (std::ranges::count(solo, 1) == 0) return;
  for (std::uint8_t& hidden : solo) hidden = hidden == 0 ? 1 : 0;
  if (selection.hidden == solo) return show_all(selection);
  selection.hidden = std::move(solo);
}

void set_folded(Selection& selection, const Character& character, std::uint32_t bone, bool folded) {
  selection.folded.resize(character.bones().size());
  selection.folded[bone] = folded ? 1 : 0;
}

void unfold_to(Selection& selection, const Character& character, std::uint32_t bone) {
  if (selection.folded.empty()) return;
  const auto bones = character.bones();
  for (std::int32_t above = bones[bone].parent; above >= 0; above = bones[static_cast<std::size_t>(above)].parent) {
    selection.folded[static_cast<std::size_t>(above)] = 0;
  }
}

void select_neighbour(Selection& selection, const Character& character, int direction) {
  if (selection.mesh) {
    const std::int64_t wanted = std::int64_t{*selection.mesh} + direction;
    const bool there = wanted >= 0 && wanted < std::ssize(character.meshes());
    if (there) select_mesh(selection, character, static_cast<std::uint32_t>(wanted));
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
