// SPDX-License-Identifier: MIT
#include "document/selection.hpp"

#include "document/bone_tree.hpp"

#include <glm/geometric.hpp>

namespace pchr::player {

void select_at(Selection& selection, const Character& character, const PoseBuffers& posed, Vec2 point, float reach) {
  const std::vector<Hit> before = std::move(selection.stack);
  hit_test_all(character, posed, selection.masks, point, selection.stack);
  const bool same_place = selection.mesh && glm::distance(point, selection.clicked) <= reach &&
                          std::ranges::equal(before, selection.stack, {}, &Hit::mesh, &Hit::mesh);
  selection.clicked = point;
  if (selection.stack.empty()) return select_nothing(selection);
  selection.reveal = true;
  selection.depth = same_place ? (selection.depth + 1) % selection.stack.size() : 0;
  selection.mesh = selection.stack[selection.depth].mesh;
  selection.bone.reset();
  if (!character.bones().empty()) selection.bone = selection.stack[selection.depth].bone;
}

void select_mesh(Selection& selection, const Character& character, MeshId mesh) {
  select_nothing(selection);
  selection.mesh = mesh;
  selection.reveal = true;
  if (!character.bones().empty()) selection.bone = character.governing_bone(mesh);
}

void select_bone(Selection& selection, BoneId bone) {
  select_nothing(selection);
  selection.bone = bone;
  selection.reveal = true;
}

void select_nothing(Selection& selection) {
  selection.mesh.reset();
  selection.bone.reset();
  selection.stack.clear();
}

bool is_hidden(const Selection& selection, MeshId mesh) noexcept {
  return index(mesh) < selection.hidden.size() && selection.hidden[index(mesh)] != 0;
}

void set_hidden(Selection& selection, const Character& character, MeshId mesh, bool hidden) {
  selection.hidden.resize(character.meshes().size());
  selection.hidden[index(mesh)] = hidden ? 1 : 0;
}

void toggle_solo(Selection& selection, const Character& character) {
  if (selection.mesh) toggle_solo(selection, character, {&*selection.mesh, 1});
}

void toggle_solo(Selection& selection, const Character& character, std::span<const MeshId> meshes) {
  if (meshes.empty()) return;
  std::vector<std::uint8_t> solo(character.meshes().size(), 1);
  for (const MeshId mesh : meshes) solo[index(mesh)] = 0;
  if (selection.hidden == solo) return show_all(selection);
  selection.hidden = std::move(solo);
}

void show_all(Selection& selection) { selection.hidden.clear(); }

void remove_hidden(const Selection& selection, DrawList& list) {
  if (selection.hidden.empty()) return;
  std::erase_if(list, [&](const DrawItem& item) { return is_hidden(selection, item.mesh); });
}

std::vector<MeshEdge> sorted_edges(const Character& character, MeshId mesh) {
  const auto indices = character.indices(character.meshes()[mesh]);
  std::vector<MeshEdge> edges;
  edges.reserve(indices.size());
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    for (std::size_t side = 0; side < 3; ++side) {
      const auto [low, high] = std::minmax(indices[i + side], indices[i + (side + 1) % 3]);
      edges.push_back({low, high});
    }
  }
  std::ranges::sort(edges);
  return edges;
}

void find_outline(Selection& selection, const Character& character) {
  if (selection.outline_of == selection.mesh) return;
  selection.outline_of = selection.mesh;
  selection.outline.clear();
  if (!selection.mesh) return;
  const std::vector<MeshEdge> edges = sorted_edges(character, *selection.mesh);
  for (auto edge = edges.begin(); edge != edges.end();) {
    const auto end = std::upper_bound(edge, edges.end(), *edge);
    if (end - edge == 1) selection.outline.push_back(*edge);
    edge = end;
  }
}

Selection carried_over(const Selection& selection, const Character& from, const Character& to) {
  const auto same_mesh = [&](MeshId mesh) { return to.find_mesh(from.meshes()[mesh].name); };
  const auto same_bone = [&](BoneId bone) { return to.find_bone(from.bones()[bone].name); };
  Selection carried;
  if (selection.mesh) carried.mesh = same_mesh(*selection.mesh);
  if (carried.mesh == MeshId::none) carried.mesh.reset();
  if (selection.bone) carried.bone = same_bone(*selection.bone);
  if (carried.bone == BoneId::none) carried.bone.reset();
  for (const MeshId mesh : from.meshes().ids()) {
    if (!is_hidden(selection, mesh) || same_mesh(mesh) == MeshId::none) continue;
    set_hidden(carried, to, same_mesh(mesh), true);
  }
  for (const BoneId bone : from.bones().ids()) {
    if (!is_folded(selection, bone) || same_bone(bone) == BoneId::none) continue;
    set_folded(carried, to, same_bone(bone), true);
  }
  return carried;
}

}  // namespace pchr::player
