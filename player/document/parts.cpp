// SPDX-License-Identifier: MIT
#include "document/parts.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

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

bool is_drawn(const Artwork& artwork, const LayerChoice& choice, std::uint32_t layer) noexcept {
  const auto& overrides = choice.overrides;
  const auto found = std::find_if(overrides.rbegin(), overrides.rend(),
                                  [&](const LayerOverride& override) { return override.layer == layer; });
  if (found != overrides.rend()) return found->drawn;
  const ArtworkLayer& entry = artwork.layers[layer];
  if (choice.which == LayerChoice::Which::named) return entry.drawn;
  return entry.kind != LayerKind::reference && (entry.visible || choice.which == LayerChoice::Which::all);
}

LayerChoice with_layer(const Artwork& artwork, LayerChoice choice, std::uint32_t layer, bool drawn) {
  std::erase_if(choice.overrides, [&](const LayerOverride& override) { return override.layer == layer; });
  if (is_drawn(artwork, choice, layer) != drawn) choice.overrides.push_back({layer, drawn});
  return choice;
}

void list_layers(const Artwork& artwork, const LayerChoice& choice, ArtworkLayers& layers) {
  const auto count = static_cast<std::uint32_t>(artwork.layers.size());
  if (layers.folded.size() != count) {
    layers.folded.clear();
    for (const ArtworkLayer& layer : artwork.layers) layers.folded.push_back(layer.expanded ? 0 : 1);
  }
  layers.rows.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    LayerRow row{.layer = i, .seen = is_drawn(artwork, choice, i)};
    bool listed = true;
    for (std::int32_t at = artwork.layers[i].parent; at >= 0;
         at = artwork.layers[static_cast<std::size_t>(at)].parent) {
      const auto parent = static_cast<std::uint32_t>(at);
      ++row.depth;
      listed = listed && layers.folded[parent] == 0;
      row.seen = row.seen && is_drawn(artwork, choice, parent);
    }
    // Children follow their parent.
    row.foldable = i + 1 < count && artwork.layers[i + 1].parent == static_cast<std::int32_t>(i);
    if (listed) layers.rows.push_back(row);
  }
}

}  // namespace pchr::player
