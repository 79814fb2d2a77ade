// SPDX-License-Identifier: MIT
// Draw order and visibility.
#include <pchr/draw_list.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pchr {
namespace {

struct MeshState {
  bool visible = true;
  std::int32_t z_order = 0;
  float opacity = 1;
};

// A character without bones has nothing that could hide or order its meshes.
MeshState state_of(const Character& character, const PoseView& pose, std::size_t mesh) {
  if (pose.visible.empty()) return {};
  const std::uint32_t bone = character.governing_bone(mesh);
  return {pose.visible[bone] != 0, pose.z_order[bone], pose.opacity.empty() ? 1.0F : pose.opacity[bone]};
}

}  // namespace

void build_draw_list(const Character& character, const PoseView& pose, DrawList& out) {
  out.clear();
  for (std::uint32_t mesh = 0; mesh < character.meshes().size(); ++mesh) {
    const MeshState state = state_of(character, pose, mesh);
    if (state.visible) out.push_back({mesh, state.opacity});
  }
  // std::stable_sort allocates; mesh numbers are distinct, so they make an unstable sort stable.
  std::sort(out.begin(), out.end(), [&](const DrawItem& a, const DrawItem& b) {
    const std::int32_t order_a = state_of(character, pose, a.mesh).z_order;
    const std::int32_t order_b = state_of(character, pose, b.mesh).z_order;
    return order_a != order_b ? order_a < order_b : a.mesh < b.mesh;
  });
}

std::string describe(const Character& character, const PoseView& pose, const DrawList& list) {
  std::string text;
  std::vector<bool> drawn(character.meshes().size());
  for (const DrawItem& item : list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    drawn[item.mesh] = true;
    text += fmt::format("draw mesh {} \"{}\"  z {}  image {}  triangles {}", item.mesh, mesh.name,
                        state_of(character, pose, item.mesh).z_order, mesh.image, mesh.index_count / 3);
    if (item.opacity != 1.0F) text += fmt::format("  opacity {:.4g}", item.opacity);
    text += '\n';
  }
  for (std::uint32_t index = 0; index < drawn.size(); ++index) {
    if (drawn[index]) continue;
    const std::uint32_t bone = character.governing_bone(index);
    text += fmt::format("skip mesh {} \"{}\"  hidden by bone {} \"{}\"\n", index, character.meshes()[index].name, bone,
                        character.bones()[bone].name);
  }
  return text;
}

}  // namespace pchr
