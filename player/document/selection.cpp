// SPDX-License-Identifier: MIT
#include "document/selection.hpp"

#include "document/bone_tree.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <tuple>

namespace pchr::player {
namespace {

float distance_to_line(Vec2 point, Vec2 from, Vec2 to) {
  const Vec2 along = to - from;
  const float length = glm::dot(along, along);
  const float at = length > 0.0F ? std::clamp(glm::dot(point - from, along) / length, 0.0F, 1.0F) : 0.0F;
  return glm::distance(point, from + along * at);
}

bool is_same_part(const Pick& a, const Pick& b) { return a.mesh || b.mesh ? a.mesh == b.mesh : a.bone == b.bone; }

}  // namespace

std::vector<BoneId> bones_at(const Character& character, const PoseBuffers& posed, Vec2 point, float reach) {
  struct Candidate {
    BoneId bone{};
    bool hidden = false;
    bool by_line = false;
    float distance = 0;
  };
  std::vector<Candidate> all;
  const auto bones = character.bones();
  for (const BoneId bone : bones.ids()) {
    const Vec2 joint = posed.world[index(bone)][2];
    Candidate candidate{bone, posed.pose.visible[index(bone)] == 0, false, glm::distance(point, joint)};
    if (candidate.distance > reach && bones[bone].parent != BoneId::none) {
      candidate.by_line = true;
      candidate.distance = distance_to_line(point, posed.world[index(bones[bone].parent)][2], joint) * 2.0F;
    }
    if (candidate.distance <= reach) all.push_back(candidate);
  }
  std::ranges::stable_sort(all, {},
                           [](const Candidate& each) { return std::tuple(each.hidden, each.by_line, each.distance); });
  std::vector<BoneId> found(all.size());
  std::ranges::transform(all, found.begin(), &Candidate::bone);
  return found;
}

void select_at(Selection& selection, const Character& character, const PoseBuffers& posed, Vec2 point, float reach,
               std::span<const BoneId> bones) {
  std::vector<Pick> stack;
  for (const BoneId bone : bones) stack.push_back({.bone = bone});
  std::vector<Hit> hits;
  hit_test_all(character, posed, selection.masks, point, hits);
  for (const Hit& hit : hits) {
    stack.push_back({hit.mesh, character.bones().empty() ? std::nullopt : std::optional(hit.bone)});
  }
  const bool again = (selection.mesh || selection.bone) && glm::distance(point, selection.clicked) <= reach &&
                     std::ranges::is_permutation(stack, selection.stack, is_same_part);
  selection.clicked = point;
  if (stack.empty()) return select_nothing(selection);
  selection.reveal = true;
  selection.depth = again ? (selection.depth + 1) % stack.size() : 0;
  if (!again) selection.stack = std::move(stack);  // Else the order stays, so that clicks reach every part.
  selection.mesh = selection.stack[selection.depth].mesh;
  selection.bone = selection.stack[selection.depth].bone;
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
