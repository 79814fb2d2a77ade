// SPDX-License-Identifier: MIT
// Colors of meshes and instances, and places in a draw order.
#include <pchr/pose.hpp>

#include <utility>

namespace pchr {
namespace {

/// Applies the colors of `outer` after those of `inner`, except for opacity. Per channel, colors map c to (tint -
/// dark_tint) * c + dark_tint + additive, and two such maps make another.
template <typename Outer, typename Inner>
void apply_after(const Inner& inner, Outer& outer) {
  for (std::size_t i = 0; i < 3; ++i) {
    const float scale = outer.tint[i] - outer.dark_tint[i];
    outer.tint[i] = inner.tint[i] * scale + outer.dark_tint[i];
    outer.dark_tint[i] = inner.dark_tint[i] * scale + outer.dark_tint[i];
    outer.additive[i] = inner.additive[i] * scale + outer.additive[i];
  }
  outer.tint[3] *= inner.tint[3];
}

}  // namespace

Appearance combine(const Appearance& appearance, const DrawItem& item) noexcept {
  Appearance result = appearance;
  apply_after(item, result);
  result.tint[3] *= item.opacity;
  if (item.blend != Blend::normal) result.blend = item.blend;
  return result;
}

std::optional<DrawItem> apply_skin(const SkinData& skin, DrawItem item) noexcept {
  if (index(item.mesh) >= skin.parts.size()) return item;
  const SkinPart& part = skin.parts[index(item.mesh)];
  if (!part.visible) return std::nullopt;
  apply_after(part, item);
  if (part.image != ImageId::none) item.image = part.image;
  if (item.blend == Blend::normal) item.blend = part.blend;
  return item;
}

void apply_skin(const SkinData& skin, DrawList& list) {
  std::size_t kept = 0;
  for (const DrawItem& item : list) {
    if (const std::optional<DrawItem> changed = apply_skin(skin, item)) list[kept++] = *changed;
  }
  list.resize(kept);
}

std::size_t find_place(const Character& character, const PoseBuffers& posed, DrawPlace place) noexcept {
  const DrawList& list = posed.draw_list;
  if (!character.meshes().contains(place.mesh)) return place.behind ? 0 : list.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].mesh == place.mesh) return place.behind ? i : i + 1;
  }
  const auto key = [&](MeshId mesh) {
    const std::size_t bone = index(character.governing_bone(mesh));
    return std::pair(bone < posed.pose.z_order.size() ? posed.pose.z_order[bone] : 0, mesh);
  };
  std::size_t first_in_front = 0;
  while (first_in_front < list.size() && key(list[first_in_front].mesh) < key(place.mesh)) ++first_in_front;
  return first_in_front;
}

}  // namespace pchr
