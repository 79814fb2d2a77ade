// SPDX-License-Identifier: MIT
// Draw order and visibility.
#include <pchr/draw_list.hpp>
#include <pchr/finding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace pchr {
namespace {

/// The bone values that rule each mesh, read straight from their arrays.
struct MeshStates {
  MeshStates(const Character& character, const PoseView& pose)
      : governing_bones(character.governing_bones()),
        visible(pose.visible.data()),
        z_order(pose.z_order.data()),
        opacity(pose.opacity.empty() ? nullptr : pose.opacity.data()) {}

  [[nodiscard]] bool visible_at(std::uint32_t mesh) const { return visible[governing_bones[mesh]] != 0; }
  [[nodiscard]] std::int32_t z_order_of(std::uint32_t mesh) const { return z_order[governing_bones[mesh]]; }
  [[nodiscard]] float opacity_of(std::uint32_t mesh) const {
    return opacity == nullptr ? 1.0F : opacity[governing_bones[mesh]];
  }
  [[nodiscard]] bool drawn_before(std::uint32_t a, std::uint32_t b) const {
    const std::int32_t order_a = z_order_of(a);
    const std::int32_t order_b = z_order_of(b);
    return order_a != order_b ? order_a < order_b : a < b;
  }

  std::span<const std::uint32_t> governing_bones;
  const std::uint8_t* visible;
  const std::int32_t* z_order;
  const float* opacity;
};

/// Whether `list` has every visible mesh in order: as many as there are, all of them visible, and no two alike since
/// each is drawn before the next. Then the rest of each is brought up to date.
bool keep(const MeshStates& states, std::size_t mesh_count, DrawList& list) {
  std::size_t visible_count = 0;
  for (std::uint32_t mesh = 0; mesh < mesh_count; ++mesh) visible_count += states.visible_at(mesh);
  if (list.size() != visible_count) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::uint32_t mesh = list[i].mesh;
    if (mesh >= mesh_count || !states.visible_at(mesh)) return false;
    if (i > 0 && !states.drawn_before(list[i - 1].mesh, mesh)) return false;
    list[i] = {mesh, states.opacity_of(mesh)};
  }
  return true;
}

}  // namespace

void build_draw_list(const Character& character, const PoseView& pose, DrawList& out) {
  const std::size_t mesh_count = character.meshes().size();
  out.reserve(mesh_count);
  // A character without bones has nothing that could hide or order its meshes.
  if (pose.visible.empty()) {
    out.clear();
    for (std::uint32_t mesh = 0; mesh < mesh_count; ++mesh) out.push_back({mesh, 1.0F});
    return;
  }
  const MeshStates states(character, pose);
  // Orders seldom change from one frame to the next, and checking one is far cheaper than sorting.
  if (keep(states, mesh_count, out)) return;
  out.clear();
  for (std::uint32_t mesh = 0; mesh < mesh_count; ++mesh) {
    if (states.visible_at(mesh)) out.push_back({mesh, states.opacity_of(mesh)});
  }
  // std::stable_sort allocates; mesh numbers are distinct, so they make an unstable sort stable.
  const auto before = [&](const DrawItem& a, const DrawItem& b) { return states.drawn_before(a.mesh, b.mesh); };
  if (!std::is_sorted(out.begin(), out.end(), before)) std::sort(out.begin(), out.end(), before);
}

std::string describe(const Character& character, const PoseView& pose, const DrawList& list) {
  std::string text;
  std::vector<bool> drawn(character.meshes().size());
  for (const DrawItem& item : list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    drawn[item.mesh] = true;
    text += fmt::format("draw mesh {} \"{}\"  z {}  image {}  triangles {}", item.mesh, printable(mesh.name),
                        pose.z_order.empty() ? 0 : pose.z_order[character.governing_bone(item.mesh)], mesh.image,
                        mesh.index_count / 3);
    if (item.opacity != 1.0F) text += fmt::format("  opacity {:.4g}", item.opacity);
    text += '\n';
  }
  for (std::uint32_t index = 0; index < drawn.size(); ++index) {
    if (drawn[index]) continue;
    const std::uint32_t bone = character.governing_bone(index);
    text += fmt::format("skip mesh {} \"{}\"  hidden by bone {} \"{}\"\n", index,
                        printable(character.meshes()[index].name), bone, printable(character.bones()[bone].name));
  }
  return text;
}

}  // namespace pchr
